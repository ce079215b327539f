"""The door: one stream for each invite code. It binds to the first guest who uses it and counts the visits of a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any, TypeAlias, assert_never

from greenroom.kernel.errors import Refused
from greenroom.kernel.tables import Change, Column, Put, Table
from greenroom.kernel.worlds import OPERATOR, CommandContext, EventContext, Seat, Turn, Wake, World, done
from greenroom.worlds.bar.rules import refusals
from greenroom.worlds.bar.rules.content import Content
from greenroom.worlds.bar.rules.state import SESSIONS_A_DAY

NAME = "bar_door"
#: Who owns the doors: the house, not a person.
OWNER = "bar:door"
PORTER: Seat = "porter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invite:
    """The config of a stream: a code that opens the door."""

    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Knock:
    """Somebody shows the code; ``guest`` is the key of the user, not the anonymous id."""

    guest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Disable:
    disabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeIssued:
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    guest: str
    day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeDisabled:
    disabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorRested:
    """Midnight, for a code that had let in all it may in a day."""


DoorCommand: TypeAlias = Knock | Disable
DoorEvent: TypeAlias = CodeIssued | Admitted | CodeDisabled | DoorRested


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    code: str = ""
    disabled: bool = False
    guest: str | None = None
    day: date | None = None
    sessions_today: int = 0
    sessions: int = 0


CODES = Table(
    name="bar_invite_codes",
    key=(),
    columns=(
        Column(name="code"),
        Column(name="disabled", kind="boolean"),
        Column(name="guest", optional=True),
        Column(name="sessions", kind="integer"),
    ),
)


def door_stream(code: str) -> str:
    return f"bar-door-{code}"


def issue(given: CommandContext[Invite]) -> Turn[DoorEvent]:
    yield from ()
    return done(CodeIssued(code=given.command.code))


def handle(content: Content, state: Door, given: CommandContext[Any]) -> Turn[DoorEvent]:
    """Let somebody in, or not; disable a code, or enable it again.

    Raises:
        Refused: the code is disabled or another guest's, it was used five times today, or it is not for this seat.
    """
    yield from ()
    command: DoorCommand | Wake = given.command
    match command:
        case Knock(guest=guest) if given.seat == PORTER:
            return done(_admitted(content, state, guest, given.at))
        case Disable(disabled=disabled) if given.seat == OPERATOR:
            return done(CodeDisabled(disabled=disabled))
        case Wake():
            return done(DoorRested())
        case Knock() | Disable():
            raise Refused("the porter lets people in, and the operator decides about codes")
        case _:
            assert_never(command)


def _admitted(content: Content, state: Door, guest: str, at: datetime) -> Admitted:
    today = content.house.today(at)
    if state.disabled:
        raise Refused(refusals.CODE_DISABLED)
    if state.guest not in (None, guest):
        raise Refused(refusals.CODE_TAKEN)
    if state.day == today and state.sessions_today >= SESSIONS_A_DAY:
        raise Refused(refusals.TOO_MANY)
    return Admitted(guest=guest, day=today)


def evolve(state: Door, told: EventContext[DoorEvent]) -> Door:
    event = told.event
    match event:
        case CodeIssued(code=code):
            return replace(state, code=code)
        case Admitted(guest=guest, day=day):
            today = state.sessions_today + 1 if state.day == day else 1
            return replace(state, guest=guest, day=day, sessions_today=today, sessions=state.sessions + 1)
        case CodeDisabled(disabled=disabled):
            return replace(state, disabled=disabled)
        case DoorRested():
            return replace(state, sessions_today=0)
        case _:
            assert_never(event)


def wake_at(content: Content, state: Door) -> datetime | None:
    if state.day is None or state.sessions_today < SESSIONS_A_DAY:
        return None
    return content.house.midnight(state.day)


def legal(state: Door, seat: Seat) -> Sequence[DoorCommand]:
    if not state.code or seat != PORTER or state.disabled or state.sessions_today >= SESSIONS_A_DAY:
        return ()
    return (Knock(guest=state.guest or "somebody"),)


def view(state: Door, seat: Seat, now: datetime) -> Mapping[str, Any]:
    if seat not in (OPERATOR, PORTER):
        return {}
    names = ("code", "disabled", "guest", "day", "sessions_today", "sessions")
    return {name: getattr(state, name) for name in names}


def shows(state: Door, told: EventContext[DoorEvent], seat: Seat) -> Mapping[str, Any] | None:
    if seat not in (OPERATOR, PORTER):
        return None
    match told.event:
        case CodeDisabled(disabled=disabled):
            return {"disabled": disabled}
        case Admitted(day=day):
            return {"day": day}
        case _:
            return {}


def reply(state: Door, events: Sequence[EventContext[DoorEvent]], seat: Seat) -> Mapping[str, Any]:
    return {"code": state.code, "disabled": state.disabled} if seat in (OPERATOR, PORTER) else {}


def rows(state: Door, told: EventContext[DoorEvent]) -> Sequence[Change]:
    values = {name: getattr(state, name) for name in ("code", "disabled", "guest", "sessions")}
    return (Put(CODES.name, values),)


def bar_door(content: Content) -> World[Door, DoorCommand, DoorEvent]:
    """The world of the bar's invite codes."""
    return World(
        name=NAME,
        shape=1,
        state=Door,
        config=Invite,
        commands={"knock": Knock, "disable": Disable},
        events={
            "code_issued": CodeIssued,
            "admitted": Admitted,
            "code_disabled": CodeDisabled,
            "door_rested": DoorRested,
        },
        blank=Door(),
        open=issue,
        handle=partial(handle, content),
        evolve=evolve,
        legal=legal,
        wake_at=partial(wake_at, content),
        seats=lambda state: (PORTER,),
        view=view,
        shows=shows,
        reply=reply,
        tables=(CODES,),
        rows=rows,
    )
