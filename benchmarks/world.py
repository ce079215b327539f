"""Two worlds made to be measured: a guest who talks, and somebody who throws dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeAlias

from greenroom.kernel.asks import AskModel, Roll, Section
from greenroom.kernel.tables import Column, Put, Table
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import CommandContext, EventContext, Seat, Turn, World, done

GUEST: Seat = "guest"
KEEPER = "keeper"

_CAST = 30
_SAID = "The lamp went out at four and nobody on the quay would say who had the key to the tower, so I came up myself"
_ANSWER = "Then you will want to sit down first; the key has hung behind that door since spring, and the lamp is mine"


def words(i: int) -> Words:
    """About 200 bytes of something said, other ones for every ``i``."""
    return Words(f"{i}. {_SAID} ({i * 7919 % 10007}) – and on the stairs there was {_SAID[: 60 + i % 9]}.")


def answer(i: int) -> str:
    """About 200 bytes of an answer."""
    return f"{i}: {_ANSWER}. {_ANSWER[20 : 98 + i % 9]}."


# a guest who talks: 200 B of words and as many of an answer, each a memory; one event of 300 B, one row, 2 KB of state


@dataclass(frozen=True, slots=True)
class Evening:
    moods: Mapping[str, str] = field(default_factory=dict)
    lines: int = 0
    last: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Guest:
    name: str = GUEST


@dataclass(frozen=True, slots=True)
class Say:
    text: Words
    #: Whether the answer comes from a model.
    ask: bool = False


@dataclass(frozen=True, slots=True)
class Arrived:
    moods: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Talked:
    who: str
    words: Words
    by: str
    answer: Words
    mood: str
    line: int


Happened: TypeAlias = Arrived | Talked


def _mood(who: int, line: int) -> str:
    return f"{who * 31 + line:06d} calm, a little wary of strangers, fond of the sea"


def _open(given: CommandContext[Guest]) -> Turn[Happened]:
    yield Roll((6,))
    return done(Arrived({f"{who:02d}": _mood(who, 0) for who in range(_CAST)}))


def _handle(state: Evening, given: CommandContext[Say]) -> Turn[Happened]:
    said = given.command
    line = answer(state.lines)
    if said.ask:
        prompt = Section(name="said", texts=(said.text.text or "",))
        line = yield AskModel(role="fast", sections=(prompt,), max_tokens=100, seat=GUEST)
    reply = given.memory(0, agent=KEEPER, text=line, speaker=KEEPER)
    talked = Talked(GUEST, said.text, KEEPER, reply.words, _mood(state.lines % _CAST, state.lines) * 3, state.lines)
    return done(talked, memories=(given.hear(said.text, agent=KEEPER), reply))


def _evolve(state: Evening, told: EventContext[Happened]) -> Evening:
    match told.event:
        case Arrived(moods):
            return replace(state, moods=moods, at=told.at)
        case Talked(answer=said, line=line):
            moods = {**state.moods, f"{line % _CAST:02d}": _mood(line % _CAST, line)}
            return Evening(moods, line + 1, said.id, told.at)


def _rows(state: Evening, told: EventContext[Happened]) -> Iterable[Put]:
    match told.event:
        case Talked(who, said, by, reply, _, line):
            values = {"line": line, "who": who, "words": said, "by": by, "answer": reply, "at": told.at}
            yield Put("bench_lines", values)
        case Arrived():
            pass


def _nobody(*_: Any) -> tuple[()]:
    return ()


LINES = Table(
    name="bench_lines",
    key=("line",),
    columns=(
        Column(name="line", kind="integer"),
        Column(name="who"),
        Column(name="words", kind="words"),
        Column(name="by"),
        Column(name="answer", kind="words"),
        Column(name="at", kind="moment"),
    ),
    log=True,
)

TALK: World[Evening, Say, Happened] = World(
    name="bench_talk",
    shape=1,
    state=Evening,
    config=Guest,
    commands={"say": Say},
    events={"arrived": Arrived, "talked": Talked},
    blank=Evening(),
    open=_open,
    handle=_handle,
    evolve=_evolve,
    legal=_nobody,
    seats=lambda _: (GUEST,),
    view=lambda state, _seat, _now: {"lines": state.lines, "last": Words(id=state.last)},
    shows=lambda _, told, _seat: told.event,
    reply=lambda _, told, _seat: [line.event.answer for line in told if isinstance(line.event, Talked)],
    tables=(LINES,),
    rows=_rows,
)


# somebody who throws dice: next to nothing to keep, so that what is kept around it shows


@dataclass(frozen=True, slots=True)
class Cup:
    throws: int = 0
    sum: int = 0


@dataclass(frozen=True, slots=True)
class Table6:
    sides: int = 6


@dataclass(frozen=True, slots=True)
class Throw:
    dice: int = 2


@dataclass(frozen=True, slots=True)
class Sat:
    sides: int


@dataclass(frozen=True, slots=True)
class Thrown:
    pips: tuple[int, ...]


Rolled: TypeAlias = Sat | Thrown


def _sit(given: CommandContext[Table6]) -> Turn[Rolled]:
    yield from ()
    return done(Sat(given.command.sides))


def _throw(state: Cup, given: CommandContext[Throw]) -> Turn[Rolled]:
    pips = yield Roll((6,) * given.command.dice)
    return done(Thrown(tuple(pips)))


def _count(state: Cup, told: EventContext[Rolled]) -> Cup:
    match told.event:
        case Thrown(pips):
            return Cup(state.throws + 1, state.sum + sum(pips))
        case Sat():
            return state


DICE: World[Cup, Throw, Rolled] = World(
    name="bench_dice",
    shape=1,
    state=Cup,
    config=Table6,
    commands={"throw": Throw},
    events={"sat": Sat, "thrown": Thrown},
    blank=Cup(),
    open=_sit,
    handle=_throw,
    evolve=_count,
    legal=_nobody,
    seats=lambda _: (GUEST,),
    view=lambda state, _seat, _now: {"throws": state.throws},
    shows=lambda _, told, _seat: told.event,
    reply=lambda _, told, _seat: [throw.event for throw in told],
)
