"""What is true at one moment of an evening."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Seat

GUEST: Seat = "guest"
HOST: Seat = "host"

#: How many lines the state remembers word by word; older ones are in the memory bank.
RECENT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    speaker: Seat
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One evening. Texts of the content stand here by key, words by id; nothing in it grows without end."""

    #: None until the evening has begun.
    started_at: datetime | None = None
    ended_at: datetime | None = None
    #: Since when the guest has been silent.
    quiet_since: datetime | None = None
    riddle: str = ""
    #: How many of its hints were given.
    hints: int = 0
    guesses: int = 0
    solved: bool = False
    #: The newest lines, oldest first; at most ``RECENT``.
    recent: tuple[Line, ...] = ()
