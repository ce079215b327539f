"""A plug-in that brings rules and nothing else: a ferry, its crew, and whoever goes aboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import CommandContext, Done, EventContext, Pattern, Range, Seat, Text, Turn, World, done
from greenroom.plugins import WorldPlugin

SEATS = 12
NAMES = Text(1, 40)
CREW: Seat = "crew"


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Hail:
    text: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    people: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Steer:
    shore: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moor:
    pass


Command: TypeAlias = Hail | Board | Steer | Moor


@dataclass(frozen=True, slots=True, kw_only=True)
class Hailed:
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Boarded:
    people: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Steered:
    shore: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moored:
    pass


Event: TypeAlias = Hailed | Boarded | Steered | Moored


@dataclass(frozen=True, slots=True, kw_only=True)
class Ferry:
    aboard: int = 0
    shore: str = "east"
    heard: Words | None = None
    moored: bool = False


def begin(given: CommandContext[Crossing]) -> Turn[Event]:
    yield from ()
    return done(Steered(shore="east"))


def handle(state: Ferry, given: CommandContext[Any]) -> Turn[Event]:
    yield from ()
    if state.moored or given.seat != CREW:
        raise Refused("only the crew of a ferry that is not moored gives commands")
    return _decided(state, given.command)


def _decided(state: Ferry, command: Command) -> Done[Event]:
    match command:
        case Hail(text=text):
            return done(Hailed(words=text))
        case Board(people=people, name=name):
            if not 1 <= people <= SEATS - state.aboard:
                raise Refused(f"there is room for {SEATS - state.aboard}")
            return done(Boarded(people=people, name=name))
        case Steer(shore=shore):
            return done(Steered(shore=shore))
        case Moor():
            return done(Moored())


def evolve(state: Ferry, told: EventContext[Event]) -> Ferry:
    match told.event:
        case Hailed(words=words):
            return replace(state, heard=words)
        case Boarded(people=people):
            return replace(state, aboard=state.aboard + people)
        case Steered(shore=shore):
            return replace(state, shore=shore)
        case Moored():
            return replace(state, moored=True)


def legal(state: Ferry, seat: Seat) -> Sequence[Command | Pattern[Command]]:
    if seat != CREW or state.moored:
        return ()
    room = SEATS - state.aboard
    boarding = (Pattern(Board(people=1, name="Ada"), {"people": Range(1, room), "name": NAMES}),) if room else ()
    return (
        Pattern(Hail(text=Words("Ahoy.")), {"text": NAMES}),
        *boarding,
        Steer(shore="east"),
        Steer(shore="west"),
        Moor(),
    )


def view(state: Ferry, seat: Seat, now: datetime) -> Mapping[str, Any]:
    return {"aboard": state.aboard, "shore": state.shore, "heard": state.heard, "moored": state.moored}


def shows(state: Ferry, told: EventContext[Event], seat: Seat) -> Mapping[str, Any]:
    match told.event:
        case Hailed(words=words):
            return {"said": words}
        case Boarded(people=people, name=name):
            return {"people": people, "name": name}
        case Steered(shore=shore):
            return {"shore": shore}
        case Moored():
            return {}


def reply(state: Ferry, events: Sequence[EventContext[Event]], seat: Seat) -> Mapping[str, Any]:
    return {name: value for told in events for name, value in shows(state, told, seat).items()}


FERRY: World[Ferry, Command, Event] = World(
    name="ferry",
    shape=1,
    state=Ferry,
    config=Crossing,
    commands={"hail": Hail, "board": Board, "steer": Steer, "moor": Moor},
    events={"hailed": Hailed, "boarded": Boarded, "steered": Steered, "moored": Moored},
    blank=Ferry(),
    open=begin,
    handle=handle,
    evolve=evolve,
    legal=legal,
    seats=lambda state: (CREW,),
    view=view,
    shows=shows,
    reply=reply,
    outcome=lambda state: {"aboard": state.aboard} if state.moored else None,
)

PLUGIN = WorldPlugin(name="ferry", worlds=lambda settings: (FERRY,))
