"""What a run learns: the outcome of every episode of an epoch, and every tactic or design that failed.

A lesson is an event before it is a memory, so that whoever copies a run's events has its memory too. A run holds so
many lessons and no more: at the cap a new one takes the place of the one that says least, in the same settlement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from greenroom.kernel.words import Memory, Scope
from greenroom.kernel.worlds import CommandContext

#: The kind of memory that the mutator looks for.
KIND = "lesson"
#: Lessons that a run holds.
MOST = 10_000
#: Places of lessons by how far from zero they scored, 0 to 5, the oldest first.
Shelf: TypeAlias = tuple[tuple[str, ...], ...]
EMPTY: Shelf = ((),) * 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One thing learned, with the metadata of the seed."""

    #: ``version.i``: where its memory stands in the stream.
    place: str
    generation: int
    tactic: str
    score: int
    reason: str
    #: What is told of it in words.
    told: str
    #: The id of the episode's row; empty where a whole trial taught it.
    episode: str = ""
    generation_id: str = ""
    #: Archetypes of the created agents that took part.
    present: tuple[str, ...] = ()
    #: The place of the lesson that this one takes.
    displaces: str | None = None

    @property
    def failed(self) -> bool:
        return self.score < 0


def mutator(run: str) -> str:
    """The name under which a run's lessons are remembered: no run recalls what another learned."""
    return f"mutator of {run}"


def scope(world: str, owner: str, run: str) -> Scope:
    return Scope(world=world, owner=owner, agent=mutator(run))


def shelved(shelf: Shelf, lessons: Sequence[Lesson], most: int = MOST) -> tuple[Shelf, tuple[Lesson, ...]]:
    """The shelf with new lessons on it, and those that found a place.

    Beyond ``most`` the one that scored nearest to zero goes, of several the oldest. A lesson that says less than all
    others is not kept.
    """
    rows = [list(row) for row in shelf]
    kept: list[Lesson] = []
    for lesson in lessons:
        worth = min(abs(lesson.score), len(rows) - 1)
        displaced: str | None = None
        if sum(map(len, rows)) >= most:
            least = next(i for i, row in enumerate(rows) if row)
            if least > worth:
                continue
            displaced = rows[least].pop(0)
        rows[worth].append(lesson.place)
        kept.append(replace(lesson, displaces=displaced))
    return tuple(map(tuple, rows)), tuple(kept)


def metadata(run: str, lesson: Lesson) -> dict[str, Any]:
    """What a lesson is found by. Filters know equality and membership, so the sign stands beside the number."""
    return {
        "run": run,
        "episode_id": lesson.episode,
        "generation_id": lesson.generation_id,
        "agent_archetype": "primary_actor",
        "tactical_classification": lesson.tactic,
        "judge_score": lesson.score,
        "failed": lesson.failed,
        "termination_reason": lesson.reason,
        "created_agents_present": list(lesson.present),
        "importance": abs(lesson.score),
    }


def memories(given: CommandContext[Any], lessons: Sequence[Lesson]) -> tuple[Memory, ...]:
    """Lessons as the bank keeps them."""
    return tuple(
        Memory(
            id=f"{given.stream}/{lesson.place}",
            owner=given.owner,
            agent=mutator(given.stream),
            speaker="judge",
            kind=KIND,
            text=lesson.told,
            at=given.at,
            meta=metadata(given.stream, lesson),
            supersedes=None if lesson.displaces is None else f"{given.stream}/{lesson.displaces}",
        )
        for lesson in lessons
    )


def similar(run: str, tactic: str) -> Mapping[str, Any]:
    """The filter of the seed's query: failures of a tactic."""
    return {"kind": KIND, "failed": True, "tactical_classification": tactic, "run": run}
