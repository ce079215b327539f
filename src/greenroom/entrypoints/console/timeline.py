"""A stretch of a stream's history as one seat saw it: attempts in order, each with the steps it made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from greenroom.journal.records import Attempt, Step, Stream
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import Seat
from greenroom.services.house import House, ShownEvent

#: Versions shown before and after the chosen one.
AROUND = 12
#: Attempts after the newest step: those that wait, were refused or failed.
TRAILING = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One version of a stream, or an attempt that made none."""

    #: None for an attempt that changed nothing.
    version: int | None
    #: Number of the attempt, and the stream of the lineage that it was recorded in.
    n: int
    of: str
    at: datetime
    #: None where that is no longer known.
    by: Seat | None
    #: settled, refused, failed, cancelled; None while it is open.
    status: str | None
    error: str | None = None
    #: What the seat was shown of it.
    events: tuple[ShownEvent, ...] = ()


async def stretch(house: House, stream: str, *, seat: Seat, around: int) -> Sequence[Moment]:
    """The versions around one, with the attempts between them that made none, in order.

    Raises:
        Unknown: no such stream.
    """
    lineage = await house.lineage(stream)
    row = lineage[0]
    first = max(row.mark + 1, around - AROUND, 1)
    last = min(row.version, around + AROUND)
    steps = [step async for step in house.steps(stream, first - 1, last)] if last >= first else []
    shown = await _shown(house, stream, seat, first, last)
    found: list[Moment] = []
    for owner, part in _by_owner(lineage, steps):
        attempts = await _attempts(house, owner, part, open_end=owner is row and last == row.version)
        found += _told(owner.name, part, attempts, shown)
    if not steps or steps[-1].version <= row.forked_at:  # nothing of its own yet: what waits in it
        attempts = await house.attempts(stream, limit=TRAILING)
        found += [_without(stream, attempt) for attempt in attempts if not attempt.version]
    return found


async def _shown(house: House, stream: str, seat: Seat, first: int, last: int) -> Mapping[int, list[ShownEvent]]:
    shown: dict[int, list[ShownEvent]] = {}
    if last >= first:
        async for event in house.events(stream, seat=seat, after=first - 1, upto=last):
            shown.setdefault(event.version, []).append(event)
    return shown


def _by_owner(lineage: Sequence[Stream], steps: Sequence[Step]) -> list[tuple[Stream, list[Step]]]:
    """The steps, in order, with the stream of the lineage that each belongs to."""
    found: list[tuple[Stream, list[Step]]] = []
    for step in steps:
        owner = next(row for row in lineage if row.parent is None or step.version > row.forked_at)
        if not found or found[-1][0] is not owner:
            found.append((owner, []))
        found[-1][1].append(step)
    return found


async def _attempts(house: House, owner: Stream, steps: Sequence[Step], *, open_end: bool) -> Sequence[Attempt]:
    """The attempts of these steps and whatever lies between them; with an open end, also what came after."""
    first, last = steps[0].n, steps[-1].n
    limit = last - first + 1 + (TRAILING if open_end else 0)
    return await house.attempts(owner.name, after=first - 1, limit=limit)


def _told(
    stream: str, steps: Sequence[Step], attempts: Sequence[Attempt], shown: Mapping[int, Sequence[ShownEvent]]
) -> list[Moment]:
    """Steps by attempt; attempts are numbered in the order in which they were recorded, which is that of steps too."""
    known = {attempt.n: attempt for attempt in attempts}
    made = {step.n for step in steps}
    found = [(step.n, _with(stream, step, known.get(step.n), shown.get(step.version, ()))) for step in steps]
    found += [(n, _without(stream, attempt)) for n, attempt in known.items() if n not in made and not _made(attempt)]
    return [moment for _, moment in sorted(found, key=lambda pair: (pair[0], pair[1].version or 0))]


def _made(attempt: Attempt) -> bool:
    """Whether it made versions, which lie outside of the stretch then."""
    return attempt.status == "settled" and attempt.version != attempt.base


def _with(stream: str, step: Step, attempt: Attempt | None, shown: Sequence[ShownEvent]) -> Moment:
    return Moment(
        version=step.version,
        n=step.n,
        of=stream,
        at=moment(step.at),
        by=None if attempt is None else attempt.seat,
        status="settled",
        events=tuple(shown),
    )


def _without(stream: str, attempt: Attempt) -> Moment:
    return Moment(
        version=None,
        n=attempt.n,
        of=stream,
        at=moment(attempt.at),
        by=attempt.seat,
        status=attempt.status,
        error=attempt.error,
    )
