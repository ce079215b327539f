"""Fast-forward: what would come of a story, played on a branch whose letters arrive without being sent."""

from __future__ import annotations

from datetime import datetime, timedelta

from greenroom.entrypoints.console.branches import free_name
from greenroom.kernel.journal import Stream
from greenroom.kernel.letters import Letter, LetterSettled
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import HOUSE
from greenroom.services.house import House

#: Letters that one fast-forward lets arrive at most.
MOST_LETTERS = 500


async def fast_forward(house: House, stream: str, span: timedelta) -> str:
    """Let time pass on a branch of the stream, or on the stream itself if it is one; returns the branch's name."""
    row = await house.backend.streams.get(stream)
    if row.parent is None:
        name = await free_name(house, stream, row.version)
        row = await house.branch(stream, name=name, awake=True)
    until = _clock(row) + span
    for _ in range(MOST_LETTERS):
        letter = await _next(house, row.name, until)
        if letter is None:
            break
        await house.advance(max(letter.due_at, _clock(await house.backend.streams.get(row.name))), stream=row.name)
        await _arrive(house, letter)
    await house.advance(until, stream=row.name)
    return row.name


def _clock(row: Stream) -> datetime:
    return moment(row.last_at if row.clock_at is None else row.clock_at)


async def _next(house: House, stream: str, until: datetime) -> Letter | None:
    """The first letter that would have gone out by then; time is let pass up to whatever comes before it."""
    while True:
        known = await _told(house, stream)
        held = [one for one in await house.backend.post.list(stream=stream, status="held") if one.key not in known]
        first = min((one for one in held if one.due_at <= until), key=lambda one: one.due_at, default=None)
        row = await house.backend.streams.get(stream)
        limit = until if first is None else first.due_at
        if row.wake_at is None or moment(row.wake_at) > limit:
            return first
        await house.advance(max(moment(row.wake_at), _clock(row)), stream=stream)


async def _told(house: House, stream: str) -> set[str]:
    """Letters whose arrival the branch has been told of already."""
    attempts = await house.backend.streams.attempts(stream)
    return {one.key.removeprefix("letter/").removesuffix("/sent") for one in attempts if one.key.startswith("letter/")}


async def _arrive(house: House, letter: Letter) -> None:
    news = LetterSettled(key=letter.key, status="sent")
    await house.send(letter.stream, news, seat=HOUSE, key=f"letter/{letter.key}/sent")


__all__ = ["fast_forward"]
