"""An evening at the bar in a terminal: type to talk, a word with a stroke before it to do something else."""

from __future__ import annotations

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
/quit                close the terminal; the session goes on until it is silent for twenty minutes"""
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

    async def knock(self, guest: str, code: str | None) -> None:
        reply = await visits.enter(self._house, guest, code, key=self._key())
        self.session = reply.body["session_id"]
        self._told(visits.told(self._house, reply))

    async def play(self) -> None:
        """Until the session is over, the guest leaves, or there are no more lines."""
        while self.status not in ("ended", "kicked"):
            line = await self._keyboard.line()
            if line is None or line.strip() == "/quit":
                return
            try:
                await self._do(line.strip())
            except Refused as refusal:
                self._say(str(refusal), style="dim")
                self.status = (await visits.status(self._house, self.session))["session_status"]

    async def _do(self, line: str) -> None:
        if line in ("/help", "help"):
            self._say(HELP, style="dim")
        elif line == "/leave":
            self._told(visits.told(self._house, await visits.leave(self._house, self.session, key=self._key())))
        elif line:
            reply = await visits.say(self._house, self.session, line, None, key=self._key())
            self._told(visits.told(self._house, reply))

    def _told(self, told: dict[str, Any]) -> None:
        self.status = told["session_status"]
        for line in told["messages"]:
            self.lines.append({"agent": line["agent"], "kind": line["kind"], "message": line["message"]})
            self._say(f"\n{_NAMES[line['agent']]}: {line['message']}")
        left = told["message_limit"] - told["message_count"]
        self._say(f"[{left} left]", style="dim")

    def _key(self) -> str:
        from secrets import token_hex

        self._n += 1
        return f"{self._n}-{token_hex(8)}"
