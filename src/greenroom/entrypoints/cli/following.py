"""What ``greenroom db follow`` shows and does."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from greenroom.kernel.errors import BackendError
from greenroom.kit.cli.progress import Bar
from greenroom.kit.cli.session import Printed
from greenroom.ports import Cursor
from greenroom.services.house import House
from greenroom.text.counting import plural

#: How often is looked how far a follower is that another process tells.
_LOOK_SECONDS = 0.2
#: A follower that fails so often in a row is not waited for.
_MOST_TRIES = 3


async def rebuilt(house: House, name: str) -> None:
    """Have a follower's copy made anew and wait until it is whole.

    Raises:
        Unknown: there is no such follower, or this house does not have it.
        BackendError: the follower fails again and again; it is tried further by whoever works in the house.
    """
    await house.following.rebuild(name)
    with Bar("follow") as bar:
        while True:
            await house.following.catch_up(name)
            (cursor,) = [one for one in await house.following.list() if one.name == name]
            bar(cursor.streams - cursor.behind, cursor.streams, name)
            if not (cursor.rebuilding or cursor.behind or cursor.gone):
                return
            if cursor.tries >= _MOST_TRIES:
                raise BackendError(f"follower {name} fails: {cursor.error}; it is told again when a worker runs")
            await asyncio.sleep(_LOOK_SECONDS)


def listed(cursors: Sequence[Cursor], brought: Collection[str]) -> Printed:
    """Each follower in a line."""
    data = {"followers": [_data(cursor, brought) for cursor in cursors]}
    return Printed(data, "\n".join(_line(cursor, brought) for cursor in cursors) or "nobody follows this house")


def _data(cursor: Cursor, brought: Collection[str]) -> dict[str, Any]:
    return {
        "name": cursor.name,
        "worlds": list(cursor.worlds),
        "streams": cursor.streams,
        "streams_behind": cursor.behind,
        "steps_behind": cursor.steps,
        "removals_behind": cursor.gone,
        "rebuilding": cursor.rebuilding,
        "told_by": cursor.holder,
        "installed": cursor.name in brought,
        "failures": cursor.tries,
        "error": cursor.error,
    }


def _line(cursor: Cursor, brought: Collection[str]) -> str:
    parts = [f"{cursor.name}: follows {', '.join(cursor.worlds)}; {plural(cursor.streams, 'stream')}"]
    late = [f"{plural(cursor.steps, 'step')} of {cursor.behind} behind" if cursor.behind else "all told"]
    late += [f"{cursor.gone} removals to tell"] if cursor.gone else []
    late += ["a rebuild is to begin"] if cursor.rebuilding else []
    late += [f"failed {cursor.tries} times: {cursor.error}"] if cursor.tries else []
    late += [] if cursor.name in brought else ["no plug-in here brings it"]
    return f"{parts[0]}, {'; '.join(late)}"
