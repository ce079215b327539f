"""What can have happened at the bar. Words by id; calendar days as the bar's own zone had them at the time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from greenroom.kernel.facts import Noted
from greenroom.kernel.words import Words
from greenroom.worlds.bar.rules.state import Agent, Weather

#: Why a line was said.
LineKind: TypeAlias = Literal[
    "greeting",
    "check_in",
    "reply",
    "crisis",
    "company",
    "moderation",
    "notice",
    "warning",
    "last_call",
    "closing",
    "kick",
    "farewell",
]
#: Who decided that this agent answers.
RoutedBy: TypeAlias = Literal["crisis", "lead", "moderation", "selection", "router", "fallback"]
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
    #: Whether it was meant to hurt somebody here.
    insult: bool = False
    #: Whether the guest said it of their own and outside a crisis: of nothing else is anything kept as a fact.
    theirs: bool = False


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
    #: Whether it is in doubt and the first in a week: the guest is asked, and may say that it is not so.
    doubtful: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CrisisTakenBack:
    """The guest said that it was not so; places to turn to stay in view."""

    session_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmCleared:
    """A doubtful alarm that a model, who saw the exchange, took back; the words are its reason."""

    session_id: str
    reason: Words


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
    why: Literal["left", "limit", "knocked_again", "quiet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesTaken:
    """So many of the guest's lines were read for facts."""

    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayTurned:
    """Midnight at the bar, for a guest who had had all the sessions of the day."""


Talk: TypeAlias = GuestSaid | Spoke | Routed | CrisisFlagged | CrisisTakenBack | AlarmCleared | HandOverSet | Noted
Wish: TypeAlias = MuteSet | NoteKept | NoteDropped
Stay: TypeAlias = GuestArrived | SessionStarted | SessionWarned | SessionKicked | SessionEnded | NotesTaken | DayTurned
Event: TypeAlias = Talk | Wish | Stay

EVENTS = {
    "guest_arrived": GuestArrived,
    "session_started": SessionStarted,
    "guest_said": GuestSaid,
    "spoke": Spoke,
    "routed": Routed,
    "crisis_flagged": CrisisFlagged,
    "crisis_taken_back": CrisisTakenBack,
    "alarm_cleared": AlarmCleared,
    "hand_over_set": HandOverSet,
    "noted": Noted,
    "mute_set": MuteSet,
    "note_kept": NoteKept,
    "note_dropped": NoteDropped,
    "session_warned": SessionWarned,
    "session_kicked": SessionKicked,
    "session_ended": SessionEnded,
    "notes_taken": NotesTaken,
    "day_turned": DayTurned,
}
