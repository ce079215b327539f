"""Who sees what: a guest's evening is the guest's own, and the operator's to look after; nobody else sees any of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, assert_never

from greenroom.kernel.facts import Noted
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import OPERATOR, EventContext, Seat
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules.content import Content
from greenroom.worlds.bar.rules.state import (
    GUEST,
    LAST_CALL_AT,
    MESSAGE_LIMIT,
    OVER,
    USER,
    Agent,
    Bar,
    Line,
    Session,
    SessionStatus,
    Weather,
    available,
    ends_after,
    helped,
    status_at,
)

INSIDE = (GUEST, OPERATOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    session_id: str
    session_status: SessionStatus
    started_at: datetime
    ended_at: datetime | None
    message_count: int
    message_limit: int
    last_call: bool
    weather: Weather | None
    agents_available: tuple[Agent, ...]
    agents_muted: tuple[Agent, ...]
    #: The version that the session began after.
    since: int
    #: First three and last ten.
    lines: tuple[Line, ...]
    #: Whether places to turn to stay in view, and whether there is an alarm that the guest may take back.
    help: bool = False
    may_take_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one seat sees; a stranger sees that there is a bar."""

    open: bool = True
    anonymous_id: str = ""
    invite_code: str | None = None
    sessions: int = 0
    sessions_today: int = 0
    day: date | None = None
    session: SessionView | None = None
    #: The operator's business: the guest is told by Blanca.
    crisis_flag_date: date | None = None


def seats(state: Bar) -> Sequence[Seat]:
    return (GUEST,)


def view(content: Content, state: Bar, seat: Seat, now: datetime) -> View:
    if seat not in INSIDE:
        return View()
    return View(
        anonymous_id=state.anonymous_id,
        invite_code=state.invite_code,
        sessions=state.sessions,
        sessions_today=state.sessions_today,
        day=state.day,
        session=None if state.session is None else _session(content, state, state.session, now),
        crisis_flag_date=state.crisis_flag_date if seat == OPERATOR else None,
    )


def _session(content: Content, state: Bar, session: Session, now: datetime) -> SessionView:
    status = status_at(state, session, now)
    late = session.heard_at + ends_after(state) if status in OVER and not session.over else None
    return SessionView(
        session_id=session.id,
        session_status=status,
        started_at=session.started_at,
        ended_at=session.ended_at or late,
        message_count=session.message_count,
        message_limit=MESSAGE_LIMIT,
        last_call=session.left <= LAST_CALL_AT,
        weather=session.weather,
        agents_available=available(state.muted),
        agents_muted=state.muted,
        since=session.since,
        lines=session.lines,
        help=helped(state, content.house.today(now)),
        may_take_back=state.crisis_flag_date is not None,
    )


def shows(state: Bar, told: EventContext[e.Event], seat: Seat) -> Mapping[str, Any] | None:
    if seat not in INSIDE:
        return None
    if isinstance(told.event, e.NotesTaken) and seat != OPERATOR:
        return None
    if isinstance(told.event, e.Stay):
        return _stayed(told.event)
    if isinstance(told.event, e.Wish):
        return _wished(told.event)
    return _talked(told.event, seat)


def _stayed(event: e.Stay) -> Mapping[str, Any]:
    match event:
        case e.GuestArrived():
            return {}
        case e.SessionStarted(session_id=session_id, weather=weather):
            return {"session_id": session_id, "weather": weather, "session_status": "active"}
        case e.SessionWarned(session_id=session_id):
            return {"session_id": session_id, "session_status": "warning_15min"}
        case e.SessionKicked(session_id=session_id):
            return {"session_id": session_id, "session_status": "kicked"}
        case e.SessionEnded(session_id=session_id, why=why):
            return {"session_id": session_id, "session_status": "ended", "why": why}
        case e.NotesTaken() | e.DayTurned():
            return {}
        case _:
            assert_never(event)


def _wished(event: e.Wish) -> Mapping[str, Any]:
    match event:
        case e.MuteSet(agent=agent, muted=muted):
            return {"agent": agent, "muted": muted}
        case e.NoteKept(words=words):
            return {"note": words}
        case e.NoteDropped():
            return {"note": None}
        case _:
            assert_never(event)


def _talked(event: e.Talk, seat: Seat) -> Mapping[str, Any] | None:
    match event:
        case e.GuestSaid(session_id=session_id, words=words):
            return {"session_id": session_id, "agent": USER, "message": words}
        case e.Spoke(session_id=session_id, agent=agent, kind=kind, words=words):
            return {"session_id": session_id, "agent": agent, "kind": kind, "message": words}
        case e.CrisisTakenBack(session_id=session_id):
            return {"session_id": session_id, "taken_back": True}
        case _:
            return _behind(event) if seat == OPERATOR else None


def _behind(event: e.Routed | e.CrisisFlagged | e.AlarmCleared | e.HandOverSet | Noted) -> Mapping[str, Any]:
    """What is the operator's business alone."""
    match event:
        case e.Routed(agent=agent, by=by):
            return {"agent": agent, "by": by}
        case e.CrisisFlagged(by=by):
            return {"by": by}
        case e.AlarmCleared(reason=reason):
            return {"reason": reason}
        case Noted(words=words, relation=relation):
            return {"noted": words, "relation": relation}
        case e.HandOverSet(agent=agent):
            return {"agent": agent}
        case _:
            assert_never(event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    id: str
    agent: str
    kind: str
    message: Words
    timestamp: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BarReply:
    """What whoever gave a command is told: the seed's fields, and every line that was said, apart."""

    session_id: str
    agent: str
    timestamp: datetime | None
    agents_available: tuple[Agent, ...]
    agents_muted: tuple[Agent, ...]
    session_status: SessionStatus | None
    message_count: int
    message_limit: int
    last_call: bool
    messages: tuple[Said, ...]
    help: bool = False
    may_take_back: bool = False


def reply(state: Bar, events: Sequence[EventContext[e.Event]], seat: Seat) -> BarReply | Mapping[str, Any]:
    if seat not in INSIDE:
        return {}
    said = tuple(_line(told) for told in events if isinstance(told.event, e.Spoke))
    session, ids = state.session, [told.event.session_id for told in events if isinstance(told.event, e.Spoke)]
    this = session is not None and (not ids or ids[-1] == session.id)
    status: SessionStatus | None = None if session is None else session.status if this else "ended"
    return BarReply(
        session_id=ids[-1] if ids else session.id if session else "",
        agent=said[0].agent if said else "",
        timestamp=said[0].timestamp if said else None,
        agents_available=available(state.muted),
        agents_muted=state.muted,
        session_status=status,
        message_count=session.message_count if session and this else 0,
        message_limit=MESSAGE_LIMIT,
        last_call=any(one.kind == "last_call" for one in said),
        messages=said,
        help=state.help_date is not None and session is not None and helped(state, session.day),
        may_take_back=state.crisis_flag_date is not None,
    )


def _line(told: EventContext[e.Event]) -> Said:
    assert isinstance(told.event, e.Spoke)
    return Said(
        id=told.row_id(),
        agent=told.event.agent,
        kind=told.event.kind,
        message=told.event.words,
        timestamp=told.at,
    )
