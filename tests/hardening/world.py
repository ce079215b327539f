"""A den: a world that stumbles where a test tells it to, and otherwise adds, listens and asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from greenroom.kernel.asks import AskModel, Section, UseTool
from greenroom.kernel.errors import Refused
from greenroom.kernel.tables import Change, Column, Put, Table
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import CommandContext, EventContext, Seat, Turn, World, done

#: Called at each place where the den may stumble, with the name of the place.
Fault = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    #: Wants to be woken at once, and then does nothing.
    restless: bool = False


@dataclass(frozen=True, slots=True)
class Add:
    by: int


@dataclass(frozen=True, slots=True)
class Say:
    text: Words


@dataclass(frozen=True, slots=True)
class Ask:
    text: Words


@dataclass(frozen=True, slots=True)
class Use:
    tool: str


@dataclass(frozen=True, slots=True)
class Trip:
    text: Words | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    restless: bool


@dataclass(frozen=True, slots=True)
class Added:
    by: int


@dataclass(frozen=True, slots=True)
class Said:
    words: Words


@dataclass(frozen=True, slots=True)
class Den:
    total: int = 0
    lines: int = 0
    last: Words | None = None
    recent: tuple[int, ...] = ()
    wake_at: datetime | None = None


def open_den(given: CommandContext[Config]) -> Turn[Any]:
    yield from ()
    return done(Opened(given.command.restless))


def handler(fault: Fault) -> Callable[[Den, CommandContext[Any]], Turn[Any]]:
    def handle(state: Den, given: CommandContext[Any]) -> Turn[Any]:
        if isinstance(given.command, Trip):
            fault("handle")
        return (yield from _handle(given))

    return handle


def _handle(given: CommandContext[Any]) -> Turn[Any]:
    match given.command:
        case Add(0):
            raise Refused("nothing is added")
        case Add(by):
            return done(Added(by))
        case Say(text) | Trip(Words() as text):
            return done(Said(text), memories=(given.hear(text, agent="host"),))
        case Ask(text):
            return (yield from _ask(given, text))
        case Use(tool):
            yield UseTool(name=tool, args={})
            return done(Added(1))
        case Trip():
            return done(Added(1))
        case _:  # a wake
            return done()


def _ask(given: CommandContext[Any], text: Words) -> Turn[Any]:
    line = yield AskModel(role="host", sections=(Section(name="line", texts=(text.text or "",)),), max_tokens=50)
    answer = given.memory(0, agent="host", text=str(line), speaker="host")
    return done(Said(text), Said(answer.words), memories=(given.hear(text, agent="host"), answer))


def folder(fault: Fault) -> Callable[[Den, EventContext[Any]], Den]:
    def evolve(state: Den, told: EventContext[Any]) -> Den:
        fault("evolve")
        match told.event:
            case Opened(restless):
                return replace(state, wake_at=told.at if restless else None)
            case Added(by):
                return replace(state, total=state.total + by, recent=(*state.recent[-19:], by))
            case Said(words):
                return replace(state, lines=state.lines + 1, last=Words(id=words.id))
            case _:
                return state

    return evolve


def rows(state: Den, told: EventContext[Any]) -> Iterable[Change]:
    match told.event:
        case Added(by):
            yield Put("den_sums", {"n": told.version, "added": by, "total": state.total})
        case Said(words):
            yield Put("den_lines", {"n": told.version, "i": told.ordinal, "words": words})
        case _:
            return


SUMS = Table(
    name="den_sums",
    columns=(
        Column(name="n", kind="integer"),
        Column(name="added", kind="integer"),
        Column(name="total", kind="integer"),
    ),
    key=("n",),
)
LINES = Table(
    name="den_lines",
    columns=(
        Column(name="n", kind="integer"),
        Column(name="i", kind="integer"),
        Column(name="words", kind="words"),
    ),
    key=("n", "i"),
)


def _view(state: Den, seat: Seat, now: datetime) -> Any:
    return {"total": state.total, "lines": state.lines, "last": state.last, "recent": state.recent}


def _reply(state: Den, events: Sequence[EventContext[Any]], seat: Seat) -> Any:
    return {"total": state.total, "said": [t.event.words for t in events if isinstance(t.event, Said)]}


def _steady(_: str) -> None:
    return


def den(fault: Fault = _steady, **changed: Any) -> World[Den, Any, Any]:
    parts: dict[str, Any] = {
        "name": "den",
        "shape": 1,
        "state": Den,
        "config": Config,
        "commands": {"add": Add, "say": Say, "ask": Ask, "use": Use, "trip": Trip},
        "events": {"opened": Opened, "added": Added, "said": Said},
        "blank": Den(),
        "open": open_den,
        "handle": handler(fault),
        "evolve": folder(fault),
        "legal": lambda state, seat: (),
        "seats": lambda state: ("guest",),
        "view": _view,
        "shows": lambda state, told, seat: told.event,
        "reply": _reply,
        "wake_at": lambda state: state.wake_at,
        "tables": (SUMS, LINES),
        "rows": rows,
    }
    return World(**(parts | changed))
