"""Streams: begin one, give it a command, look at it, go through its history, branch it, check it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from typing import TYPE_CHECKING, Annotated, Any

import typer

from greenroom.kernel.errors import CorruptHistory, Malformed, OutOfRange, TryLater, Unknown
from greenroom.kit.cli import text
from greenroom.kit.cli.session import Printed, Session, command, from_json
from greenroom.text.counting import plural

if TYPE_CHECKING:
    from greenroom.journal.records import Stream
    from greenroom.services.house import House, Reply, ShownEvent

Name = Annotated[str, typer.Argument(metavar="STREAM", help="Name of the stream.", show_default=False)]
SeenFrom = Annotated[str, typer.Option("--seat", help="Seat to look from; the operator sees everything.")]
Version = Annotated[int | None, typer.Option("--version", help="Version to show; the newest by default.")]
From = Annotated[int, typer.Option("--from", help="First version.")]
To = Annotated[int | None, typer.Option("--to", help="Last version; the newest by default.")]
World = Annotated[str, typer.Argument(metavar="WORLD", help="Name of the world.", show_default=False)]
Config = Annotated[str, typer.Argument(metavar="JSON", help="Its config; - reads it from standard input.")]
OfWorld = Annotated[str | None, typer.Option("--world", help="Only streams of this world.")]
OfOwner = Annotated[str | None, typer.Option("--owner", help="Only streams of this owner.")]
OfParent = Annotated[str | None, typer.Option("--branches-of", help="Only branches of this stream.")]
After = Annotated[str, typer.Option("--after", help="Go on behind this name.", show_default=False)]
Limit = Annotated[int, typer.Option("--limit", min=1, max=10_000, help="How many at most.")]
NewName = Annotated[str | None, typer.Option("--name", help="Name of the new stream; made up by default.")]
Owner = Annotated[str, typer.Option("--owner", help="Person or named group that owns it.")]
Seed = Annotated[int | None, typer.Option("--seed", min=0, max=2**62 - 1, help="Seed of its dice; random by default.")]
Kind = Annotated[str, typer.Argument(metavar="KIND", help="Kind of command, as the world names it.")]
Body = Annotated[str, typer.Argument(metavar="JSON", help="Its fields; - reads them from standard input.")]
Giver = Annotated[str | None, typer.Option("--seat", help="Who gives it; may be left out if only one seat can act.")]
Key = Annotated[str | None, typer.Option("--key", help="Name of this request: the same again changes nothing.")]
Wait = Annotated[float, typer.Option("--wait", min=0.1, help="Seconds to wait for the turn.")]
At = Annotated[int | None, typer.Option("--at", help="Version to branch at; the newest by default.")]
Awake = Annotated[bool, typer.Option("--awake", help="Its agents and timers play on.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    for name, body in (
        ("streams", streams),
        ("start", start),
        ("send", send),
        ("show", show),
        ("replay", replay),
        ("branch", branch),
        ("verify", verify),
    ):
        command(app, name)(body)


# finding


async def streams(
    session: Session,
    *,
    world: OfWorld = None,
    owner: OfOwner = None,
    parent: OfParent = None,
    after: After = "",
    limit: Limit = 100,
) -> Printed:
    """List streams by name."""
    async with session.house() as house:
        if parent is not None:
            await house.stream(parent)
        found = await house.streams(world=world, owner=owner, parent=parent, after=after, limit=limit)
    more = found[-1].name if len(found) == limit else None
    rows = [facts(stream) for stream in found]
    return Printed({"streams": rows, "after": more}, _listed(rows, more))


def facts(stream: Stream) -> dict[str, Any]:
    """What anybody may know of a stream without looking inside."""
    from greenroom.kernel.codec import parse
    from greenroom.kernel.times import moment

    return {
        "stream": stream.name,
        "world": stream.world,
        "owner": stream.owner,
        "version": stream.version,
        "parent": stream.parent,
        "forked_at": stream.forked_at if stream.parent else None,
        "awake": stream.awake,
        "open": stream.open,
        "pruned_to": stream.mark or None,
        "born_at": moment(stream.born_at),
        "last_at": moment(stream.last_at) if stream.version else None,
        "wake_at": None if stream.wake_at is None else moment(stream.wake_at),
        "outcome": None if stream.outcome is None else parse(stream.outcome),
    }


def _listed(rows: list[dict[str, Any]], more: str | None) -> Any:
    if not rows:
        return "no streams"
    lines = text.table(("stream", "world", "version", "owner", "last step (UTC)", "how it stands"), map(_line, rows))
    if more is not None:
        lines.caption = f"there may be more: --after {more}"
    return lines


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    place = f"branch of {row['parent']} at {row['forked_at']}" if row["parent"] else ""
    ended = "ended" if row["outcome"] is not None else ""
    busy = f"{row['open']} waiting" if row["open"] else ""
    wakes = f"wakes {text.moment(row['wake_at'])}" if row["wake_at"] and row["awake"] else ""
    stands = ", ".join(part for part in (place, ended, busy, wakes) if part)
    return row["stream"], row["world"], str(row["version"]), row["owner"], text.moment(row["last_at"]), stands


# doing


async def start(
    session: Session,
    world: World,
    config: Config = "{}",
    *,
    name: NewName = None,
    owner: Owner = "local",
    seed: Seed = None,
    seat: SeenFrom = "operator",
    wait: Wait = 60.0,
) -> Printed:
    """Begin a stream.

    The same name, config and owner again give the stream that is there.
    """
    from greenroom.services.house import new_name

    data, name = from_json(config), new_name() if name is None else name
    async with session.house(makes=True) as house:
        beginning = house.start(world, data, owner=owner, name=name, seed=seed, seat=seat)
        return _replied(await _within(wait, name, beginning, f"--name {name}"))


async def send(
    session: Session,
    stream: Name,
    kind: Kind,
    body: Body = "{}",
    *,
    seat: Giver = None,
    key: Key = None,
    wait: Wait = 60.0,
) -> Printed:
    """Give a stream a command and print what its giver is told."""
    from secrets import token_hex

    data, key = from_json(body), token_hex(8) if key is None else key
    async with session.house() as house:
        given = await _command(house, stream, kind, data)
        sending = house.send(stream, given, seat=seat or await _only_seat(house, stream), key=key)
        return _replied(await _within(wait, stream, sending, f"--key {key}"))


async def _within(seconds: float, stream: str, turn: Coroutine[Any, Any, Reply], again: str) -> Reply:
    """The reply, if the turn is settled in time.

    Raises:
        TryLater: it is not; says how to get the reply later.
    """
    import asyncio

    try:
        async with asyncio.timeout(seconds):
            return await turn
    except TimeoutError:
        raise TryLater(
            f"stream {stream}: not carried out within {seconds:g} seconds; once a worker has done it, the same command "
            f"with {again} gives the reply"
        ) from None


async def _command(house: House, stream: str, kind: str, data: Any) -> Any:

    row = await house.stream(stream)
    return house.codec(row.world).command_from(kind, data)


async def _only_seat(house: House, stream: str) -> str:
    """The seat that a command can only come from."""

    seats, able = await house.able(stream)
    if len(able) == 1:
        return str(able[0])
    if not able and seats:
        return str(seats[0])  # nobody may act: the rules say why
    raise Malformed(f"say who gives it with --seat: {', '.join(able or seats) or 'this world names no seats'}")


def _replied(reply: Reply) -> Printed:
    data = {
        "stream": reply.stream,
        "attempt": reply.n,
        "version": reply.version,
        "at": reply.at,
        "new": reply.new,
        "reply": reply.body,
    }
    again = "" if reply.new else " (as it was answered before)"
    head = f"stream {reply.stream}, version {reply.version}{again}"
    return Printed(data, "\n".join([head, *text.outline(reply.body, "  ")]))


async def branch(
    session: Session, stream: Name, *, at: At = None, name: NewName = None, awake: Awake = False
) -> Printed:
    """Continue a stream elsewhere from any version.

    Nothing is copied, and the stream itself stays as it is. The branch is a sandbox: it sends nothing and its
    clock stands still.
    """
    async with session.house() as house:
        made = await house.branch(stream, at, name=name, awake=awake)
    how = "it plays on" if awake else "it is asleep until it is given a command"
    said = f"stream {made.name} continues {stream} from version {made.forked_at}; {how}, and sends nothing"
    return Printed(facts(made), said)


# looking


async def show(session: Session, stream: Name, *, version: Version = None, seat: SeenFrom = "operator") -> Printed:
    """Show a stream as one seat sees it, now or at any version."""
    async with session.house() as house:
        row = await house.stream(stream)
        if (absent := house.missing(row.world)) is not None:
            return await _raw(house, row, version, absent)
        look = await house.view(stream, seat=seat, version=version)
    data = {
        "stream": look.stream,
        "world": look.world,
        "version": look.version,
        "newest": look.newest,
        "at": look.at,
        "seat": look.seat,
        "view": look.body,
    }
    head = f"stream {stream} ({look.world}), version {look.version} of {look.newest}, seen by {seat}"
    return Printed(data, "\n".join([head, *text.outline(look.body, "  ")]))


async def _raw(house: House, row: Stream, version: int | None, absent: str) -> Printed:
    """All that can be told without a world: what is stored, words as ids."""
    upto = _range(row.name, min(1, row.version), version, row.version)
    steps = [step async for step in house.raw(row.name, after=0, upto=upto)]
    raw = [
        {"version": step.version, "at": step.at, "attempt": step.n, "events": [list(event) for event in step.events]}
        for step in steps
    ]
    data = {
        "stream": row.name,
        "world": row.world,
        "version": upto,
        "newest": row.version,
        "missing": absent,
        "raw": raw,
    }
    lines = [f"stream {row.name}, version {upto} of {row.version}, as it is stored: {absent}"]
    for step in steps:
        lines += [f"{step.version:>5}  {text.moment(step.at)}"]
        lines += [f"       {kind}: {text.inline(body)}" for kind, body in step.events]
    return Printed(data, "\n".join(lines))


async def replay(
    session: Session, stream: Name, *, first: From = 1, last: To = None, seat: SeenFrom = "operator"
) -> Printed:
    """Go through a stream step by step, as one seat saw it."""
    steps: list[dict[str, Any]] = []
    async with session.house() as house:
        newest = (await house.stream(stream)).version
        upto = _range(stream, first, last, newest)
        async for step in _steps(house, stream, first, upto, seat):
            session.say("\n".join(_told(step)))
            if session.as_json:
                steps.append(step)
    return Printed({"stream": stream, "seat": seat, "from": first, "to": upto, "newest": newest, "steps": steps})


def _range(stream: str, first: int, last: int | None, newest: int) -> int:
    upto = newest if last is None else last
    if not 1 <= first <= max(newest, 1) or upto > newest:
        raise OutOfRange(f"stream {stream} has versions 1 to {newest}; --from {first} --to {upto} is outside")
    if upto < first:
        raise Malformed(f"--from {first} comes after --to {upto}; exchange them")
    return upto


async def _steps(house: House, stream: str, first: int, last: int, seat: str) -> AsyncIterator[dict[str, Any]]:
    """Steps that show this seat something, each with whoever caused it."""
    step: dict[str, Any] = {}
    givers = Givers(house, await house.lineage(stream))
    async for event in house.events(stream, seat=seat, after=first - 1, upto=last):
        if step and step["version"] != event.version:
            yield step
            step = {}
        step = step or await _step(givers, event)
        step["events"].append({"kind": event.kind, "shown": event.body})
    if step:
        yield step


async def _step(givers: Givers, event: ShownEvent) -> dict[str, Any]:
    giver = await givers.of(event.version, event.n)
    return {"version": event.version, "at": event.at, "attempt": event.n, "by": giver, "events": []}


def _told(step: dict[str, Any]) -> list[str]:
    head = f"{step['version']:>5}  {text.moment(step['at'])}  {step['by'] or '?'}"
    return [head, *(f"       {text.event(event['kind'], event['shown'])}" for event in step["events"])]


class Givers:
    """Who gave the commands of a stream and of the past it shares."""

    def __init__(self, house: House, lineage: Any) -> None:
        self._house = house
        self._lineage = lineage
        self._known: dict[tuple[str, int], str | None] = {}

    async def of(self, version: int, n: int) -> str | None:
        owner = next(stream.name for stream in self._lineage if stream.parent is None or version > stream.forked_at)
        if (owner, n) not in self._known:
            self._known[owner, n] = await self._seat(owner, n)
        return self._known[owner, n]

    async def _seat(self, stream: str, n: int) -> str | None:
        try:
            return (await self._house.attempt(stream, n)).seat
        except Unknown:  # pruned, or imported without it
            return None


async def verify(session: Session, stream: Name) -> Printed:
    """Check a stream: sums, folds, and tables against the journal."""
    from greenroom.kit.cli.progress import Bar

    async with session.house() as house:
        with Bar(f"verify {stream}") as bar:
            verdict = await house.verify(stream, progress=bar)
    data = {
        "stream": stream,
        "versions": verdict.versions,
        "problems": list(verdict.problems),
        "missing": verdict.missing,
    }
    if verdict.problems:
        return Printed(data, "\n".join(verdict.problems), CorruptHistory.exit_code)
    if verdict.missing is not None:
        sums = f"the history sums of {plural(verdict.versions, 'version')} are right"
        return Printed(data, f"stream {stream}: {sums}; more cannot be checked: {verdict.missing}")
    return Printed(data, f"stream {stream}: {plural(verdict.versions, 'version')}, all as they were written")
