"""Which facts one place may know, and in which order they are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from heapq import nsmallest
from operator import attrgetter
from typing import Any

from greenroom.kernel.asks import Json
from greenroom.kernel.facts import KIND, PINNED, STRUCK, Fact
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


def known(facts: Iterable[Doc], place: MemoryPlace, *, query: str = "", limit: int = 24) -> list[Fact]:
    """The facts that one place may know, neither replaced nor struck, the most telling first."""
    upto = dict(place.lineage)
    seen = [doc for doc in facts if _is_known(doc, upto, place)]
    replaced = {doc.supersedes for doc in seen if doc.supersedes is not None}
    asked = frozenset(telling(query))
    left = [doc for doc in seen if doc.id not in replaced and doc.meta and doc.meta.get("relation") != STRUCK]
    left.sort(key=attrgetter("at", "id"), reverse=True)

    def rank(doc: Doc) -> tuple[bool, int, int]:
        salience = _salience(doc)
        return salience < PINNED, -_shared(asked, doc), -salience

    return [_fact(doc) for doc in nsmallest(limit, left, key=rank)]


def _is_known(doc: Doc, upto: Mapping[Any, int], place: MemoryPlace) -> bool:
    if doc.stream in upto:
        return doc.version <= upto[doc.stream]
    return doc.stream in place.others and doc.at <= place.at


def _salience(doc: Doc) -> int:
    return int((doc.meta or {}).get("salience", 2))


def _shared(asked: frozenset[str], doc: Doc) -> int:
    meta: Mapping[str, Any] = doc.meta or {}
    return len(asked & _telling(meta.get("subject"), meta["relation"], meta.get("value"), doc.text)) if asked else 0


@lru_cache(maxsize=32_768)
def _telling(*parts: str | None) -> frozenset[str]:
    return frozenset(telling(" ".join(str(part) for part in parts if part)))


def _fact(doc: Doc) -> Fact:
    meta: Mapping[str, Any] = doc.meta or {}
    return Fact(
        id=doc.id,
        subject=str(meta.get("subject", "")),
        relation=str(meta.get("relation", "")),
        value=str(meta.get("value", "")),
        text=doc.text,
        at=moment(doc.at),
        salience=_salience(doc),
        quotable=bool(meta.get("quotable", True)),
        source=str(meta.get("source", "")),
    )


__all__ = ["is_aside", "is_fact", "known"]
