"""One scope of memories held in memory: its index, its vectors, and what is still to be had of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from greenroom.kernel.asks import Fact, Facts, Recall
from greenroom.kernel.codec import parse
from greenroom.ports import Embedder
from greenroom.recall import Doc, Index, KeptFact, MemoryPlace, ScopeView, is_aside, is_fact, known

if TYPE_CHECKING:
    from greenroom.adapters.embeddings.matrix import Matrix

#: Memories whose vectors are looked for at once.
PROBE = 512
#: Columns of a memory as the index takes them.
DOC = "m.mid, m.id, m.sid, m.version, m.at, m.text, m.kind, m.speaker, m.meta, m.supersedes"


class ScopeCache:
    """The memories of one scope. Rows come in from outside; nothing here waits for anything."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self.clear(b"")

    def clear(self, era: bytes) -> None:
        """Forget everything: something was deleted since, and nobody says what."""
        self.era = era
        #: What was written last when a connection looked.
        self.seen: dict[int, int] = {}
        self.index = Index()
        self._numbers: dict[int, int] = {}
        #: Facts of the owner, by the number of their row, and rows that are kept out of every search.
        self._facts: dict[int, KeptFact] = {}
        self._aside: set[int] = set()
        self.newest = 0
        #: Rows that no version has been given yet.
        self.open: set[int] = set()
        #: Memories whose vectors are not here, oldest first.
        self.bare: list[int] = []
        self._matrix = None if self._embedder is None else _matrix(self._embedder)

    @property
    def rows(self) -> int:
        """Rows that were taken in, placed or not."""
        return len(self._numbers) + len(self._aside) + len(self.open)

    def missing(self, there: Iterable[int]) -> list[int]:
        """Those of the rows that are there which were not taken in."""
        return sorted(set(there) - self._numbers.keys() - self._aside - self.open)

    def take(self, row: Sequence[Any]) -> None:
        """Take in a row of ``DOC``."""
        mid, id, sid, version, at, text, kind, speaker, meta, supersedes = row
        self.newest = max(self.newest, mid)
        if mid in self._numbers or mid in self._aside:
            return
        if version is None:
            self.open.add(mid)
            return
        self.open.discard(mid)
        doc = Doc(
            key=mid, id=id, stream=sid, version=version, at=at, text=text, kind=kind, speaker=speaker,
            meta=parse(meta) if meta else None, supersedes=supersedes,
        )  # fmt: skip
        if is_aside(kind, doc.meta):
            self._aside.add(mid)
            if is_fact(kind, doc.meta):
                self._facts[mid] = KeptFact(doc)
            return
        self._numbers[mid] = self.index.add(doc)
        if self._embedder is not None:
            self.bare.append(mid)

    def take_vectors(self, asked: Sequence[int], found: Collection[tuple[int, bytes]]) -> None:
        """Take in the vectors there are of the last so many of the bare ones."""
        if self._matrix is None:
            return
        for mid, vector in found:
            self._matrix.add(self._numbers[mid], vector)
        had = {mid for mid, _ in found}
        self.bare[-len(asked) :] = [mid for mid in asked if mid not in had]

    # asking

    def question(self, text: str) -> str | None:
        """What to make the question's vector of; None if nothing here has one."""
        return self.index.bare(text) if self._matrix else None

    def view(self, place: MemoryPlace, ask: Recall) -> ScopeView:
        return ScopeView(self.index, place, ask.where)

    @property
    def streams(self) -> set[Any]:
        """The streams that wrote any of it."""
        return {*self.index.streams, *(told.stream for told in self._facts.values())}

    def facts(self, place: MemoryPlace, ask: Facts) -> list[Fact]:
        return known(self._facts.values(), place, query=ask.query, limit=ask.limit)

    def likeness(self, vector: Sequence[float] | None, view: ScopeView) -> Any:
        return None if vector is None or self._matrix is None else self._matrix.likeness(vector, view.known)


def _matrix(embedder: Embedder) -> Matrix:
    from greenroom.adapters.embeddings.matrix import Matrix  # noqa: PLC0415  needs numpy, which only vectors need

    return Matrix(embedder.dimensions)
