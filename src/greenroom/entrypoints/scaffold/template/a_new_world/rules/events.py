"""What can have happened. An event carries results, so that no edit of rules or content alters the past."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from greenroom.kernel.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    riddle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Hinted:
    #: The how many-th hint of the riddle.
    hint: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shrugged:
    """No hint this time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guessed:
    words: Words
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """The guest was silent for too long, and the host put the lights out."""


#: All that follows the beginning.
Later: TypeAlias = Said | Answered | Hinted | Shrugged | Guessed | Left | Closed
Event: TypeAlias = Began | Later

EVENTS = {
    "began": Began,
    "said": Said,
    "answered": Answered,
    "hinted": Hinted,
    "shrugged": Shrugged,
    "guessed": Guessed,
    "left": Left,
    "closed": Closed,
}
