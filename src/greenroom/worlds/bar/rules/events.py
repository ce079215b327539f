"""What can have happened at the bar. Words by id; calendar days as the bar's own zone had them at the time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from greenroom.kernel.words import Words
from greenroom.worlds.bar.rules.state import Agent, Weather

#: Why a line was said.
LineKind: TypeAlias = Literal[
    "greeting",
    "check_in",
    "reply",
    "crisis",
    "moderation",
    "notice",
    "warning",
    "last_call",
    "closing",
    "kick",
    "farewell",
]
#: Who decided that this agent answers.
RoutedBy: TypeAlias = Literal["crisis", "moderation", "selection", "router", "fallback"]
FoundBy: TypeAlias = Literal["local", "model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestArrived:
    anonymous_id: str
    invite_code: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStarted:
    session_id: str
    day: date
    weather: Weather | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestSaid:
    session_id: str
    words: Words
    #: False for what was said where a limit would have stopped it.
    counted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoke:
    session_id: str
    agent: Agent
    kind: LineKind
    words: Words
    #: Tells one line from another without its words.
    mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    agent: Agent
    by: RoutedBy


@dataclass(frozen=True, slots=True, kw_only=True)
class CrisisFlagged:
    session_id: str
    day: date
    by: FoundBy


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOverSet:
    """Somebody promised to fetch somebody; None takes it back."""

    agent: Agent | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MuteSet:
    agent: Agent
    muted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteKept:
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDropped:
    """The last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionWarned:
    session_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionKicked:
    session_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded:
    session_id: str
    why: Literal["left", "limit", "knocked_again"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayTurned:
    """Midnight at the bar, for a guest who had had all the sessions of the day."""


Talk: TypeAlias = GuestSaid | Spoke | Routed | CrisisFlagged | HandOverSet
Wish: TypeAlias = MuteSet | NoteKept | NoteDropped
Stay: TypeAlias = GuestArrived | SessionStarted | SessionWarned | SessionKicked | SessionEnded | DayTurned
Event: TypeAlias = Talk | Wish | Stay

EVENTS = {
    "guest_arrived": GuestArrived,
    "session_started": SessionStarted,
    "guest_said": GuestSaid,
    "spoke": Spoke,
    "routed": Routed,
    "crisis_flagged": CrisisFlagged,
    "hand_over_set": HandOverSet,
    "mute_set": MuteSet,
    "note_kept": NoteKept,
    "note_dropped": NoteDropped,
    "session_warned": SessionWarned,
    "session_kicked": SessionKicked,
    "session_ended": SessionEnded,
    "day_turned": DayTurned,
}
