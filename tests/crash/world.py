"""Two small worlds that use everything a crash could break: asks in a row and at once, recall, dice, timers,
letters, tables, refusals, and children that are played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from greenroom.kernel.asks import AskModel, Failed, Play, Recall, Roll, Section
from greenroom.kernel.errors import Refused
from greenroom.kernel.letters import LetterChange, Post
from greenroom.kernel.tables import Change, Column, Put, Table
from greenroom.kernel.words import Scope, Words
from greenroom.kernel.worlds import CommandContext, Done, EventContext, Seat, Turn, Wake, World, done

IDLE = timedelta(minutes=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    name: str = "inn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    text: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Ponder:
    text: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Dice:
    sides: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear:
    """Let the children of an attempt go."""

    attempt: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    luck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    by: str
    words: Words
    mood: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inn:
    lines: int = 0
    rolled: tuple[int, ...] = ()
    warned: int = 0
    last_at: datetime | None = None
    scores: tuple[int, ...] = ()


def ask(role: str, text: str) -> AskModel:
    return AskModel(role=role, sections=(Section(name="all", texts=(text,)),), max_tokens=20)


def open_inn(given: CommandContext[Config]) -> Turn[Any]:
    (luck,) = yield Roll((100,))
    return done(Opened(luck=luck))


def handle(state: Inn, given: CommandContext[Any]) -> Turn[Any]:
    match given.command:
        case Wake():
            line = yield ask("fast", f"warn {state.warned}")
            words = given.memory(0, agent="host", text=str(line), speaker="host")
            return done(Warned(), Said(by="host", words=words.words, mood=0), memories=(words,))
        case Say(text=text):
            return (yield from talk(state, given, text))
        case Ponder(text=text):
            return (yield from ponder(state, given, text))
        case Dice(sides=sides):
            if sides < 2:
                raise Refused("a die has at least two sides")
            (value,) = yield Roll((sides,))
            return done(Rolled(value=value))
        case Tournament(games=games):
            scores = yield tuple(Play(world="duel", config={"rounds": 2 + i}) for i in range(games))
            return done(Won(scores=tuple(score["score"] for score in scores)))
        case Clear(attempt=attempt, games=games):
            names = [f"{given.stream}.{attempt}.{i}" for i in range(games)]
            return done(Rolled(value=games), releases=names)
        case _:
            raise Refused("the inn knows no such command")


#: Numbers of what is asked of models when somebody talks: one, and after its answer two at once.
FIRST, THEN = 0, (1, 2)


def talk(state: Inn, given: CommandContext[Any], text: Words) -> Turn[Any]:
    route = yield ask("fast", f"route {text.text}")
    if isinstance(route, Failed):
        raise Refused("nobody is here")
    mood, line = yield (ask("fast", f"mood {text.text}"), ask("quality", f"line {route} {text.text}"))
    (extra,) = yield Roll((6,))
    return answered(given, text, f"{line} {extra}", mood=len(str(mood)))


def ponder(state: Inn, given: CommandContext[Any], text: Words) -> Turn[Any]:
    """Recalls before a model is asked, beside one and after one."""
    scope = Scope(world="inn", owner=given.owner, agent="host")
    known = yield Recall(query=text.text or "", scope=scope)
    route = yield ask("fast", f"route {text.text} {' '.join(memory.id for memory in known)}")
    more, mood = yield Recall(query=f"{text.text} again", scope=scope), ask("fast", f"mood {text.text}")
    last = yield Recall(query=str(route), scope=scope)
    line = yield ask("quality", f"line {len(known)} {len(more)} {len(last)} {text.text}")
    return answered(given, text, str(line), mood=len(str(mood)))


def answered(given: CommandContext[Any], text: Words, line: str, *, mood: int) -> Done[Any]:
    words = given.memory(0, agent="host", text=line, speaker="host")
    heard = given.hear(text, agent="host")
    spoken = Said(by=given.seat, words=text, mood=0)
    return done(spoken, Said(by="host", words=words.words, mood=mood), memories=(heard, words))


def evolve(state: Inn, told: EventContext[Any]) -> Inn:
    match told.event:
        case Opened():
            return replace(state, last_at=told.at)
        case Said():
            return replace(state, lines=state.lines + 1, last_at=told.at)
        case Rolled(value=value):
            return replace(state, rolled=(*state.rolled[-9:], value), last_at=told.at)
        case Warned():
            return replace(state, warned=state.warned + 1, last_at=told.at)
        case Won(scores=scores):
            return replace(state, scores=scores, last_at=told.at)
        case _:
            return state


def wake_at(state: Inn) -> datetime | None:
    return state.last_at + IDLE if state.last_at is not None and state.warned < 2 else None


def rows(state: Inn, told: EventContext[Any]) -> Iterable[Change]:
    yield Put("inn_now", {"lines": state.lines, "warned": state.warned, "at": told.at})
    if isinstance(told.event, Said):
        place = {"version": told.version, "ordinal": told.ordinal}
        yield Put("inn_log", {"id": told.row_id(), "by": told.event.by, "words": told.event.words, "place": place})


def letters(state: Inn, told: EventContext[Any]) -> Iterable[LetterChange]:
    if isinstance(told.event, Said) and told.event.by == "host":
        yield Post(
            key=f"note-{told.version}",
            due_at=told.at + timedelta(minutes=5),
            channel="inbox",
            to="guest@example.org",
            words=told.event.words.id,
        )


TABLES = (
    Table(
        name="inn_now",
        columns=(
            Column(name="lines", kind="integer"),
            Column(name="warned", kind="integer"),
            Column(name="at", kind="moment"),
        ),
        key=(),
    ),
    Table(
        name="inn_log",
        columns=(
            Column(name="id"),
            Column(name="by"),
            Column(name="words", kind="words"),
            Column(name="place", kind="json"),
        ),
        key=("id",),
        log=True,
    ),
)


def told_of(state: Any, events: Sequence[EventContext[Any]], seat: Seat) -> Any:
    return [told.event for told in events]


INN: World[Inn, Any, Any] = World(
    name="inn",
    shape=1,
    state=Inn,
    config=Config,
    commands={"say": Say, "ponder": Ponder, "dice": Dice, "tournament": Tournament, "clear": Clear},
    events={"opened": Opened, "said": Said, "rolled": Rolled, "warned": Warned, "won": Won},
    blank=Inn(),
    open=open_inn,
    handle=handle,
    evolve=evolve,
    legal=lambda state, seat: (),
    seats=lambda state: ("guest",),
    view=lambda state, seat, now: state,
    shows=lambda state, told, seat: told.event,
    reply=told_of,
    wake_at=wake_at,
    tables=TABLES,
    rows=rows,
    letters=letters,
)


# The duel: a child that plays itself, one wake a round.


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelConfig:
    rounds: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck:
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    rounds: int = 0
    score: int = 0
    at: datetime | None = None


def open_duel(given: CommandContext[DuelConfig]) -> Turn[Any]:
    yield Roll((2,))
    return done(Begun(rounds=given.command.rounds))


def strike(state: Duel, given: CommandContext[Any]) -> Turn[Any]:
    answer = yield ask("fast", f"strike {state.rounds} {state.score}")
    (points,) = yield Roll((6,))
    return done(Struck(points=points + len(str(answer)) % 2))


def evolve_duel(state: Duel, told: EventContext[Any]) -> Duel:
    match told.event:
        case Begun(rounds=rounds):
            return replace(state, rounds=rounds, at=told.at)
        case Struck(points=points):
            return replace(state, rounds=state.rounds - 1, score=state.score + points, at=told.at)
        case _:
            return state


DUEL: World[Duel, Any, Any] = World(
    name="duel",
    shape=1,
    state=Duel,
    config=DuelConfig,
    commands={},
    events={"begun": Begun, "struck": Struck},
    blank=Duel(),
    open=open_duel,
    handle=strike,
    evolve=evolve_duel,
    legal=lambda state, seat: (),
    seats=lambda state: (),
    view=lambda state, seat, now: state,
    shows=lambda state, told, seat: told.event,
    reply=told_of,
    wake_at=lambda state: state.at if state.rounds else None,
    outcome=lambda state: {"score": state.score} if state.at is not None and not state.rounds else None,
)

WORLDS: tuple[World[Any, Any, Any], ...] = (INN, DUEL)
