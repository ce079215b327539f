"""What is true of one guest of the bar at one moment: the visit in progress, the last four, and little else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

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
#: Silence before Bart asks, before Blanca shows the door, and before an evening in the days after a crisis ends gently.
WARNING_AFTER: Final = timedelta(minutes=15)
KICK_AFTER: Final = timedelta(minutes=20)
GENTLE_AFTER: Final = timedelta(minutes=60)
#: Days that a crisis is remembered at the door.
FLAG_DAYS: Final = 7
#: What is kept of a session word by word, and of how many sessions.
FIRST: Final = 3
LAST: Final = 10
COLD: Final = 4
#: Lines of the session in progress that are kept word by word after its first three; more than thirty messages lead to.
TALK: Final = 160
#: Bukowski's ledger, and the marks of lines said lately: an evening of five sessions fits.
NOTES: Final = 20
MARKS: Final = 240
#: The guest's lines that nobody has read for facts yet, and the hard evenings of which nothing is repeated.
UNREAD: Final = 60
HUSHED: Final = 40


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
    #: Whether more was said after the first three lines than is kept.
    has_gap: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hush:
    """An evening of which nothing is ever said back: from its first line to its end."""

    since: datetime
    #: None while it lasts.
    until: datetime | None = None

    def covers(self, at: datetime) -> bool:
        return self.since <= at and (self.until is None or at <= self.until)


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
    #: The first three lines, and those after them while the evening lasts.
    first: tuple[Line, ...] = ()
    last: tuple[Line, ...] = ()
    #: How many lines were said in all; more than are here where a gap is between the first three and the rest.
    said: int = 0
    #: Who spoke last, and who was promised.
    speaker: Agent = BART
    pending: Agent | None = None
    #: Whom the guest called for and still talks with.
    wanted: Agent | None = None
    crisis_flag_date: date | None = None
    #: Insults so far tonight.
    insults: int = 0

    @property
    def lines(self) -> tuple[Line, ...]:
        """What is kept of it: the first three lines and the last ten."""
        return (*self.first, *self.last[-LAST:])

    @property
    def talk(self) -> tuple[Line, ...]:
        """All of it that is here."""
        return (*self.first, *self.last)

    @property
    def has_gap(self) -> bool:
        return self.said > len(self.talk)

    @property
    def over(self) -> bool:
        return self.status in OVER

    @property
    def left(self) -> int:
        return MESSAGE_LIMIT - self.message_count


def past_of(session: Session) -> Past:
    """A session as it goes into cold storage."""
    flagged = session.crisis_flag_date is not None
    kept, has_gap = session.lines, session.said > len(session.lines)
    return Past(day=session.day, weather=session.weather, lines=kept, flagged=flagged, has_gap=has_gap)


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
    #: The newest crisis, whichever session it was in; None once the guest took it back.
    crisis_flag_date: date | None = None
    #: The newest crisis, taken back or not: places to turn to stay in view.
    help_date: date | None = None
    #: Whether Hermes leads the next reply.
    lead: bool = False
    #: Whether the guest was just asked if a doubtful alarm is one.
    asked: bool = False
    #: Evenings of which nothing is said back.
    hushed: tuple[Hush, ...] = ()
    #: The guest's lines that nobody has read for facts yet, newest last.
    unread: tuple[Words, ...] = ()
    #: When the guest was last heard in a session before this one.
    last_at: datetime | None = None
    notes: tuple[Words, ...] = ()
    #: Marks of the lines said lately, oldest first, so that none comes twice in an evening.
    marks: tuple[str, ...] = ()


def upcast(shape: int, data: Any) -> Any:
    """A snapshot of an older shape as one of today's: what was added since has its defaults.

    A session that was in progress kept its first three and last ten lines; what lay between is a gap.
    """
    if shape < 2 and isinstance(data, dict):
        data = {name: value for name, value in data.items() if name != "spoken"}
        session = data.get("session")
        if session is not None:
            data["session"] = {**session, "said": 2 * session.get("message_count", 0) + 1}
        data["help_date"] = data.get("crisis_flag_date")
        data["hushed"] = _hushes(data)
        heard = [line["at"] for past in data.get("cold", ()) for line in past["lines"] if line["agent"] == USER]
        data["last_at"] = heard[-1] if heard else None
    return data


def _hushes(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The evenings of an older snapshot of which nothing is said back: those with a flag, from first to last line."""
    times = [[line["at"] for line in past["lines"] if line["at"]] for past in data.get("cold", ()) if past["flagged"]]
    hushed = [{"since": at[0], "until": at[-1]} for at in times if at]
    session = data.get("session")
    if session is not None and session["crisis_flag_date"] and session["ended_at"] is None:
        hushed.append({"since": session["started_at"], "until": None})
    return hushed


def flagged(state: Bar, today: date) -> bool:
    """Whether a crisis is recent enough to be gentle about."""
    flag = state.crisis_flag_date
    return flag is not None and (today - flag).days < FLAG_DAYS


def helped(state: Bar, today: date) -> bool:
    """Whether places to turn to are in view."""
    return state.help_date is not None and (today - state.help_date).days < FLAG_DAYS


def is_gentle(state: Bar) -> bool:
    """Whether the session in progress stands in the days after a crisis; it is as gentle to its end as it was once."""
    session = state.session
    return session is not None and state.crisis_flag_date is not None and flagged(state, session.day)


def is_hushed(state: Bar, at: datetime | None) -> bool:
    """Whether something was said in an evening of which nothing is said back."""
    return at is not None and any(one.covers(at) for one in state.hushed)


def ends_after(state: Bar) -> timedelta:
    """The silence after which the session in progress is over."""
    return GENTLE_AFTER if is_gentle(state) else KICK_AFTER


def status_at(state: Bar, session: Session, now: datetime) -> SessionStatus:
    """The status the clock gives, whether or not anybody has written it down yet."""
    if session.over:
        return session.status
    silence = now - session.heard_at
    if silence >= ends_after(state):
        return "ended" if is_gentle(state) else "kicked"
    return "warning_15min" if silence >= WARNING_AFTER else "active"


def available(muted: tuple[Agent, ...]) -> tuple[Agent, ...]:
    """Who may be picked: everyone not muted, except Blanca, who has the door."""
    return tuple(agent for agent in AGENTS if agent != BLANCA and agent not in muted)
