"""What a guest can do, and how much may be said at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Text

#: The same limits serve ``legal`` and ``handle``, so that they cannot disagree.
SPEECH = Text(1, 500)
GUESS = Text(1, 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """The config of a stream; this world needs none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    text: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Beg:
    """Ask for a hint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    answer: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """Go home; the evening is over."""


Command: TypeAlias = Say | Beg | Guess | Leave

COMMANDS = {"say": Say, "beg": Beg, "guess": Guess, "leave": Leave}
