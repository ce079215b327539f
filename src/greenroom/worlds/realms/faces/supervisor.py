"""Holds an agent's seat for a program from outside: wakes it in its turn, sends what it does, and starts it again.

It is no part of any turn: it sends commands of its seat as anybody would who sits there. When it says nothing, the
realm goes on without it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from greenroom.kernel.errors import Refused, UsageError
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.realms.faces import app
from greenroom.worlds.realms.outside.acp import AgentProgram, NotGiven, ProgramEnded, actions_in, written
from greenroom.worlds.realms.rules import NAME, Realm, prompts
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.state import PLAYER
from greenroom.worlds.realms.settings import OutsideAgent

#: Seconds between two looks when nothing was heard.
BEAT = 0.5
#: How often a program is started again in one turn.
STARTS = 3
#: Seconds for a program to stop when its turn is over.
GRACE = 3.0


class Supervisor:
    """One seat of one realm, and the program that plays it."""

    def __init__(
        self, house: House, stream: str, agent: str, given: OutsideAgent, *, say: Callable[[str], None]
    ) -> None:
        self._house = house
        self._stream = stream
        self._agent = agent
        self._given = given
        self._say = say
        self._folder = Path()
        self._program: AgentProgram | None = None
        self._heard = -1

    async def hold(self) -> None:
        """Take the seat and play it until somebody dismisses the agent; leave it when this is cancelled.

        Raises:
            Refused: there is no room for another agent, or no such seat.
        """
        self._folder = Path((await self._realm()).path)
        given = self._given
        seated = c.SeatAgent(
            agent=self._agent, name=given.name or self._agent, role=given.role or self._agent, seconds=given.seconds
        )
        await self._house.send(self._stream, seated, seat=PLAYER)
        try:
            while (seat := (await self._realm()).seat(self._agent)) != "gone":
                await (self._turn() if seat == "asked" else self._pause())
        finally:
            await self._stop()
            with suppress(UsageError):
                await self._house.send(self._stream, c.Dismiss(agent=self._agent), seat=PLAYER)

    async def _realm(self) -> Realm:
        return await app.state_of(self._house, self._stream)

    async def _its_turn(self) -> bool:
        return (await self._realm()).seat(self._agent) == "asked"

    async def _pause(self) -> None:
        self._heard = await self._house.changed(BEAT, self._heard)

    # a turn

    async def _turn(self) -> None:
        """Ask the program for one action after another, until the turn is over."""
        starts = 0
        while await self._its_turn():
            try:
                if self._program is None:
                    starts += 1
                    self._program = await AgentProgram.start(self._given.command, self._folder, self)
                said = await self._asked(self._program)
            except ProgramEnded as ended:
                self._say(f"{self._agent}: {ended}")
                await self._stop()
                if starts < STARTS:
                    continue
                self._say(f"{self._agent}: it was started {STARTS} times in this turn, and has the rest of it off")
                said = ("", "")
            for action in [] if said is None else actions_in(*said):
                with suppress(NotGiven):  # it reads the reason in its next prompt
                    await self._do(action)

    async def _asked(self, program: AgentProgram) -> tuple[str, str] | None:
        """What the program says to a prompt; None when the turn was over before."""
        prompt = asyncio.create_task(program.prompt(await self._prompt()))
        over = asyncio.create_task(self._over())
        try:
            await asyncio.wait((prompt, over), return_when=asyncio.FIRST_COMPLETED)
            if prompt.done():
                return prompt.result()
            self._say(f"{self._agent}: its turn is over, and it is told to stop")
            await program.cancel()
            await asyncio.wait((prompt,), timeout=GRACE)
            if not prompt.done():
                raise ProgramEnded("it did not stop when its turn was over; it is ended")
            return None
        finally:
            for task in (prompt, over):
                task.cancel()
            await asyncio.gather(prompt, over, return_exceptions=True)

    async def _over(self) -> None:
        while await self._its_turn():
            await self._pause()

    async def _prompt(self) -> str:
        realm = await self._realm()
        agent = realm.agent(self._agent)
        if agent is None or realm.acting is None:
            raise ProgramEnded("its turn is over")
        content = self._house.content(NAME, Content)
        texts = await self._house.texts(prompts.wanted(content, realm, agent))
        return written(prompts.ask(content, realm, agent, texts))

    async def _do(self, action: dict[str, Any]) -> str:
        """Act from the seat, and what came of it; what the seat may not do changes nothing.

        Raises:
            NotGiven: the action was refused, in a sentence.
        """
        command = c.Act(action=Words(json.dumps(action, ensure_ascii=False)[: c.ACTION.most]))
        try:
            reply: Any = (await self._house.send(self._stream, command, seat=self._agent)).body
        except Refused as refused:
            raise NotGiven(str(refused)) from None
        told = [event for event in reply["events"] if event["kind"] == "tool_answered"]
        if told and told[-1]["failed"]:
            raise NotGiven(str(told[-1]["words"]))
        return str(told[-1]["words"]) if told else ""

    async def _stop(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            await program.close()

    # what the program asks for

    async def read(self, path: str, line: int, limit: int | None) -> str:
        """A file of the repository, read as an agent reads it."""
        inside = path
        with suppress(ValueError):
            inside = str(PurePosixPath(path).relative_to(self._folder))
        told = await self._do({"action": "read", "path": inside, "line": line})
        lines = told.partition("\n")[2].split("\n")
        return "\n".join(lines if limit is None else lines[:limit])

    async def permit(self, title: str, kind: str) -> bool:
        """Ask a person, by way of the realm; whatever is not allowed in so many words is not."""
        try:
            await self._do({"action": "request_permission", "title": title[:500], "kind": kind[:40]})
        except NotGiven as no:
            self._say(f"{self._agent} may not: {no}")
            return False
        while True:
            asked = [one for one in (await self._realm()).requests if one.agent == self._agent]
            if not asked or asked[-1].status != "asked":
                return bool(asked) and asked[-1].status == "allowed"
            await self._pause()


__all__ = ["Supervisor"]
