"""What each event changes. Every collection in the state has a length it never exceeds."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import assert_never

from greenroom.kernel.worlds import EventContext
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules.state import COLD, FIRST, LAST, MARKS, NOTES, USER, Bar, Line, Session, past_of


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
            return _session(state, status="warning_15min")
        case e.SessionKicked():
            return _stored(_session(state, status="kicked", ended_at=told.at, pending=None))
        case e.SessionEnded():
            return _stored(_session(state, status="ended", ended_at=told.at, pending=None))
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
        spoken=state.spoken if same else {},
    )


def _talked(state: Bar, told: EventContext[e.Event], event: e.Talk) -> Bar:
    match event:
        case e.GuestSaid():
            return _heard(state, told, event)
        case e.Spoke():
            return _said(state, told, event)
        case e.Routed(agent=agent):
            return _session(state, speaker=agent)
        case e.CrisisFlagged(day=day):
            return _flagged(state, day)
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


def _session(state: Bar, **changes: object) -> Bar:
    if state.session is None:
        return state
    return replace(state, session=replace(state.session, **changes))  # type: ignore[arg-type]


def _heard(state: Bar, told: EventContext[e.Event], event: e.GuestSaid) -> Bar:
    session = state.session
    if session is None or not event.counted:
        return state
    heard = replace(session, heard_at=told.at, status="active", message_count=session.message_count + 1)
    return replace(state, session=_with_line(heard, Line(agent=USER, words=event.words, at=told.at)))


def _said(state: Bar, told: EventContext[e.Event], event: e.Spoke) -> Bar:
    state = replace(
        state,
        marks=(*state.marks, event.mark)[-MARKS:],
        spoken={**state.spoken, event.agent: state.spoken.get(event.agent, 0) + 1},
    )
    if state.session is None or state.session.over:
        return state
    line = Line(agent=event.agent, words=event.words, at=told.at)
    return replace(state, session=_with_line(state.session, line))


def _with_line(session: Session, line: Line) -> Session:
    if len(session.first) < FIRST:
        return replace(session, first=(*session.first, line))
    return replace(session, last=(*session.last, line)[-LAST:])


def _flagged(state: Bar, day: date) -> Bar:
    newest = day if state.crisis_flag_date is None else max(day, state.crisis_flag_date)
    return _session(replace(state, crisis_flag_date=newest), crisis_flag_date=day)


def _stored(state: Bar) -> Bar:
    """The session goes into cold storage, and the oldest out of it."""
    session = state.session
    if session is None:
        return state
    return replace(state, cold=(*state.cold, past_of(session))[-COLD:])
