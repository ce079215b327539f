"""Which facts one place may know, and in which order they are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from operator import attrgetter
from typing import Any

from greenroom.kernel.asks import Json
from greenroom.kernel.facts import KIND, PINNED, STRUCK, TOLD, Fact
from greenroom.kernel.times import moment
from greenroom.kernel.words import RAW
from greenroom.recall.index import Doc
from greenroom.recall.search import MemoryPlace
from greenroom.text.stems import telling


def is_fact(kind: str, meta: Mapping[str, Json] | None) -> bool:
    """Whether a memory is a fact of a person: told by ``Facts``, and not found as a line."""
    return kind == KIND and meta is not None and "relation" in meta


def is_aside(kind: str, meta: Mapping[str, Json] | None) -> bool:
    """Whether a memory stays out of every search."""
    return kind == RAW or is_fact(kind, meta)


class KeptFact:
    """A fact as it was stored, with what its place among others is decided by."""

    __slots__ = ("at", "doc", "id", "salience", "stream", "supersedes", "version", "words")

    def __init__(self, doc: Doc) -> None:
        meta: Mapping[str, Any] = doc.meta or {}
        parts = (meta.get("subject"), meta.get("relation"), meta.get("value"), doc.text)
        self.doc, self.id, self.supersedes = doc, doc.id, doc.supersedes
        self.stream, self.version, self.at = doc.stream, doc.version, doc.at
        self.salience = int(meta.get("salience", 2))
        self.words = frozenset(telling(" ".join(str(part) for part in parts if part)))

    @property
    def is_line(self) -> bool:
        """Whether it is a sentence as it was said, of which nobody knows what it tells."""
        return (self.doc.meta or {}).get("relation") == TOLD

    @property
    def is_struck(self) -> bool:
        return not self.doc.meta or self.doc.meta.get("relation") == STRUCK


def known(facts: Iterable[KeptFact], place: MemoryPlace, *, query: str = "", limit: int = 24) -> list[Fact]:
    """The facts that one place may know, neither replaced nor struck, the most telling first."""
    upto, others, now = dict(place.lineage), place.others, place.at
    seen = [
        told
        for told in facts
        if (told.version <= upto[told.stream] if told.stream in upto else told.stream in others and told.at <= now)
    ]
    replaced = {told.supersedes for told in seen if told.supersedes is not None}
    left = [told for told in seen if told.id not in replaced]
    left.sort(key=attrgetter("at", "id"), reverse=True)
    asked = frozenset(telling(query))

    def rank(told: KeptFact) -> tuple[bool, int, int, bool]:
        return told.salience < PINNED, -len(asked & told.words), -told.salience, told.is_line

    return [_fact(told.doc) for told in nsmallest(limit, (t for t in left if not t.is_struck), key=rank)]


def _fact(doc: Doc) -> Fact:
    meta: Mapping[str, Any] = doc.meta or {}
    return Fact(
        id=doc.id,
        subject=str(meta.get("subject", "")),
        relation=str(meta.get("relation", "")),
        value=str(meta.get("value", "")),
        text=doc.text,
        at=moment(doc.at),
        salience=int(meta.get("salience", 2)),
        quotable=bool(meta.get("quotable", True)),
        source=str(meta.get("source", "")),
    )


__all__ = ["KeptFact", "is_aside", "is_fact", "known"]
