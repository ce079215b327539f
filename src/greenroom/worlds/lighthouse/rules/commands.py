"""What a visitor can do, and how much may be said at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from greenroom.kernel.facts import Correct
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Text

#: The same limits serve ``legal`` and ``handle``, so that they cannot disagree.
SPEECH = Text(1, 500)
LETTER = Text(1, 2000)
ADDRESS = Text(1, 80)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """The config of a stream: a visit needs no settings, the dice see to the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    text: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """Try the stairs to the lamp room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """Give the keeper a letter for the next mail boat."""

    to: str
    text: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """Go home; the visit is over."""


Command: TypeAlias = Say | Climb | Write | Leave | Correct

COMMANDS = {"say": Say, "climb": Climb, "write": Write, "leave": Leave, "correct": Correct}
