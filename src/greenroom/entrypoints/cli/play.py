"""``greenroom play``: a worker in this process, and any world in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from greenroom.entrypoints.cli.worlds import named, terminal_of
from greenroom.kernel.errors import Malformed, Unknown, UsageError
from greenroom.kernel.worlds import OPERATOR, Pattern, Range, Text
from greenroom.kit.cli import text
from greenroom.kit.cli.session import Printed, Session, command

if TYPE_CHECKING:
    from greenroom.kit.cli.keyboard import Keyboard
    from greenroom.services.house import House, ShownEvent

World = Annotated[
    str | None, typer.Argument(metavar="WORLD", help="A world that is installed; the first of all by default.")
]
New = Annotated[bool, typer.Option("--new", help="Begin a new stream and leave the old one as it is.")]
Seat = Annotated[str | None, typer.Option("--seat", help="Your seat, where the world has no terminal of its own.")]


def add_to(app: typer.Typer) -> None:
    command(app, "play")(play)


async def play(session: Session, world: World = None, *, new: New = False, seat: Seat = None) -> Printed:
    """Play a world in this terminal.

    The worker runs in the same process. Starting again goes on with the same stream. 'greenroom worlds' lists what can
    be played.
    """
    brought = named(world)
    own = None if brought is None or seat is not None else terminal_of(brought)
    if own is not None:
        return await own(session, new)
    return await _plainly(session, world if brought is None else brought.name, new=new, seat=seat)


async def _plainly(session: Session, name: str | None, *, new: bool, seat: str | None) -> Printed:
    from greenroom.kit.cli.keyboard import Keyboard
    from greenroom.kit.numbered import go_on_or_begin

    async with session.house(makes=True, works=True) as house:
        worlds = house.installed.worlds.get(name or "", ())
        world = worlds[0].name if worlds else name
        if world is None:
            raise Unknown("there is nothing to play: no world is installed here")
        house.codec(world)  # says what is missing before anything is begun
        stream = await go_on_or_begin(house, world, seat=OPERATOR, new=new)
        seats, able = await house.able(stream)
        if seat is not None and seat not in seats:
            raise Malformed(f"there is no seat {seat!r}; stream {stream} has {', '.join(seats)}")
        sitting = Sitting(session, house, stream, seat or next(iter((*able, *seats)), OPERATOR), Keyboard())
        await sitting.play()
        data = {
            "stream": stream,
            "seat": sitting.seat,
            "version": sitting.version,
            "ended": sitting.ended,
            "events": sitting.events,
        }
    return Printed(data)


class Sitting:
    """One sitting at the terminal, in any world: its view, what happens, and whatever is legal."""

    def __init__(self, session: Session, house: House, stream: str, seat: str, keyboard: Keyboard) -> None:
        self._session = session
        self._house = house
        self._stream = stream
        self._keyboard = keyboard
        self._world = ""
        self.seat = seat
        self.version = 0
        self.ended = False
        self.events: list[dict[str, Any]] = []

    async def play(self) -> None:
        row = await self._house.stream(self._stream)
        self.version, self._world = row.version, row.world
        self._session.say(
            f"{row.world.replace('_', ' ').upper()}   (stream {row.name}, seat {self.seat})", style="bold"
        )
        await self._look()
        while not self.ended and (line := await self._line()) is not None and line != "quit":
            await self._obey(line)
        if self.ended:
            self._session.say(f"It is over; 'greenroom play {row.world}' begins another.")
        else:
            self._session.say(f"It goes on without you; 'greenroom play {row.world}' comes back to it.")

    async def _line(self) -> str | None:
        if self._keyboard.is_terminal and not self._session.as_json:
            print("> ", end="", flush=True)
        line = await self._keyboard.line()
        if line is not None and not self._keyboard.is_terminal:
            self._session.say(f"> {line.strip()}")
        return None if line is None else line.strip()

    async def _obey(self, line: str) -> None:
        if line in ("", "look", "help", "?"):
            if line:
                await self._look()
            return
        kind, _, rest = line.partition(" ")
        try:
            codec = self._house.codec(self._world)
            given = codec.command_from(kind, fields(await self._choices(kind), kind, rest.strip()))
            await self._house.send(self._stream, given, seat=self.seat)
        except UsageError as refusal:
            self._session.say(f"({refusal})", style="dim")
        await self._tell()

    async def _look(self) -> None:
        look = await self._house.view(self._stream, seat=self.seat)
        self._session.say("\n".join(text.outline(look.body)))
        kinds = dict.fromkeys(_usage(kind, choice) for kind, choice in await self._legal())
        self._session.say(f"You may: {', '.join((*kinds, 'look', 'quit'))}")

    async def _legal(self) -> Sequence[tuple[str, Any]]:
        codec = self._house.codec(self._world)
        legal = await self._house.legal(self._stream, self.seat)
        return [(codec.kind(choice.example if isinstance(choice, Pattern) else choice), choice) for choice in legal]

    async def _choices(self, kind: str) -> Sequence[Any]:
        return [choice for name, choice in await self._legal() if name == kind]

    async def _tell(self) -> None:
        row = await self._house.stream(self._stream)
        async for event in self._house.events(self._stream, seat=self.seat, after=self.version, upto=row.version):
            self.events.append({"version": event.version, "kind": event.kind, "shown": event.body})
            self._session.say(_told(event))
        self.version, self.ended = row.version, row.outcome is not None


def _told(event: ShownEvent) -> str:
    told = text.event(event.kind, event.body)
    return told.replace(event.kind, event.kind.replace("_", " "), 1)


def _usage(kind: str, choice: Any) -> str:
    """How a command is typed: its kind, and what is free in it."""
    if isinstance(choice, Pattern):
        return " ".join((kind, *(f"<{name}>" for name in choice.free)))
    fixed = text.inline(_plain(choice))
    return f"{kind} {fixed.replace(': ', '=')}".strip()


def fields(choices: Sequence[Any], kind: str, rest: str) -> Mapping[str, Any]:
    """The fields of a command from what was typed behind its kind.

    That is JSON; or what is free in it, in order, the last to the end of the line; or, where nothing is free,
    ``name=value`` for as many fields as tell it from the others.

    Raises:
        Malformed: several commands are meant by it, or something is missing.
    """
    from greenroom.kernel.codec import parse

    if rest.startswith("{"):
        given: Any = parse(rest)
        return dict(given)
    free = [choice for choice in choices if isinstance(choice, Pattern)]
    if len(free) > 1:
        raise Malformed(f"several things are meant by {kind}; write its fields as JSON: {kind} {{...}}")
    return _filled(free[0], kind, rest) if free else _chosen(choices, kind, rest)


def _filled(pattern: Pattern[Any], kind: str, rest: str) -> Mapping[str, Any]:
    parts = rest.split(maxsplit=len(pattern.free) - 1) if len(pattern.free) > 1 else [rest]
    if len(parts) < len(pattern.free):
        raise Malformed(f"something is missing: {_usage(kind, pattern)}")
    given = zip(pattern.free.items(), parts, strict=True)
    return {**_plain(pattern.example), **{name: _read(part, limit) for (name, limit), part in given}}


def _read(part: str, limit: Text | Range) -> Any:
    """A number where one is wanted; the world's codec says what is wrong with anything else."""
    is_number = isinstance(limit, Range) and part.isascii() and part.removeprefix("-").isdigit()
    return int(part) if is_number else part


def _chosen(choices: Sequence[Any], kind: str, rest: str) -> Mapping[str, Any]:
    given = dict(pair.split("=", 1) for pair in rest.replace(",", " ").split() if "=" in pair)
    fitting = [_plain(choice) for choice in choices]
    fitting = [plain for plain in fitting if all(str(plain.get(name)) == value for name, value in given.items())]
    if len(fitting) > 1:
        told = "; ".join(text.inline(plain).replace(": ", "=") for plain in fitting[:8])
        raise Malformed(f"say which {kind}: {told}")
    return fitting[0] if fitting else given


def _plain(command: Any) -> dict[str, Any]:
    from greenroom.kernel.codec import plain_fields

    return plain_fields(command)
