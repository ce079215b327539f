"""Searching what agents of other frameworks remember."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.ports import AgentMemory
from greenroom.recall import Doc, Index, MemoryPlace, ScopeView
from greenroom.text.stems import telling, terms

_MICROS = 1_000_000


def search(memories: Sequence[AgentMemory], question: str, limit: int) -> Sequence[AgentMemory]:
    """The memories that answer a question best, best first; those that share no word with it answer nothing."""
    asked = set(telling(question))
    index, sessions = Index(), frozenset(memory.session for memory in memories)
    for place, memory in enumerate(memories):
        index.add(_doc(place, memory))
    newest = max((int(memory.at * _MICROS) for memory in memories), default=0)
    known = ScopeView(index, MemoryPlace(lineage=(), others=sessions, at=newest), {})
    ranked = [memories[place] for place, _ in known.search(question, len(memories))]
    return [memory for memory in ranked if asked.intersection(terms(memory.words))][:limit]


def _doc(place: int, memory: AgentMemory) -> Doc:
    return Doc(
        key=place,
        id=f"{memory.session}/{memory.event}",
        stream=memory.session,
        version=place,
        at=int(memory.at * _MICROS),
        text=memory.words,
        kind="said",
        speaker=memory.author,
    )
