"""A small world for the tests of upkeep: words, dice, a model, a unique column, a log table, letters, a child."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from greenroom.kernel.asks import AskModel, Play, Roll, Section
from greenroom.kernel.errors import Refused
from greenroom.kernel.letters import Cancel, LetterChange, Post
from greenroom.kernel.tables import Change, Column, Drop, Patch, Put, Table, Unique
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import CommandContext, Done, EventContext, Retention, Turn, World, done


@dataclass(frozen=True, slots=True)
class Tale:
    luck: int = 0
    lines: int = 0
    last: str = ""
    guests: int = 0
    ended: bool = False
    wake_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Config:
    title: str = ""


@dataclass(frozen=True, slots=True)
class Say:
    text: Words
    ask: bool = False


@dataclass(frozen=True, slots=True)
class Register:
    email: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Invite:
    key: str
    to: str
    text: Words
    days: int = 1


@dataclass(frozen=True, slots=True)
class PlayChild:
    title: str = ""


@dataclass(frozen=True, slots=True)
class Finish:
    pass


@dataclass(frozen=True, slots=True)
class Opened:
    title: str
    luck: int


@dataclass(frozen=True, slots=True)
class Said:
    who: str
    words: Words
    roll: int


@dataclass(frozen=True, slots=True)
class Registered:
    email: str
    note: str


@dataclass(frozen=True, slots=True)
class Invited:
    key: str
    to: str
    words: Words
    due_at: datetime


@dataclass(frozen=True, slots=True)
class Finished:
    pass


Event = Opened | Said | Registered | Invited | Finished
TheTurn = Turn[Event]


def open_(given: CommandContext[Config]) -> TheTurn:
    (luck,) = yield Roll((6,))
    return done(Opened(given.command.title, luck))


def handle(state: Tale, given: CommandContext[Any]) -> TheTurn:
    match given.command:
        case Say():
            return (yield from _say(given, given.command))
        case Register(email, note):
            if not email:
                raise Refused("an e-mail address is needed")
            return done(Registered(email, note))
        case Invite(key, to, text, days):
            heard = given.hear(text, agent="host")
            return done(Invited(key, to, text, given.at + timedelta(days=days)), memories=(heard,))
        case PlayChild(title):
            yield Play(world="tale", config={"title": title})
            return done(Registered("", "the child ended"))
        case Finish():
            return done(Finished())
        case _:
            return done()


def _say(given: CommandContext[Any], command: Say) -> TheTurn:
    if command.text.text and "shout" in command.text.text:
        raise Refused("no shouting")
    (roll,) = yield Roll((20,))
    heard = given.hear(command.text, agent="host")
    if not command.ask:
        return done(Said("guest", command.text, roll), memories=(heard,))
    section = Section(name="line", texts=(command.text.text or "",))
    line = yield AskModel(role="host", sections=(section,), max_tokens=50)
    answer = given.memory(0, agent="host", text=str(line), speaker="host", step=1, meta={"roll": roll})
    steps = ((Said("guest", command.text, roll),), (Said("host", answer.words, 0),))
    return Done(steps=steps, memories=(heard, answer))


def evolve(state: Tale, told: EventContext[Event]) -> Tale:
    match told.event:
        case Opened(_, luck):
            return replace(state, luck=luck)
        case Said(_, words, roll):
            return replace(state, lines=state.lines + 1, last=words.id, luck=state.luck + roll)
        case Registered():
            return replace(state, guests=state.guests + 1)
        case Finished():
            return replace(state, ended=True)
        case Invited():
            return state


def rows(state: Tale, told: EventContext[Event]) -> Iterator[Change]:
    match told.event:
        case Registered(email, note):
            values = {
                "id": 1,
                "email": email or None,
                "note": note,
                "visits": 1,
                "seen_at": told.at,
                "facts": {"a": [1]},
            }
            yield Put("tale_guests", values)
            yield Drop("tale_guests", {"id": 2})
        case Said(who, words, _):
            place = {"n": told.version, "i": told.ordinal}
            yield Put("tale_lines", {**place, "who": who, "words": words})
            yield Patch("tale_guests", {"id": 1}, {"visits": state.lines, "seen_at": told.at})
        case _:
            return


def letters(_: Tale, told: EventContext[Event]) -> Iterator[LetterChange]:
    match told.event:
        case Invited(key, to, words, due_at):
            yield Post(key=key, due_at=due_at, channel="inbox", to=to, words=words.id, subject="an invitation")
        case Finished():
            yield Cancel(key="last")
        case _:
            return


GUESTS = Table(
    name="tale_guests",
    key=("id",),
    columns=(
        Column(name="id", kind="integer"),
        Column(name="email", optional=True),
        Column(name="note"),
        Column(name="visits", kind="integer"),
        Column(name="seen_at", kind="moment"),
        Column(name="facts", kind="json"),
    ),
    unique=(Unique(columns=("email",), refusal="this e-mail is already registered"),),
)
LINES = Table(
    name="tale_lines",
    key=("n", "i"),
    columns=(
        Column(name="n", kind="integer"),
        Column(name="i", kind="integer"),
        Column(name="who"),
        Column(name="words", kind="words"),
    ),
    log=True,
)


def view(state: Tale, seat: str, at: datetime) -> Any:
    return {"luck": state.luck, "lines": state.lines, "last": Words(id=state.last), "guests": state.guests}


def reply(state: Tale, events: Sequence[EventContext[Event]], seat: str) -> Any:
    return {"lines": state.lines, "events": [told.event for told in events]}


def tale(*, retention: Retention | None = None, shape: int = 1) -> World[Tale, Any, Event]:
    return World(
        name="tale",
        shape=shape,
        state=Tale,
        config=Config,
        commands={
            "say": Say,
            "register": Register,
            "invite": Invite,
            "play-child": PlayChild,
            "finish": Finish,
        },
        events={
            "opened": Opened,
            "said": Said,
            "registered": Registered,
            "invited": Invited,
            "finished": Finished,
        },
        blank=Tale(),
        open=open_,
        handle=handle,
        evolve=evolve,
        legal=lambda state, seat: (),
        seats=lambda state: ("guest",),
        view=view,
        shows=lambda state, told, seat: told.event,
        reply=reply,
        outcome=lambda state: {"luck": state.luck} if state.ended else None,
        tables=(GUESTS, LINES),
        rows=rows,
        letters=letters,
        retention=retention or Retention(),
    )
