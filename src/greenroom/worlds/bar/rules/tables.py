"""The seed's tables: users, sessions and messages, written from events; ``bar_messages_view`` has the words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from greenroom.kernel.facts import Noted
from greenroom.kernel.tables import Change, Column, Patch, Put, Table, row_id
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules.state import AGENTS, USER, Bar, Session, SessionStatus

USERS = Table(
    name="bar_users",
    key=("id",),
    columns=(
        Column(name="id"),
        Column(name="anonymous_id"),
        Column(name="created_at", kind="moment"),
        Column(name="invite_code", optional=True),
    ),
    indexes=(("anonymous_id",),),
)
SESSIONS = Table(
    name="bar_sessions",
    key=("id",),
    columns=(
        Column(name="id"),
        Column(name="user_id"),
        Column(name="started_at", kind="moment"),
        Column(name="ended_at", kind="moment", optional=True),
        Column(name="status", among=get_args(SessionStatus)),
        Column(name="crisis_flag_date", kind="date", optional=True),
        Column(name="weather", kind="json", optional=True),
        Column(name="message_count", kind="integer"),
    ),
    indexes=(("started_at",),),
)
MESSAGES = Table(
    name="bar_messages",
    key=("id",),
    log=True,
    columns=(
        Column(name="id"),
        Column(name="session_id"),
        Column(name="agent", among=(*AGENTS, USER)),
        Column(name="content", kind="words"),
        Column(name="timestamp", kind="moment"),
        Column(name="is_user_message", kind="boolean"),
        Column(name="kind"),
        #: Orders the messages of one moment.
        Column(name="position", kind="integer"),
    ),
    indexes=(("session_id", "position"),),
)
TABLES = (USERS, SESSIONS, MESSAGES)


def rows(state: Bar, told: EventContext[e.Event]) -> Iterable[Change]:
    event = told.event
    match event:
        case e.GuestArrived():
            yield Put(USERS.name, _user(state))
        case e.GuestSaid():
            yield Put(MESSAGES.name, _message(told, event, USER, "message"))
        case e.Spoke(agent=agent, kind=kind):
            yield Put(MESSAGES.name, _message(told, event, agent, kind))
        case e.CrisisFlagged(session_id=session_id, day=day) if state.session and session_id != state.session.id:
            yield Patch(SESSIONS.name, {"id": session_id}, {"crisis_flag_date": day})
        case _:
            pass
    if state.session is not None and not isinstance(
        event, e.Spoke | e.Routed | e.MuteSet | e.AlarmCleared | e.NotesTaken | Noted
    ):
        yield Put(SESSIONS.name, _session(state, state.session))


def user_id(anonymous_id: str) -> str:
    """The primary key of a guest, which is not the secret that opens the door."""
    return row_id("bar", 0, anonymous_id)


def _user(state: Bar) -> Mapping[str, Any]:
    return {
        "id": user_id(state.anonymous_id),
        "anonymous_id": state.anonymous_id,
        "created_at": state.created_at,
        "invite_code": state.invite_code,
    }


def _session(state: Bar, session: Session) -> Mapping[str, Any]:
    weather = session.weather
    return {
        "id": session.id,
        "user_id": user_id(state.anonymous_id),
        "started_at": session.started_at,
        "ended_at": session.ended_at,
        "status": session.status,
        "crisis_flag_date": session.crisis_flag_date,
        "weather": None
        if weather is None
        else {"kind": weather.kind, "celsius": weather.celsius, "source": weather.source},
        "message_count": session.message_count,
    }


def _message(told: EventContext[e.Event], event: e.GuestSaid | e.Spoke, agent: str, kind: str) -> Mapping[str, Any]:
    return {
        "id": told.row_id(),
        "session_id": event.session_id,
        "agent": agent,
        "content": event.words,
        "timestamp": told.at,
        "is_user_message": agent == USER,
        "kind": kind,
        "position": told.version * 100 + told.ordinal,
    }
