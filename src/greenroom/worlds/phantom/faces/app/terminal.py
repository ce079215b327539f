"""A sitting at the terminal: the player's post, and the commands a player has."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import greenroom
from greenroom.journal.records import Stream
from greenroom.kernel.errors import UsageError
from greenroom.kernel.times import moment
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.phantom.rules import Content
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules.state import PLAYER

HINT = "write <channel> <text>, use <key>, read <document>, wait <hours>, post, stop, help, quit"
HELP = """\
write email Who is this?     answer by mail; write sms ... by text message, write email:cipher ... to another address
use 1A2B-3C4D-5E6F-7A8B      try a key on the door
read ledger                  read a paper behind the door
wait 6                       let six hours pass; wait alone, until the next letter
post                         what has come so far
stop                         no more letters
quit                         leave; the story stays in this terminal's house and is taken up again"""


#: How far one waits for the next letter, and in which steps.
MOST_WAIT, STEP = timedelta(days=3), timedelta(minutes=15)


class Sitting:
    """One player's story in a terminal, on a clock that moves when the player lets time pass."""

    def __init__(self, house: House, stream: str, content: Content, say: Callable[..., None]) -> None:
        self._house = house
        self._stream = stream
        self._content = content
        self._say = say
        self._seen: set[str] = set()

    async def begin(self) -> None:
        """Start the story, or take it up again."""
        body = (await self._house.view(self._stream, seat=PLAYER)).body
        if body["started_at"] is None:
            await self._house.send(self._stream, c.Start(), seat=PLAYER)
            await self._wait(0)
        await self.news()
        self._say(f"You may: {HINT}")

    async def obey(self, line: str) -> bool:
        """Do what was typed; False when the player leaves."""
        verb, _, rest = line.strip().partition(" ")
        if verb == "quit":
            return False
        try:
            await self._act(verb, rest.strip())
        except UsageError as refusal:
            self._say(f"({refusal})", style="dim")
        return True

    async def _act(self, verb: str, rest: str) -> None:
        match verb:
            case "":
                return
            case "help" | "?":
                self._say(HELP)
            case "post":
                self._seen.clear()
                await self.news()
            case "wait":
                await (self._wait(float(rest)) if rest.replace(".", "", 1).isdigit() else self._next())
                await self.news()
            case _:
                await self._command(verb, rest)

    async def _command(self, verb: str, rest: str) -> None:
        match verb:
            case "write":
                channel, _, text = rest.partition(" ")
                await self._send(c.Receive(channel=channel, text=Words(text)))
                self._say(f"(sent{await self._under_way(channel)})", style="dim")
            case "use":
                await self._use(rest)
            case "read":
                await self._send(c.ReadDocument(document=rest))
                document = self._content.documents.documents[rest]
                self._say(f"\n{document.title}\n{document.heading}\n\n{document.body}\n")
            case "stop":
                await self._send(c.OptOut())
                self._say(self._content.story.letters.stopped.text)
            case _:
                self._say(f"You may: {HINT}")

    async def _use(self, key: str) -> None:
        body = await self._send(c.UseKey(key=key, user_agent="terminal"))
        if not body["granted"]:
            self._say(body["said"])
            return
        papers = ", ".join(self._content.documents.documents)
        self._say(f"{self._content.documents.welcome}\n\nPapers: {papers}. Turns left: {body['left']}.")

    async def _send(self, command: Any) -> Mapping[str, Any]:
        reply = await self._house.send(self._stream, command, seat=PLAYER)
        return reply.body  # type: ignore[no-any-return]

    async def _wait(self, hours: float) -> None:
        await self._house.advance(self._now() + timedelta(hours=min(hours, 24 * 30)))

    async def _under_way(self, channel: str) -> str:
        body: Any = (await self._house.view(self._stream, seat=PLAYER)).body
        at = body["expected"].get(channel)
        return f"; an answer is under way, and should be here by {_stamp(at)}" if at else ""

    async def _next(self) -> None:
        """Let time pass until something has come; three days at most."""
        until = self._now() + MOST_WAIT
        before = await self._unread()
        while await self._unread() == before and self._now() < until:
            await self._house.advance(self._now() + STEP)

    async def _unread(self) -> int:
        body: Any = (await self._house.view(self._stream, seat=PLAYER)).body
        return sum(mail["unread"] for thread in body["threads"] for mail in thread["messages"])

    def _now(self) -> datetime:
        return moment(self._house.now())

    # post

    async def news(self) -> None:
        """Print what has come since it was last looked at, and mark it as read."""
        body = (await self._house.view(self._stream, seat=PLAYER)).body
        mails = [(mail, thread) for thread in body["threads"] for mail in thread["messages"]]
        for mail, thread in sorted(mails, key=lambda pair: pair[0]["at"]):
            if mail["ref"] not in self._seen:
                self._seen.add(mail["ref"])
                self._print(mail, thread)
            if mail["unread"]:
                await self._send(c.ShowLetter(letter=mail["ref"]))
        self._say(f"[{self._now():%A %H:%M} UTC]", style="dim")

        for channel, at in body["expected"].items():
            self._say(f"(an answer on {channel} is under way, and should be here by {_stamp(at)})", style="dim")

    def _print(self, mail: Mapping[str, Any], thread: Mapping[str, Any]) -> None:
        by = "you" if mail["by"] == "player" else mail["by"]
        self._say(f"\n{thread['channel']}  {mail['at'][:16].replace('T', ' ')}  {by}:", style="bold")
        self._say(mail["words"])


def _stamp(at: datetime | str) -> str:
    return f"{at if isinstance(at, datetime) else datetime.fromisoformat(at):%A %H:%M} UTC"


# the house of this terminal


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
