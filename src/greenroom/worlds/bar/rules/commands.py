"""What a guest can do at the bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from greenroom.kernel.facts import Correct
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Text

#: A guest's message, in characters.
MESSAGE = Text(1, 500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """The config of a stream: somebody new at the door."""

    #: A random UUID; whoever has it is this guest.
    anonymous_id: str
    invite_code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter:
    """Knock: begin a session. One that is still in progress ends first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    session_id: str
    text: Words
    #: The portrait that was clicked.
    selected_agent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mute:
    session_id: str
    agent: str
    muted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """End the session properly."""

    session_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack:
    """Say that an alarm was none: nobody is gentle any longer, and Hermes does not lead."""

    session_id: str


Command: TypeAlias = Enter | Say | Mute | Leave | TakeBack | Correct

COMMANDS = {"enter": Enter, "say": Say, "mute": Mute, "leave": Leave, "take_back": TakeBack, "correct": Correct}
