"""An ADK agent in a seat: it is shown what the seat sees and may do, and does it with a tool."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import msgspec
from google.adk.runners import Runner
from google.genai import types

from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Pattern, Range, Seat, Text
from greenroom.ports import SessionKey
from greenroom.services.house import House

#: How often an agent that moved nothing is asked again before the table goes on without it.
TRIES = 3
#: How long a look for news waits.
_SECONDS = 0.5

ASKED = (
    "It is your turn. What you see and what you may do follow; call the tool choose with the number of one option, and "
    "with a text or a number where the option says that it takes one."
)


class AgentSeat:
    """One seat of one stream, for an ADK agent.

    Give its ``tools`` to the agent, and the agent's runner to :meth:`play`.
    """

    def __init__(self, house: House, stream: str, seat: Seat, *, idle: Collection[str] = ()) -> None:
        """Take a seat.

        Args:
            idle: names of commands that are always possible and no reason to ask the agent: those that only look.
        """
        self._house = house
        self._stream = stream
        self._seat = seat
        self._idle = frozenset(idle)
        self._moved = False
        self._names = {kind: name for world in house.worlds.values() for name, kind in world.commands.items()}

    @property
    def tools(self) -> list[Callable[..., Awaitable[dict[str, Any]]]]:
        """What the agent needs to play: ``look`` and ``choose``."""

        async def look() -> dict[str, Any]:
            """See the table from your seat: what is known to you, and what you may do, by number."""
            return await self.look()

        async def choose(option: int, text: str = "", number: int = 0) -> dict[str, Any]:
            """Do one of the things you may do now.

            Args:
                option: the number of the option.
                text: what to say, where the option takes a text.
                number: how much, where the option takes a number.
            """
            return await self.choose(option, text, number)

        return [look, choose]

    async def look(self) -> dict[str, Any]:
        """What the seat sees, and its options by number, from 1."""
        seen = await self._house.view(self._stream, seat=self._seat)
        options = [self._told(option) for option in await self._options()]
        return {"seat": self._seat, "view": msgspec.to_builtins(seen.body), "options": _numbered(options)}

    async def choose(self, option: int, text: str = "", number: int = 0) -> dict[str, Any]:
        """Carry out an option; what is wrong with it is told in words and changes nothing."""
        options = await self._options()
        if not 1 <= option <= len(options):
            return {"done": False, "why": f"there is no option {option}; choose 1 to {len(options)}"}
        chosen = options[option - 1]
        command = _filled(chosen, text, number) if isinstance(chosen, Pattern) else chosen
        before = (await self._house.stream(self._stream)).version
        try:
            reply = await self._house.send(self._stream, command, seat=self._seat)
        except Refused as refusal:
            return {"done": False, "why": str(refusal)}
        self._moved |= reply.version > before
        return {"done": True, "reply": msgspec.to_builtins(reply.body)}

    async def play(self, runner: Runner, *, user_id: str, session_id: str) -> None:
        """Let the agent play until the stream has ended: it is asked whenever there is something to choose.

        The session is noted as the seat's in ``adk_sessions``. An agent that moves nothing in three tries is asked
        again when something has happened.
        """
        key = SessionKey(runner.app_name, user_id, session_id)
        await self._house.agents.sessions.hold(key, self._stream, self._seat, active=True)
        asked = since = -1
        while (row := await self._house.stream(self._stream)).outcome is None:
            if row.version == asked or not await self._waited_for():
                since = await self._house.changed(_SECONDS, since)
                continue
            asked = row.version
            await self._ask(runner, key)
        await self._house.agents.sessions.hold(key, self._stream, self._seat, active=False)

    async def _ask(self, runner: Runner, key: SessionKey) -> None:
        self._moved = False
        for _ in range(TRIES):
            told = f"{ASKED}\n\n{json.dumps(await self.look(), ensure_ascii=False)}"
            message = types.Content(role="user", parts=[types.Part(text=told)])
            async for _event in runner.run_async(user_id=key.user, session_id=key.id, new_message=message):
                pass
            if self._moved or not await self._waited_for():
                return

    async def _options(self) -> Sequence[Any]:
        return list(await self._house.legal(self._stream, self._seat))

    async def _waited_for(self) -> bool:
        return any(self._name(option) not in self._idle for option in await self._options())

    def _name(self, option: Any) -> str:
        return self._names[type(option.example if isinstance(option, Pattern) else option)]

    def _told(self, option: Any) -> dict[str, Any]:
        command = option.example if isinstance(option, Pattern) else option
        told = {"do": self._name(option), **_plain(command)}
        for name, free in option.free.items() if isinstance(option, Pattern) else ():
            told[name] = _wanted(free)
        return told


def _numbered(options: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"option": n, **option} for n, option in enumerate(options, 1)]


def _plain(command: Any) -> dict[str, Any]:
    """The fields of a command as JSON has them."""
    names = [field.name for field in fields(command)] if is_dataclass(command) else list(command.__struct_fields__)
    found = {name: getattr(command, name) for name in names}
    return {n: v.text if isinstance(v, Words) else msgspec.to_builtins(v) for n, v in found.items() if v is not None}


def _wanted(free: Text | Range) -> str:
    what = "a text of" if isinstance(free, Text) else "a number from"
    return f"{what} {free.least} to {free.most}{' characters' if isinstance(free, Text) else ''}"


def _filled(pattern: Pattern[Any], text: str, number: int) -> Any:
    """The command that a pattern and what was said with it make."""
    values: dict[str, Any] = {}
    for name, free in pattern.free.items():
        as_words = isinstance(getattr(pattern.example, name), Words)
        values[name] = number if isinstance(free, Range) else Words(text) if as_words else text
    if is_dataclass(pattern.example) and not isinstance(pattern.example, type):
        return replace(pattern.example, **values)
    return msgspec.structs.replace(pattern.example, **values)
