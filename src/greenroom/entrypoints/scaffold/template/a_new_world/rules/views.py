"""Who sees what: the whole secrecy of this world is in this file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never

from greenroom.kernel.worlds import OPERATOR, EventContext, Seat

from . import events as e
from .content import Content, Riddle
from .state import GUEST, HOST, Line, State

#: Seats that know the answer.
INSIDE = (HOST, OPERATOR)
PRESENT = (GUEST, *INSIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one seat sees. Whoever has no seat sees that there is an evening, and nothing else."""

    at: datetime
    ended_at: datetime | None = None
    host: str = ""
    question: str = ""
    hints: tuple[str, ...] = ()
    guesses: int = 0
    recent: tuple[Line, ...] = ()
    #: None for whoever does not know it.
    answer: str | None = None


def seats(state: State) -> Sequence[Seat]:
    return (GUEST, HOST)


def view(content: Content, state: State, seat: Seat, now: datetime) -> View:
    if seat not in PRESENT or state.started_at is None:
        return View(at=now, ended_at=state.ended_at)
    riddle = content.riddles[state.riddle]
    return View(
        at=now,
        ended_at=state.ended_at,
        host=content.host.name,
        question=riddle.question,
        hints=riddle.hints[: state.hints],
        guesses=state.guesses,
        recent=state.recent,
        answer=riddle.answer if seat in INSIDE or state.ended_at is not None else None,
    )


def shows(content: Content, state: State, told: EventContext[e.Event], seat: Seat) -> Mapping[str, Any] | None:
    if seat not in PRESENT:
        return None
    riddle = content.riddles[state.riddle]
    if isinstance(told.event, e.Began):
        return {"question": riddle.question, **({"answer": riddle.answer} if seat in INSIDE else {})}
    return _shown(riddle, told.event)


def _shown(riddle: Riddle, event: e.Later) -> Mapping[str, Any]:
    """What everybody present sees alike."""
    match event:
        case e.Said(words=words):
            return {"said": words}
        case e.Answered(words=words):
            return {"line": words}
        case e.Hinted(hint=hint):
            return {"hint": riddle.hints[hint]}
        case e.Shrugged():
            return {"hint": None}
        case e.Guessed(words=words, right=right):
            return {"guess": words, "right": right}
        case e.Left() | e.Closed():
            return {"over": True}
        case _:
            assert_never(event)


def reply(content: Content, state: State, events: Sequence[EventContext[e.Event]], seat: Seat) -> Mapping[str, Any]:
    """All that the events of the turn show this seat, in one piece; so it cannot tell more than they do."""
    shown = (shows(content, state, told, seat) or {} for told in events)
    return {key: value for part in shown for key, value in part.items()}
