"""What runs learned, in a Chroma index: a copy for whoever searches over all runs. The journal is the truth.

Nothing in a lineage depends on it: a run recalls from the house. The index is told of every settled lesson, holds at
most as many as the seed says, and can be thrown away and made anew at any time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from greenroom.adapters.embeddings import embedded_default
from greenroom.kernel.codec import canonical
from greenroom.kernel.errors import BackendError, NotInstalled
from greenroom.kernel.times import micros
from greenroom.kernel.words import Scope
from greenroom.ports import Embedder, Followed
from greenroom.ports.following import Texts
from greenroom.worlds.arena.rules import NAME, lessons
from greenroom.worlds.arena.rules import run as r

COLLECTION = "arena-lessons"
#: Entries of the index, over all runs.
MOST = 10_000
#: How far the graph is searched; at the cap this finds nearly always what an exact search does.
_GRAPH = {"space": "cosine", "ef_construction": 200, "ef_search": 400, "max_neighbors": 32}
#: Entries that are written or looked at in one go.
_PART = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """One lesson as the index keeps it."""

    id: str
    text: str
    meta: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """One lesson found, with its distance: 0 is the same, 2 the opposite."""

    id: str
    text: str
    distance: float
    meta: Mapping[str, Any]


def entry(scope: Scope, stream: str, at: datetime, lesson: lessons.Lesson) -> IndexEntry:
    """A lesson with the metadata of the seed. Lists stay lists, so that membership can be asked for."""
    meta = lessons.metadata(stream, lesson)
    if not meta["created_agents_present"]:
        del meta["created_agents_present"]  # the index knows no empty list
    return IndexEntry(
        id=f"{stream}/{lesson.place}",
        text=lesson.told,
        meta={**meta, **_whose(scope), "order": micros(at)},
    )


def _whose(scope: Scope) -> dict[str, str]:
    """Names as sums: whatever stands in a name, no other scope is meant by it."""
    return {
        "scope": sha256(canonical((scope.world, scope.owner))).hexdigest(),
        "agent": sha256(canonical((scope.world, scope.owner, scope.agent))).hexdigest(),
    }


class ChromaIndex:
    """Follows runs, and finds lessons by what they mean within one scope."""

    name = "arena-chroma"
    worlds = frozenset((NAME,))

    def __init__(self, folder: Path, embedder: Embedder | None = None, most: int = MOST) -> None:
        self._folder = folder
        self._embedder = embedder
        self._most = most
        self._client: Any = None

    # following

    async def follow(self, batch: Sequence[Followed], texts: Texts) -> None:
        """Put new lessons in, and take those out whose place they have taken.

        Raises:
            BackendError: the index cannot be written, or Chroma is not installed here.
        """
        found: list[IndexEntry] = []
        gone: list[str] = []
        for step in batch:
            scope = lessons.scope(step.world, step.owner, step.stream)
            for event in step.events:
                if isinstance(event, r.Learned):
                    found += [entry(scope, step.stream, step.at, one) for one in event.lessons]
                    gone += [f"{step.stream}/{one.displaces}" for one in event.lessons if one.displaces is not None]
        if found:
            await self.put(found, gone)

    async def put(self, entries: Sequence[IndexEntry], gone: Sequence[str] = ()) -> None:
        """Write entries; the same again changes nothing. Beyond the cap those nearest to zero go, the oldest first."""
        vectors = await self._vectors([one.text for one in entries])
        await self._in_thread(self._put, entries, vectors, gone)

    async def forgotten(self, stream: str) -> None:
        """A run was removed: its lessons go too."""
        await self._in_thread(lambda: self._collection().delete(where={"run": stream}))

    async def reset(self) -> None:
        """Begin anew with an empty index."""
        await self._in_thread(self._emptied)

    # asking

    async def similar(
        self, scope: Scope, query: str, *, limit: int = 5, below: int | None = 0, where: Mapping[str, Any] | None = None
    ) -> list[Near]:
        """Lessons nearest in meaning within a scope; by default those with a score below zero, as the seed asks."""
        whose = _whose(scope)
        filters: list[dict[str, Any]] = [
            {"scope": whose["scope"]} if scope.agent is None else {"agent": whose["agent"]},
            *({name: value} for name, value in (where or {}).items()),
        ]
        if below is not None:
            filters.append({"judge_score": {"$lt": below}})
        (vector,) = await self._vectors([query])
        asked = filters[0] if len(filters) == 1 else {"$and": filters}
        found = await self._in_thread(
            lambda: self._collection().query(query_embeddings=[vector], n_results=limit, where=asked)
        )
        rows = zip(*(found[name][0] for name in ("ids", "documents", "distances", "metadatas")), strict=True)
        return [Near(id=id, text=text, distance=distance, meta=meta) for id, text, distance, meta in rows]

    async def count(self) -> int:
        return int(await self._in_thread(lambda: self._collection().count()))

    # in a thread

    async def _in_thread(self, act: Any, *args: Any) -> Any:
        try:
            return await asyncio.to_thread(act, *args)
        except ImportError:
            raise NotInstalled("an index of lessons needs Chroma: install greenroom[chroma]") from None
        except (BackendError, NotInstalled):
            raise
        except Exception as error:  # whatever Chroma raises, the house goes on and tells it again
            raise BackendError(f"the index of lessons in {self._folder} cannot be used: {error}") from error

    async def _vectors(self, texts: Sequence[str]) -> list[Sequence[float]]:
        self._embedder = self._embedder or embedded_default()
        if self._embedder is None:
            raise NotInstalled("an index of lessons needs vectors: install greenroom[chroma]")
        different = list(dict.fromkeys(texts))
        found = dict(zip(different, await self._embedder.embed(different), strict=True))
        return [found[text] for text in texts]

    def _collection(self) -> Any:
        import chromadb  # noqa: PLC0415  only where it is installed and wanted
        from chromadb.config import Settings  # noqa: PLC0415

        if self._client is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            settings = Settings(anonymized_telemetry=False)
            self._client = chromadb.PersistentClient(path=str(self._folder), settings=settings)
        return self._client.get_or_create_collection(
            COLLECTION, configuration={"hnsw": _GRAPH}, embedding_function=None
        )

    def _put(self, entries: Sequence[IndexEntry], vectors: Sequence[Sequence[float]], gone: Sequence[str]) -> None:
        collection = self._collection()
        for start in range(0, len(entries), _PART):
            part = entries[start : start + _PART]
            collection.upsert(
                ids=[one.id for one in part],
                embeddings=vectors[start : start + _PART],
                documents=[one.text for one in part],
                metadatas=[dict(one.meta) for one in part],
            )
        self._drop(collection, gone)
        if (over := collection.count() - self._most) > 0:
            self._drop(collection, _least(collection.get(include=["metadatas"]))[:over])

    def _drop(self, collection: Any, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), _PART):
            collection.delete(ids=list(ids[start : start + _PART]))

    def _emptied(self) -> None:
        self._collection()
        self._client.delete_collection(COLLECTION)
        self._collection()


def _least(found: Mapping[str, Any]) -> list[str]:
    """Ids by how little they say: nearest to zero first, of these the oldest."""
    ranked = [
        (abs(meta["judge_score"]), meta["order"], id) for id, meta in zip(found["ids"], found["metadatas"], strict=True)
    ]
    return [id for _, _, id in sorted(ranked)]


__all__ = ["ChromaIndex", "IndexEntry", "Near", "entry"]
