"""The memory bank in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.journal import lineage
from greenroom.journal.records import Stored
from greenroom.kernel.asks import Fact, Facts, Latest, Recall, Recalled
from greenroom.kernel.facts import KIND
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import RAW, Scope
from greenroom.ports import Embedder
from greenroom.recall import Doc, Index, KeptFact, Likeness, MemoryPlace, ScopeView, is_aside, is_fact, known, surplus


@dataclass(slots=True)
class _Indexed:
    """A scope's index with the memories it was made of, by number."""

    index: Index = field(default_factory=Index)
    memories: list[Stored] = field(default_factory=list)


class InmemBank:
    """Words and recall; every vector is made before it searches."""

    def __init__(self, shelf: Shelf, embedder: Embedder | None = None) -> None:
        self._shelf = shelf
        self._embedder = embedder
        self._indexed: dict[Scope, _Indexed] = {}
        self._vectors: dict[str, bytes] = {}

    async def get(self, ids: Sequence[str]) -> Mapping[str, str]:
        found = ((id, self._shelf.memories.get(id)) for id in ids)
        return {id: stored.memory.text for id, stored in found if stored and stored.memory.text is not None}

    async def owners(self, ids: Sequence[str]) -> Mapping[str, str]:
        return {id: stored.memory.owner for id in ids if (stored := self._shelf.memories.get(id)) is not None}

    async def of_stream(self, stream: str) -> Sequence[Stored]:
        return [stored for stored in self._shelf.memories.values() if stored.stream == stream]

    async def count(self, scope: Scope) -> int:
        return len(self._within(scope))

    async def all(self, scope: Scope) -> Sequence[Stored]:
        return sorted(self._within(scope), key=lambda stored: (str(stored.memory.at), stored.memory.id))

    def _within(self, scope: Scope) -> list[Stored]:
        return [
            stored
            for stored in self._shelf.memories.values()
            if stored.version is not None
            and stored.memory.owner == scope.owner
            and scope.agent in (None, stored.memory.agent)
            and self._shelf.streams[stored.stream].world == scope.world
        ]

    # recall

    async def search(self, ask: Recall, *, stream: str, version: int, at: int) -> Sequence[Recalled]:
        chain = self._shelf.chain(stream)
        past = lineage.segments(chain, version) or (lineage.Segment(chain[-1].name, 0, 0),)
        found = self._index(ask.scope)
        view = ScopeView(found.index, self._place(found.index.streams, past, at), ask.where)
        likeness = await self._likeness(found, view, ask.query)
        hits = view.search(ask.query, ask.limit, likeness)
        return [_recalled(found.memories[key], score) for key, score in hits]

    async def latest(self, ask: Latest, *, stream: str, at: int) -> Sequence[Recalled]:
        self._shelf.chain(stream)
        docs = [
            self._doc(i, stored)
            for i, stored in enumerate(self._within(ask.scope))
            if stored.memory.speaker == ask.speaker and stored.memory.kind not in (RAW, KIND)
        ]
        free = [doc for doc in docs if doc.stream == stream or self._stands_alone(doc.stream)]
        wanted = [doc for doc in free if micros(ask.since) <= doc.at <= at]
        wanted.sort(key=lambda doc: (doc.at, doc.key), reverse=True)
        return [
            Recalled(id=doc.id, text=doc.text, speaker=doc.speaker, kind=doc.kind, score=0.0, at=moment(doc.at))
            for doc in wanted[: ask.limit]
        ]

    def _stands_alone(self, name: str) -> bool:
        stream = self._shelf.streams[name]
        return stream.parent is None and not stream.mute

    async def facts(self, ask: Facts, *, stream: str, version: int, at: int) -> Sequence[Fact]:
        chain = self._shelf.chain(stream)
        past = lineage.segments(chain, version) or (lineage.Segment(chain[-1].name, 0, 0),)
        docs = [
            self._doc(i, stored)
            for i, stored in enumerate(self._within(ask.scope))
            if is_fact(stored.memory.kind, stored.memory.meta)
        ]
        place = self._place({doc.stream for doc in docs}, past, at)
        return known(map(KeptFact, docs), place, query=ask.query, limit=ask.limit)

    def _index(self, scope: Scope) -> _Indexed:
        """The scope's index, with what came since it was last asked; made anew if something went."""
        there = [s for s in self._within(scope) if not is_aside(s.memory.kind, s.memory.meta)]
        found = self._indexed.setdefault(scope, _Indexed())
        if not {id(stored) for stored in found.memories} <= {id(stored) for stored in there}:
            found = self._indexed[scope] = _Indexed()
        known = {id(stored) for stored in found.memories}
        for stored in there:
            if id(stored) not in known:
                found.index.add(self._doc(len(found.memories), stored))
                found.memories.append(stored)
        return found

    def _doc(self, key: int, stored: Stored) -> Doc:
        memory, version = stored.memory, stored.version
        assert version is not None
        return Doc(
            key=key,
            id=memory.id,
            stream=stored.stream,
            version=version,
            at=self._shelf.streams[stored.stream].born_at if memory.at is None else micros(memory.at),
            text=_text(stored),
            kind=memory.kind,
            speaker=memory.speaker,
            meta=memory.meta,
            supersedes=memory.supersedes,
        )

    def _place(self, names: Iterable[str], past: Sequence[lineage.Segment], at: int) -> MemoryPlace:
        streams = (self._shelf.streams[name] for name in names)
        others = frozenset(stream.name for stream in streams if stream.parent is None and not stream.mute)
        return MemoryPlace(tuple((part.stream, part.upto) for part in reversed(past)), others, at)

    async def _likeness(self, found: _Indexed, view: ScopeView, question: str) -> Likeness | None:
        if self._embedder is None or not found.memories:
            return None
        from greenroom.adapters.embeddings.matrix import Matrix, packed  # noqa: PLC0415  needs numpy

        texts = [_text(stored) for stored in found.memories]
        lacking = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        self._vectors |= dict(zip(lacking, map(packed, await self._embedder.embed(lacking)), strict=True))
        matrix = Matrix(self._embedder.dimensions)
        for number, text in enumerate(texts):
            matrix.add(number, self._vectors[text])
        (vector,) = await self._embedder.embed([found.index.bare(question)])
        return matrix.likeness(vector, view.known)

    async def lacking(self, scope: Scope) -> int | None:
        if self._embedder is None:
            return None
        return sum(
            _text(stored) not in self._vectors
            for stored in self._within(scope)
            if not is_aside(stored.memory.kind, stored.memory.meta)
        )

    # a cap

    async def prune(self, scope: Scope, cap: int, *, kinds: Sequence[str]) -> int:
        there = self._within(scope)
        replaced = {(s.memory.supersedes, s.memory.agent) for s in there}
        prunable = [s for s in there if s.memory.kind in kinds and self._prunable(s)]
        order = {id: n for n, id in enumerate(self._shelf.memories)}
        going = surplus(
            (
                (order[s.memory.id], self._doc(0, s).at, s.memory.meta, (s.memory.id, s.memory.agent) in replaced)
                for s in prunable
            ),
            cap,
        )
        ids = {s.memory.id for s in prunable if order[s.memory.id] in going}
        self._shelf.memories = {id: stored for id, stored in self._shelf.memories.items() if id not in ids}
        return len(ids)

    def _prunable(self, stored: Stored) -> bool:
        """Of a root stream, shared with no branch and not to be said in a letter."""
        shelf, version = self._shelf, stored.version or 0
        return (
            shelf.streams[stored.stream].parent is None
            and not any(b.parent == stored.stream and b.forked_at >= version for b in shelf.streams.values())
            and not any(
                letter.stream == stored.stream and letter.words == stored.memory.id and letter.status in ("due", "held")
                for letter in shelf.letters.values()
            )
        )


def _text(stored: Stored) -> str:
    return stored.memory.text or ""


def _recalled(stored: Stored, score: float) -> Recalled:
    memory = stored.memory
    return Recalled(
        id=memory.id, text=_text(stored), speaker=memory.speaker, kind=memory.kind, score=score, at=memory.at
    )
