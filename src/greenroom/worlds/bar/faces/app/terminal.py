"""An evening at the bar in a terminal: type to talk, a word with a stroke before it to do something else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import UUID

from greenroom.kernel.errors import Refused
from greenroom.worlds.bar.faces.app import visits

if TYPE_CHECKING:
    from greenroom.kit.cli.keyboard import Keyboard
    from greenroom.services.house import House

HELP = """\
just type            talk; begin with a name to talk to somebody: "JB, is this a sentence?"
mute JB, unmute JB   Bernie, JB and Bukowski can be muted
/leave               end the session properly
/not so              take back an alarm: Hermes heard it wrong
/quit                close the terminal; the session goes on until it is silent for twenty minutes"""
#: Seconds between two looks at what was said meanwhile, and the lines that nobody asked for.
LOOK_EVERY = 2.0
BY_THE_CLOCK = ("warning", "kick", "closing")
_NAMES = {
    "bart": "Bart",
    "blanca": "Blanca",
    "hermes": "Hermes",
    "bernie": "Bernie",
    "jb": "JB",
    "bukowski": "Bukowski",
}


def local_guest(house: House) -> str:
    """The guest of this terminal: always the same in one house, so that Bart remembers."""
    return str(UUID(bytes=house.digest("the guest at the terminal"), version=4))


class Chat:
    """One sitting."""

    def __init__(self, house: House, keyboard: Keyboard, say: Callable[..., None]) -> None:
        self._house, self._keyboard, self._say = house, keyboard, say
        self.session = ""
        self.status = "active"
        self.lines: list[dict[str, Any]] = []
        self._n = 0
        self._shown: set[str] = set()

    async def knock(self, guest: str, code: str | None) -> None:
        reply = await visits.enter(self._house, guest, code, key=self._key())
        self.session = reply.body["session_id"]
        self._told(visits.told(self._house, reply))

    async def play(self) -> None:
        """Until the session is over, the guest leaves, or there are no more lines."""
        while self.status not in ("ended", "kicked"):
            line = await self._line()
            if line is None or line.strip() == "/quit":
                return
            try:
                await self._do(line.strip())
            except Refused as refusal:
                self._say(str(refusal), style="dim")
                self.status = (await visits.status(self._house, self.session))["session_status"]

    async def _line(self) -> str | None:
        """The next line that is typed; what the house says meanwhile is shown, and its end is the end."""
        typing = asyncio.ensure_future(self._keyboard.line())
        while not typing.done():
            await asyncio.wait({typing}, timeout=LOOK_EVERY)
            await self._catch_up()
        return typing.result()

    async def _catch_up(self) -> None:
        """Show what the clock had somebody say: the question, and the door."""
        for line in await visits.messages(self._house, self.session):
            if line["kind"] in BY_THE_CLOCK and line["id"] not in self._shown:
                self._shown.add(line["id"])
                self.lines.append({"agent": line["agent"], "kind": line["kind"], "message": line["content"]})
                self._say(f"\n{_NAMES[line['agent']]}: {line['content']}")
        self.status = (await visits.status(self._house, self.session))["session_status"]

    async def _do(self, line: str) -> None:
        if line in ("/help", "help"):
            self._say(HELP, style="dim")
        elif line == "/leave":
            self._told(visits.told(self._house, await visits.leave(self._house, self.session, key=self._key())))
        elif line == "/not so":
            self._told(visits.told(self._house, await visits.take_back(self._house, self.session, key=self._key())))
        elif line:
            reply = await visits.say(self._house, self.session, line, None, key=self._key())
            self._told(visits.told(self._house, reply))

    def _told(self, told: dict[str, Any]) -> None:
        self.status = told["session_status"]
        for line in told["messages"]:
            self._shown.add(line["id"])
            self.lines.append({"agent": line["agent"], "kind": line["kind"], "message": line["message"]})
            self._say(f"\n{_NAMES[line['agent']]}: {line['message']}")
        left = told["message_limit"] - told["message_count"]
        self._say(f"[{left} left]", style="dim")

    def _key(self) -> str:
        from secrets import token_hex

        self._n += 1
        return f"{self._n}-{token_hex(8)}"
