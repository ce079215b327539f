"""One person at the table, in a terminal: what happened, what may be done, and a number to choose it by."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Pattern, Seat
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app.telling import told
from greenroom.worlds.secret_agi.rules.commands import CallEmergencySafety, Observe, SendChatMessage, label

HELP = "Type a number to choose; in a discussion, type what you want to say; look, help or quit."


class Lines(Protocol):
    """Whatever gives the lines a person types."""

    async def line(self) -> str | None:
        """The next line; None when there are no more."""


class SeatedPerson:
    """A person in one seat of one game."""

    def __init__(self, house: House, game: str, seat: Seat, keyboard: Lines, say: Callable[[str], None]) -> None:
        self._house = house
        self._game = game
        self._seat = seat
        self._keyboard = keyboard
        self._say = say
        self._version = 0

    async def play(self) -> None:
        """Until the game is over or the person leaves."""
        self._say(HELP)
        await self._look()
        while await self._news():
            able = await self._able()
            if await self._moved():
                continue
            if not able:
                await self._house.changed(0.5, -1)
                continue
            for number, option in enumerate(able, 1):
                self._say(f"  {number}. {_told(option)}")
            if not await self._chosen(able):
                return

    async def _able(self) -> Sequence[Any]:
        """What there is to choose from; to observe is a choice only where it means to pass."""
        able = [*await self._house.legal(self._game, self._seat)]
        acts = [option for option in able if not isinstance(option, Observe)]
        passes = bool(acts) and all(isinstance(option, Pattern | CallEmergencySafety) for option in acts)
        return able if passes else acts

    async def _moved(self) -> bool:
        return (await self._house.stream(self._game)).version != self._version

    async def _chosen(self, able: Sequence[Any]) -> bool:
        """Read one line and do what it says; False to leave the table."""
        line = await self._next_line(able)
        match None if line is None else line.strip():
            case None | "quit":
                self._say(f"The game goes on without you; greenroom agi human --game {self._game} comes back to it.")
                return False
            case "":
                pass
            case "look":
                await self._look()
            case "help" | "?":
                self._say(HELP)
            case str(typed):
                await self._do(able, typed)
        return True

    async def _next_line(self, able: Sequence[Any]) -> str | None:
        """What is typed next; nothing if the table moves on so that there is something else to choose."""
        typed = asyncio.create_task(self._keyboard.line())
        try:
            while not (await asyncio.wait({typed}, timeout=1.0))[0]:
                if await self._moved() and await self._able() != able:
                    return ""
        finally:
            typed.cancel()
        return typed.result()

    async def _do(self, able: Sequence[Any], typed: str) -> None:
        command: Any = None
        if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(able):
            command = able[int(typed) - 1]
        if isinstance(command, Pattern) or (command is None and any(isinstance(o, Pattern) for o in able)):
            text = typed if command is None else "I have nothing to add."
            command = SendChatMessage(text=Words(text))
        if command is None:
            self._say(f"There is no such choice; {HELP}")
            return
        try:
            await self._house.send(self._game, command, seat=self._seat)
        except Refused as refusal:
            self._say(str(refusal))

    # telling

    async def _news(self) -> bool:
        """Tell what happened since; whether the game goes on."""
        stream = await self._house.stream(self._game)
        async for event in self._house.events(self._game, seat=self._seat, after=self._version, upto=stream.version):
            if (line := told(event.kind, event.body, self._seat)) is not None:
                self._say(line)
        self._version = stream.version
        return stream.outcome is None

    async def _look(self) -> None:
        seen = (await self._house.view(self._game, seat=self._seat)).body
        known = [f"{p['id']}: {p['role']}" for p in seen["players"] if p["role"] != "unknown"]
        cards = [f"{p['id']}: {p['allegiance']} card" for p in seen["players"] if _card_only(p)]
        hand = [f"{p['id']} ({p['capability']}/{p['safety']})" for p in seen["hand"]]
        self._say(
            f"You are {self._seat}, {seen['role']}. Capability {seen['capability']}, Safety {seen['safety']}, round "
            f"{seen['round']}, {seen['deck_count']} papers left, {seen['failed_proposals']} failed in a row; Director "
            f"{seen['director']}. You know {', '.join((*known, *cards)) or 'nobody'}."
            + (f" Your hand: {', '.join(hand)}." if hand else "")
        )


def _card_only(player: dict[str, Any]) -> bool:
    return bool(player["role"] == "unknown" and player["allegiance"] != "unknown")


def _told(option: Any) -> str:
    if isinstance(option, Pattern):
        return "say something"
    if isinstance(option, Observe):
        return "pass"
    verb, _, rest = label(option).partition(" ")
    return f"{verb.replace('_', ' ')} {rest}".rstrip()
