"""What is true at one moment of a visit to the lighthouse."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Seat

VISITOR: Seat = "visitor"
KEEPER: Seat = "keeper"

Lamp: TypeAlias = Literal["lit", "out"]
Mood: TypeAlias = Literal["curt", "plain", "wry", "warm"]

#: How many lines the state remembers word by word; older ones are in the memory bank.
RECENT = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    speaker: Seat
    words: Words
    #: When it was said; None in a visit that began before anybody wrote that down.
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lighthouse:
    """One visit. Texts of the content stand here by key, words by id."""

    #: None until the visitor has come ashore.
    started_at: datetime | None = None
    ended_at: datetime | None = None
    lamp: Lamp = "out"
    #: When the lamp last became what it is.
    lamp_at: datetime | None = None
    #: Since when the visitor has been silent; None while the keeper is in bed.
    quiet_since: datetime | None = None
    weather: str = ""
    #: What the visitor noticed last in the lamp room.
    sight: str = ""
    secret: str = ""
    told: bool = False
    trust: int = 0
    mood: Mood = "plain"
    #: The newest lines, oldest first; at most ``RECENT``.
    recent: tuple[Line, ...] = ()
    lines: int = 0
    turns: int = 0
    #: The keeper's lines of the days before, newest first, and when the visitor was last here.
    lately: tuple[Words, ...] = ()
    last_at: datetime | None = None
    #: The visitor's lines that nobody has read for facts yet, newest last.
    unread: tuple[Words, ...] = ()


def upcast(shape: int, data: Any) -> Any:
    """A snapshot of an older shape as one of today's: what was added since has its defaults."""
    return data
