"""What is true of one guest of the bar at one moment: the visit in progress, the last four, and little else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final, Literal, TypeAlias, get_args

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Seat

GUEST: Seat = "guest"

Agent: TypeAlias = Literal["bart", "blanca", "hermes", "bernie", "jb", "bukowski"]
AGENTS: Final[tuple[Agent, ...]] = get_args(Agent)
BART: Final[Agent] = "bart"
BLANCA: Final[Agent] = "blanca"
HERMES: Final[Agent] = "hermes"
BUKOWSKI: Final[Agent] = "bukowski"
#: Whom a guest may silence; the others have a duty.
MUTABLE: Final[tuple[Agent, ...]] = ("bernie", "jb", "bukowski")
#: Who is silent until somebody asks for him.
MUTED_AT_FIRST: Final[tuple[Agent, ...]] = ("bukowski",)
#: How the guest's own lines are marked in tables and slices.
USER: Final = "user"

SessionStatus: TypeAlias = Literal["active", "warning_15min", "kicked", "ended"]
OVER: Final[tuple[SessionStatus, ...]] = ("kicked", "ended")

#: Guest messages in a session, how many remain at last call, and sessions in a day.
MESSAGE_LIMIT: Final = 30
LAST_CALL_AT: Final = 5
SESSIONS_A_DAY: Final = 5
#: Silence before Bart asks, and before Blanca shows the door.
WARNING_AFTER: Final = timedelta(minutes=15)
KICK_AFTER: Final = timedelta(minutes=20)
#: Days that a crisis is remembered at the door.
FLAG_DAYS: Final = 7
#: What is kept of a session word by word, and of how many sessions.
FIRST: Final = 3
LAST: Final = 10
COLD: Final = 4
#: Bukowski's ledger, and the marks of lines said lately: an evening of five sessions fits.
NOTES: Final = 20
MARKS: Final = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One stored message."""

    agent: str
    words: Words
    #: When it was said; None in a session that began before anybody wrote that down.
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    """The sky when a session began."""

    #: rain, snow, fog, …: a key of the content's weather.
    kind: str
    celsius: int
    #: ``forecast service`` or ``the season``.
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A session that is over, as Bart keeps it."""

    #: The bar's own calendar day.
    day: date
    weather: Weather | None = None
    lines: tuple[Line, ...] = ()
    #: Whether the guest was in crisis: nothing of it is quoted.
    flagged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    id: str
    started_at: datetime
    day: date
    #: The version that began it.
    since: int
    #: When the guest was last heard; the timers run from here.
    heard_at: datetime
    weather: Weather | None = None
    status: SessionStatus = "active"
    ended_at: datetime | None = None
    message_count: int = 0
    #: The first three lines and the last ten after them: hot storage is never longer.
    first: tuple[Line, ...] = ()
    last: tuple[Line, ...] = ()
    #: Who spoke last, and who was promised.
    speaker: Agent = BART
    pending: Agent | None = None
    crisis_flag_date: date | None = None

    @property
    def lines(self) -> tuple[Line, ...]:
        return (*self.first, *self.last)

    @property
    def over(self) -> bool:
        return self.status in OVER

    @property
    def left(self) -> int:
        return MESSAGE_LIMIT - self.message_count


def past_of(session: Session) -> Past:
    """A session as it goes into cold storage."""
    flagged = session.crisis_flag_date is not None
    return Past(day=session.day, weather=session.weather, lines=session.lines, flagged=flagged)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One guest. Words stand here by id, never more of them than these tuples may hold."""

    anonymous_id: str = ""
    invite_code: str | None = None
    created_at: datetime | None = None
    muted: tuple[Agent, ...] = MUTED_AT_FIRST
    #: The newest session, in progress or over.
    session: Session | None = None
    #: The last four that are over, oldest first.
    cold: tuple[Past, ...] = ()
    #: The day of the newest session, how many began on it, and how many ever.
    day: date | None = None
    sessions_today: int = 0
    sessions: int = 0
    #: The newest crisis, whichever session it was in.
    crisis_flag_date: date | None = None
    notes: tuple[Words, ...] = ()
    #: Marks of the lines said lately, oldest first, so that none comes twice in an evening.
    marks: tuple[str, ...] = ()
    #: How many lines each of the cast has said today.
    spoken: Mapping[str, int] = field(default_factory=dict)


def flagged(state: Bar, today: date) -> bool:
    """Whether a crisis is recent enough to be gentle about."""
    flag = state.crisis_flag_date
    return flag is not None and (today - flag).days < FLAG_DAYS


def status_at(session: Session, now: datetime) -> SessionStatus:
    """The status the clock gives, whether or not anybody has written it down yet."""
    if session.over:
        return session.status
    silence = now - session.heard_at
    if silence >= KICK_AFTER:
        return "kicked"
    return "warning_15min" if silence >= WARNING_AFTER else "active"


def available(muted: tuple[Agent, ...]) -> tuple[Agent, ...]:
    """Who may be picked: everyone not muted, except Blanca, who has the door."""
    return tuple(agent for agent in AGENTS if agent != BLANCA and agent not in muted)
