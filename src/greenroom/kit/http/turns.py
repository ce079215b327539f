"""Giving commands: wait for the turn a while, then say that it is recorded. Both answers mean nothing can be lost."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import Coroutine
from typing import Any, TypeVar

from greenroom.kernel.errors import Malformed
from greenroom.kernel.worlds import HOUSE, Seat
from greenroom.kit.http.access import EnteredStream
from greenroom.kit.http.records import reply_told
from greenroom.services.house import House, Reply

T = TypeVar("T")

UNDERSTUDY = "understudy"
#: For players: kind, and nothing of keys and addresses.
STOOD_IN = "Somebody stood in for a moment: whoever speaks here otherwise could not be reached. The story goes on."


class Patience:
    """Turns that outlast their request; whoever runs the server waits for them, or lets go, at the end."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._tasks: set[asyncio.Task[Any]] = set()
        self._keys = map(f"{secrets.token_hex(8)}-{{}}".format, itertools.count(1))

    def new_key(self) -> str:
        """A key for a command that came without one."""
        return next(self._keys)

    async def within(self, turn: Coroutine[Any, Any, T]) -> T | None:
        """The reply, if the turn is settled in time; otherwise the turn goes on without anybody listening."""
        task = asyncio.create_task(turn)
        done, _ = await asyncio.wait({task}, timeout=self.seconds)
        if done:
            return task.result()
        self._tasks.add(task)
        task.add_done_callback(self._over)
        return None

    def _over(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whatever it was is in the journal; nobody listens here

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)


async def give(
    house: House, patience: Patience, place: EnteredStream, kind: str, fields: Any, *, seat: Seat, key: str | None
) -> tuple[int, dict[str, Any]]:
    """Give a command and wait for its turn: status 200 and the reply, or 202 and the attempt.

    Raises:
        Malformed: there is no such command, or a field of it is wrong.
        Refused: the rules forbid it.
        KeyReused: the key came with another command before.
    """
    command = house.codec(place.stream.world).command_from(kind, fields)
    return await sent(house, patience, place.name, command, seat=seat, key=key, person=place.caller.person)


async def sent(
    house: House,
    patience: Patience,
    stream: str,
    command: Any,
    *,
    seat: Seat,
    key: str | None = None,
    person: str | None = None,
) -> tuple[int, dict[str, Any]]:
    """The same for a command that was read."""
    key = patience.new_key() if key is None else key
    reply = await patience.within(house.send(stream, command, seat=seat, key=key, person=person))
    if reply is not None:
        return 200, reply_told(reply, key, note=await _note(house, reply))
    # Recording it again under its key finds the attempt, or records it if that is what took so long.
    receipt = await house.record(stream, command, seat=seat, key=key, person=person)
    return 202, {"stream": stream, "attempt": receipt.attempt.n, "key": key, "status": "open"}


async def _note(house: House, reply: Reply) -> str | None:
    """That somebody stood in, where a model failed; why is the operator's to know, on the page of the stream."""
    if not reply.version or not _any_model(house):
        return None
    return STOOD_IN if (await house.why(reply.stream, reply.version)).stood_in else None


async def stood_in(house: House, stream: str) -> str | None:
    """The same for the page of a player: of the last time that somebody was asked to speak there.

    Raises:
        Unknown: no such stream.
    """
    return STOOD_IN if _any_model(house) and await house.stood_in(stream) else None


def _any_model(house: House) -> bool:
    roles = {role for one in house.installed.used if one.plugin for role in one.plugin.roles}
    return any(house.plays(role) not in (None, UNDERSTUDY) for role in roles)


async def giver(house: House, place: EnteredStream, named: Seat | None) -> Seat:
    """The seat a command comes from: a player's own; for the operator the one named, or the only one that can act.

    Raises:
        Malformed: several seats could have given it.
    """
    if place.caller.kind == "player":
        return place.seat
    if named is not None:
        if named == HOUSE:
            raise Malformed("nobody gives commands from the seat of the house; name a seat of the world")
        return named
    seats, able = await house.able(place.name)
    if len(able) == 1 or (not able and len(seats) == 1):
        return str((able or seats)[0])
    raise Malformed(f"say who gives it with seat: {', '.join(able or seats) or 'this world names no seats'}")


__all__ = ["STOOD_IN", "Patience", "give", "giver", "sent", "stood_in"]
