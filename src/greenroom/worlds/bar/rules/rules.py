"""The rules: who may do what, and what the clock wants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from greenroom.kernel.errors import Refused
from greenroom.kernel.facts import Correct
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import CommandContext, Done, Pattern, Seat, Turn, Wake
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules import knowing, refusals, talking, visiting
from greenroom.worlds.bar.rules.content import Content
from greenroom.worlds.bar.rules.ids import number_of
from greenroom.worlds.bar.rules.scene import NAME
from greenroom.worlds.bar.rules.state import GUEST, MUTABLE, SESSIONS_A_DAY, Bar, Session


def handle(content: Content, state: Bar, given: CommandContext[Any]) -> Turn[e.Event]:
    """Decide about one command of the guest, or about the clock.

    Raises:
        Refused: it is not the guest who asks, there is no such session, or a limit is reached.
    """
    command: c.Command | Wake = given.command
    if isinstance(command, Wake):
        return (yield from visiting.tick(content, state, given))
    if isinstance(command, Correct):
        return (yield from knowing.correct(given))
    if given.seat != GUEST:
        raise Refused(refusals.NOT_YOURS)
    if isinstance(command, c.Enter):
        return (yield from visiting.enter(content, state, given))
    if isinstance(command, c.Say):
        return (yield from _said(content, state, given))
    return _did(content, state, given, command)


def _said(content: Content, state: Bar, given: CommandContext[c.Say]) -> Turn[e.Event]:
    session = _session(state, given.command.session_id)
    if session is None:
        return (yield from talking.over(content, state, given))
    return (yield from talking.say(content, state, session, given))


def _did(
    content: Content, state: Bar, given: CommandContext[Any], command: c.Mute | c.Leave | c.TakeBack
) -> Done[e.Event]:
    session = _session(state, command.session_id)
    if isinstance(command, c.TakeBack):
        return visiting.take_back(content, state, given)
    if session is None:
        raise Refused(refusals.OVER)
    match command:
        case c.Mute():
            return visiting.mute(content, state, session, given)
        case c.Leave():
            return visiting.leave(content, state, session, given)
        case _:
            assert_never(command)


def _session(state: Bar, id: str) -> Session | None:
    """The newest session if the id names it; None for an earlier one, which is over.

    Raises:
        Refused: the id names no session of this guest.
    """
    if state.session is not None and state.session.id == id:
        return state.session
    if number_of(id, state.anonymous_id, state.sessions) is None:
        raise Refused(refusals.NO_SESSION)
    return None


def legal(state: Bar, seat: Seat) -> Sequence[c.Command | Pattern[c.Command]]:
    if seat != GUEST or not state.anonymous_id:
        return ()
    enter = (c.Enter(),) if state.sessions_today < SESSIONS_A_DAY else ()
    session = state.session
    if session is None:
        return enter
    back = (c.TakeBack(session_id=session.id),) if state.crisis_flag_date is not None else ()
    if session.over:
        return (*enter, *back)
    return (
        *enter,
        Pattern(c.Say(session_id=session.id, text=Words("Good evening.")), {"text": c.MESSAGE}),
        *(c.Mute(session_id=session.id, agent=agent, muted=agent not in state.muted) for agent in MUTABLE),
        c.Leave(session_id=session.id),
        *back,
    )


__all__ = ["NAME", "handle", "legal"]
