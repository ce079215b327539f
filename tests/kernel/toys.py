"""A small world for tests of the kernel: every kind of field, nothing to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import World, done


@dataclass(frozen=True, slots=True)
class Config:
    players: int = 2
    motto: Words | None = None


@dataclass(frozen=True, slots=True)
class Say:
    text: Words
    to: str = "all"
    aside: Words | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    choice: Literal["yes", "no"]


@dataclass(frozen=True, slots=True)
class Said:
    words: Words
    loud: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    share: float
    tally: dict[str, int] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    at: datetime | None = None
    day: date | None = None


@dataclass(frozen=True, slots=True)
class State:
    lines: int = 0
    last: Words | None = None
    tally: dict[str, int] = field(default_factory=dict)


def nothing(*_: Any) -> Any:
    yield from ()
    return done()


def toy(**more: Any) -> World[State, Any, Any]:
    fields: dict[str, Any] = {
        "name": "toy",
        "shape": 1,
        "state": State,
        "config": Config,
        "commands": {"say": Say, "vote": Vote},
        "events": {"said": Said, "counted": Counted},
        "blank": State(),
        "open": nothing,
        "handle": nothing,
        "evolve": lambda state, told: state,
        "legal": lambda state, seat: (),
        "seats": lambda state: (),
        "view": lambda state, seat, now: {},
        "shows": lambda state, told, seat: None,
        "reply": lambda state, told, seat: {},
    }
    return World(**(fields | more))
