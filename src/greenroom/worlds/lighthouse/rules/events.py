"""What can have happened. An event carries results, so that no edit of rules or content alters the past."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from greenroom.kernel.facts import Noted
from greenroom.kernel.words import Words
from greenroom.worlds.lighthouse.rules.state import Lamp, Mood


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    secret: str
    weather: str
    lamp: Lamp
    trust: int
    #: What the keeper said to this visitor in the days before, newest first, and when they were last here.
    lately: tuple[Words, ...] = ()
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    words: Words
    #: Whether the visit's owner said it: of nobody else's words is anything kept as a fact.
    theirs: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Climbed:
    sight: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldUp:
    """The stairs were too much."""

    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterTaken:
    to: str
    words: Words
    due_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    words: Words
    mood: Mood
    #: What the visitor has come to, not by how much it moved.
    trust: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretTold:
    """It is told. The line before holds it in her own words; without ``in_words`` it was told beside the line."""

    secret: str
    in_words: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LampLit:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class LampOut:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class WentToBed:
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesTaken:
    """So many of the visitor's lines were read for facts."""

    lines: int


#: The visitor's doing; each of them ends a silence.
Deed: TypeAlias = Arrived | Said | Climbed | HeldUp | LetterTaken | Left
#: The keeper's.
Duty: TypeAlias = Answered | SecretTold | LampLit | LampOut | WentToBed | NotesTaken | Noted
Event: TypeAlias = Deed | Duty

EVENTS = {
    "arrived": Arrived,
    "said": Said,
    "climbed": Climbed,
    "held_up": HeldUp,
    "letter_taken": LetterTaken,
    "left": Left,
    "answered": Answered,
    "secret_told": SecretTold,
    "lamp_lit": LampLit,
    "lamp_out": LampOut,
    "went_to_bed": WentToBed,
    "notes_taken": NotesTaken,
    "noted": Noted,
}
