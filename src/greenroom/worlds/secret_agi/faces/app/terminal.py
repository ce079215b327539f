"""One person at the table, in a terminal: what happened, what may be done, and a number to choose it by."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import OPERATOR, Pattern, Seat
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app.choices import question, words
from greenroom.worlds.secret_agi.faces.app.guide import guide_lines, rules_lines
from greenroom.worlds.secret_agi.faces.app.telling import told
from greenroom.worlds.secret_agi.rules.commands import (
    CallEmergencySafety,
    Observe,
    Reseat,
    SeatConfig,
    SendChatMessage,
)

HELP = (
    "Type a number to choose; in a discussion, type what you want to say. look: how it stands; rules: the rules of "
    "this table; guide: for a first game; stand: a bot takes your seat; quit: the table waits for you."
)


class Lines(Protocol):
    """Whatever gives the lines a person types."""

    async def line(self) -> str | None:
        """The next line; None when there are no more."""


class SeatedPerson:
    """A person in one seat of one game."""

    def __init__(
        self, house: House, game: str, seat: Seat, keyboard: Lines, say: Callable[[str], None], *, pace: float = 0.0
    ) -> None:
        self._house = house
        self._game = game
        self._seat = seat
        self._keyboard = keyboard
        self._say = say
        self._pace = pace
        self._version = 0
        self._gone = False

    async def play(self) -> None:
        """Until the game is over or the person leaves."""
        self._say(HELP)
        await self._look()
        while await self._news():
            able = await self._able()
            seen = (await self._house.view(self._game, seat=self._seat)).body
            if await self._moved():
                continue
            if not able or self._gone:
                await self._house.changed(0.5, -1)
                continue
            if actions := [option for option in able if not isinstance(option, Pattern | Observe)]:
                self._say(question(seen, actions))
            for number, option in enumerate(able, 1):
                self._say(f"  {number}. {_told(option, seen)}")
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
                self._say(f"The table waits for you; greenroom agi human --game {self._game} comes back to it.")
                return False
            case "stand":
                await self._stand()
            case "rules" | "guide":
                await self._explain(str(line).strip())
            case "":
                pass
            case "look":
                await self._look()
            case "help" | "?":
                self._say(HELP)
            case str(typed):
                await self._do(able, typed)
        return True

    async def _stand(self) -> None:
        """Give the seat to a bot: from here on the game goes on without the person, who may watch."""
        taken = SeatConfig(player_id=self._seat, agent_type="strong")
        await self._house.send(self._game, Reseat(seats=(taken,)), seat=OPERATOR)
        self._gone = True
        self._say("A bot takes your seat; the game goes on without you.")

    async def _explain(self, what: str) -> None:
        seen = (await self._house.view(self._game, seat=self._seat)).body
        for line in guide_lines() if what == "guide" else rules_lines(len(seen["players"]), seen["rules"]):
            self._say(line)

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
        if isinstance(command, Pattern):
            self._say("Type what you want to say.")
            return
        if command is None and any(isinstance(o, Pattern) for o in able):
            command = SendChatMessage(text=Words(typed))
        if command is None:
            self._say(f"There is no such choice. {HELP}")
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
                await asyncio.sleep(self._pace)
        self._version = stream.version
        return stream.outcome is None

    async def _look(self) -> None:
        seen = (await self._house.view(self._game, seat=self._seat)).body
        known = [f"{p['id']}: {p['role']}" for p in seen["players"] if p["role"] != "unknown" and p["id"] != self._seat]
        cards = [f"{p['id']}: {p['allegiance']} card" for p in seen["players"] if _card_only(p)]
        hand = [f"{p['id']} ({p['capability']}/{p['safety']})" for p in seen["hand"]]
        self._say(
            f"You are {self._seat}, {seen['role']}. Capability {seen['capability']}, Safety {seen['safety']}, round "
            f"{seen['round']}, {seen['deck_count']} papers left, {seen['failed_proposals']} failed in a row; Director "
            f"{seen['director']}. You know {', '.join((*known, *cards)) or 'nobody else'}."
            + (f" Your hand: {', '.join(hand)}." if hand else "")
        )


def _card_only(player: dict[str, Any]) -> bool:
    return bool(player["role"] == "unknown" and player["allegiance"] != "unknown")


def _told(option: Any, seen: Any) -> str:
    """A choice in words."""
    if isinstance(option, Pattern):
        return "Say something: type it"
    return "Pass" if isinstance(option, Observe) else words(option, seen)
