"""What each event changes. Every collection in the state has a length it never exceeds."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import assert_never

from greenroom.kernel.facts import Noted
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules.state import (
    COLD,
    FIRST,
    HUSHED,
    MARKS,
    NOTES,
    TALK,
    UNREAD,
    USER,
    Agent,
    Bar,
    Hush,
    Line,
    Session,
    SessionStatus,
    past_of,
)


def evolve(state: Bar, told: EventContext[e.Event]) -> Bar:
    if isinstance(told.event, e.Stay):
        return _stayed(state, told, told.event)
    if isinstance(told.event, e.Wish):
        return _wished(state, told.event)
    return _talked(state, told, told.event)


def _stayed(state: Bar, told: EventContext[e.Event], event: e.Stay) -> Bar:
    match event:
        case e.GuestArrived(anonymous_id=anonymous_id, invite_code=code):
            return replace(state, anonymous_id=anonymous_id, invite_code=code, created_at=told.at)
        case e.SessionStarted():
            return _begun(state, told, event)
        case e.SessionWarned():
            return replace(_session(state, status="warning_15min"), unread=())
        case e.SessionKicked():
            return replace(_stored(state, "kicked", told.at), unread=())
        case e.SessionEnded():
            return _stored(state, "ended", told.at)
        case e.NotesTaken():
            return replace(state, unread=())
        case e.DayTurned():
            return replace(state, sessions_today=0)
        case _:
            assert_never(event)


def _begun(state: Bar, told: EventContext[e.Event], event: e.SessionStarted) -> Bar:
    session = Session(
        id=event.session_id,
        started_at=told.at,
        heard_at=told.at,
        day=event.day,
        since=told.version - 1,
        weather=event.weather,
    )
    same = state.day == event.day
    return replace(
        state,
        session=session,
        day=event.day,
        sessions_today=state.sessions_today + 1 if same else 1,
        sessions=state.sessions + 1,
        last_at=state.session.heard_at if state.session else None,
    )


def _talked(state: Bar, told: EventContext[e.Event], event: e.Talk) -> Bar:
    match event:
        case e.GuestSaid():
            return _heard(state, told, event)
        case e.Spoke():
            return _said(state, told, event)
        case e.Routed(agent=agent, by=by):
            return _session(state, speaker=agent, wanted=_wanted(state, agent, by))
        case e.CrisisFlagged(session_id=session_id, day=day, doubtful=doubtful):
            return replace(_flagged(state, told.at, session_id, day, doubtful=doubtful), asked=doubtful)
        case e.CrisisTakenBack():
            return taken_back(state)
        case e.AlarmCleared() | Noted():
            return state
        case e.HandOverSet(agent=agent):
            return _session(state, pending=agent)
        case _:
            assert_never(event)


def _wished(state: Bar, event: e.Wish) -> Bar:
    match event:
        case e.MuteSet(agent=agent, muted=muted):
            others = tuple(one for one in state.muted if one != agent)
            return replace(state, muted=tuple(sorted((*others, agent))) if muted else others)
        case e.NoteKept(words=words):
            return replace(state, notes=(*state.notes, words)[-NOTES:])
        case e.NoteDropped():
            return replace(state, notes=state.notes[:-1])
        case _:
            assert_never(event)


def _wanted(state: Bar, agent: Agent, by: e.RoutedBy) -> Agent | None:
    """Whom the guest called for, as long as it is they who answer."""
    goes_on = state.session is not None and state.session.wanted == agent
    return agent if by == "selection" or goes_on else None


def _session(state: Bar, **changes: object) -> Bar:
    if state.session is None:
        return state
    return replace(state, session=replace(state.session, **changes))  # type: ignore[arg-type]


def _heard(state: Bar, told: EventContext[e.Event], event: e.GuestSaid) -> Bar:
    state = replace(state, asked=False)
    session = state.session
    if session is None or not event.counted:
        return state
    heard = replace(
        session,
        heard_at=told.at,
        status="active",
        message_count=session.message_count + 1,
        insults=session.insults + event.insult,
    )
    unread = (*state.unread, event.words)[-UNREAD:] if event.theirs else state.unread
    return replace(state, session=_with_line(heard, Line(agent=USER, words=event.words, at=told.at)), unread=unread)


def _said(state: Bar, told: EventContext[e.Event], event: e.Spoke) -> Bar:
    led = event.kind == "crisis" if event.kind in ("crisis", "reply", "company") else state.lead
    state = replace(state, marks=(*state.marks, event.mark)[-MARKS:], lead=led)
    if state.session is None or state.session.over:
        return state
    line = Line(agent=event.agent, words=event.words, at=told.at)
    return replace(state, session=_with_line(state.session, line))


def _with_line(session: Session, line: Line) -> Session:
    session = replace(session, said=session.said + 1)
    if len(session.first) < FIRST:
        return replace(session, first=(*session.first, line))
    return replace(session, last=(*session.last, line)[-TALK:])


def _flagged(state: Bar, at: datetime, session_id: str, day: date, *, doubtful: bool) -> Bar:
    """The flag is the guest's; the session that is marked is the one it was said in.

    Nothing of it is said back, and of one where the guest was asked whether it is so nothing from there on.
    """
    newest = day if state.crisis_flag_date is None else max(day, state.crisis_flag_date)
    state = replace(state, crisis_flag_date=newest, help_date=day, unread=())
    session = state.session
    if session is None or session.id != session_id:
        return replace(state, hushed=(*state.hushed, Hush(since=at, until=at))[-HUSHED:])
    since = at if session.over or doubtful else session.started_at
    if not any(one.since == since for one in state.hushed):
        until = at if session.over else None
        state = replace(state, hushed=(*state.hushed, Hush(since=since, until=until))[-HUSHED:])
    return _session(state, crisis_flag_date=day)


def taken_back(state: Bar) -> Bar:
    """What was said from a doubtful alarm to the last line before its end stays hushed, or an evening hushed whole."""
    session = state.session
    hushed = tuple(
        one if one.until or session is None or one.since == session.started_at else replace(one, until=session.heard_at)
        for one in state.hushed
    )
    return replace(_session(state, crisis_flag_date=None), crisis_flag_date=None, lead=False, hushed=hushed)


def _stored(state: Bar, status: SessionStatus, at: datetime) -> Bar:
    """The session goes into cold storage, and the oldest out of it."""
    session = state.session
    if session is None:
        return state
    ended = replace(session, status=status, ended_at=at, pending=None)
    kept = replace(ended, last=ended.lines[len(ended.first) :])
    hushed = tuple(one if one.until else replace(one, until=at) for one in state.hushed)
    return replace(state, session=kept, cold=(*state.cold, past_of(ended))[-COLD:], hushed=hushed)
