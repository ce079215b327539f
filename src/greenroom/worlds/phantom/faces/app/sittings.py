"""The stories of this terminal: in a house of their own, opened at the hour where the newest was left."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import greenroom
from greenroom.journal.records import Stream
from greenroom.kernel.times import moment
from greenroom.services.house import House
from greenroom.worlds.phantom.rules import commands as c

#: Streams that were begun at a terminal are named like this.
PREFIX = "phantom-terminal-"
OWNER = "local"


@asynccontextmanager
async def opened(
    where: Path, timezone: str, *, new: bool = False, now: datetime | None = None
) -> AsyncIterator[tuple[House, str]]:
    """The house of this terminal, at the hour where its story was left, and the story's name.

    It is a file of its own: its clock moves as the player wants, which nothing else that lives in a house should feel.

    Raises:
        Refused: the time zone is unknown.
    """
    found = None if new else await _latest(where)
    at = moment(found.last_at) if found else now or datetime.now(UTC)
    async with greenroom.open(where, clock=at, work=False) as house:
        name = found.name if found else f"{PREFIX}{secrets.token_hex(4)}"
        if found is None:
            config = c.Register(timezone=timezone, delivery="page")
            await house.start("phantom", config, owner=OWNER, name=name)
        yield house, name


async def _latest(where: Path) -> Stream | None:
    if not where.exists():  # noqa: ASYNC240  one look at a local file
        return None
    async with greenroom.open(where, work=False) as house:
        found = [stream async for stream in house.every_stream("phantom")]
    return max(found, key=lambda stream: stream.born_at, default=None)
