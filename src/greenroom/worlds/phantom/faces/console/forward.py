"""Fast-forward: what would come of a story, played on a branch whose letters arrive without being sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from greenroom.journal.records import Stream
from greenroom.kernel.letters import LetterSettled
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import HOUSE, OPERATOR
from greenroom.kit.console.branches import free_name
from greenroom.services.house import House

#: Letters that one fast-forward lets arrive at most.
MOST_LETTERS = 500


@dataclass(frozen=True, slots=True)
class Due:
    """A letter that waits on the branch."""

    due_at: datetime
    key: str


async def fast_forward(house: House, stream: str, span: timedelta) -> str:
    """Let time pass on a branch of the stream, or on the stream itself if it is one; returns the branch's name."""
    row = await house.stream(stream)
    if row.parent is None:
        name = await free_name(house, stream, row.version)
        row = await house.branch(stream, name=name, awake=True)
    until = _clock(row) + span
    for _ in range(MOST_LETTERS):
        letter = await _next(house, row.name, until)
        if letter is None:
            break
        await _pass_time(house, row.name, letter.due_at)
        news = LetterSettled(key=letter.key, status="sent")
        await house.send(row.name, news, seat=HOUSE, key=f"letter/{letter.key}/sent")
    await _pass_time(house, row.name, until)
    return row.name


async def _next(house: House, stream: str, until: datetime) -> Due | None:
    """The first letter that would have gone out by then; whatever comes before it is let happen first."""
    seen: tuple[int, int | None] | None = None
    while True:
        first = min(await _waiting(house, stream, until), key=lambda letter: letter.due_at, default=None)
        row = await house.stream(stream)
        limit = until if first is None else first.due_at
        if row.wake_at is None or moment(row.wake_at) > limit or seen == (row.version, row.wake_at):
            return first  # the last of these: a wake that changed nothing would be waited for without end
        seen = (row.version, row.wake_at)
        await _pass_time(house, stream, moment(row.wake_at))


async def _waiting(house: House, stream: str, until: datetime) -> list[Due]:
    board: Any = (await house.view(stream, seat=OPERATOR)).body
    letters = [Due(datetime.fromisoformat(str(one["due_at"])), one["key"]) for one in board["waiting"]]
    return [letter for letter in letters if letter.due_at <= until]


async def _pass_time(house: House, stream: str, until: datetime) -> None:
    """Move the branch's clock, which never goes back."""
    row = await house.stream(stream)
    await house.advance(max(until, _clock(row)), stream=stream)


def _clock(row: Stream) -> datetime:
    return moment(row.last_at if row.clock_at is None else row.clock_at)
