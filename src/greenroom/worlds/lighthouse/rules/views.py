"""Who sees what: the whole secrecy of this world is in this file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never

from greenroom.kernel.facts import Noted
from greenroom.kernel.worlds import OPERATOR, EventContext, Seat
from greenroom.worlds.lighthouse.rules import events as e
from greenroom.worlds.lighthouse.rules.content import Content, named
from greenroom.worlds.lighthouse.rules.state import KEEPER, VISITOR, Lamp, Lighthouse, Line, Mood

#: Seats inside the keeper's head.
INSIDE = (KEEPER, OPERATOR)
ASHORE = (VISITOR, *INSIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one seat sees. Whoever has no seat looks from the sea: the lamp, and nothing else."""

    lamp: Lamp
    at: datetime
    keeper: str = ""
    weather: str = ""
    sight: str = ""
    mood: Mood | None = None
    abed: bool = False
    recent: tuple[Line, ...] = ()
    mail_at: datetime | None = None
    ended_at: datetime | None = None
    #: None for whoever does not know it.
    secret: str | None = None
    #: Whether the keeper has told it.
    told: bool = False
    #: The keeper's own business.
    trust: int | None = None


def seats(state: Lighthouse) -> Sequence[Seat]:
    return (VISITOR, KEEPER)


def view(content: Content, state: Lighthouse, seat: Seat, now: datetime) -> View:
    if seat not in ASHORE or state.started_at is None:
        return View(lamp=state.lamp, at=now)
    knows = seat in INSIDE or state.told
    return View(
        lamp=state.lamp,
        at=now,
        keeper=content.keeper.name,
        weather=named(content.weather, state.weather),
        sight=named(content.sights, state.sight) if state.sight else "",
        mood=state.mood,
        abed=state.quiet_since is None,
        recent=state.recent,
        mail_at=content.hours.mail_boat(now),
        ended_at=state.ended_at,
        secret=named(content.secrets, state.secret).truth if knows else None,
        told=state.told,
        trust=state.trust if seat in INSIDE else None,
    )


def shows(content: Content, state: Lighthouse, told: EventContext[e.Event], seat: Seat) -> Mapping[str, Any] | None:
    event = told.event
    if seat not in ASHORE and not isinstance(event, e.LampLit | e.LampOut):
        return None
    if isinstance(event, e.NotesTaken | Noted) and seat not in INSIDE:
        return None
    inside = _inside(content, event) if seat in INSIDE else {}
    seen = _of_visitor(content, event) if isinstance(event, e.Deed) else _of_keeper(content, event)
    return {**seen, **inside}


def _inside(content: Content, event: e.Event) -> Mapping[str, Any]:
    match event:
        case e.Arrived(secret=secret, trust=trust):
            return {"secret": named(content.secrets, secret).truth, "trust": trust}
        case e.Answered(trust=trust):
            return {"trust": trust}
        case Noted(words=words, relation=relation):
            return {"noted": words, "relation": relation}
        case e.NotesTaken(lines=lines):
            return {"lines": lines}
        case _:
            return {}


def _of_visitor(content: Content, event: e.Deed) -> Mapping[str, Any]:
    match event:
        case e.Arrived(weather=weather, lamp=lamp):
            return {"keeper": content.keeper.name, "weather": named(content.weather, weather), "lamp": lamp}
        case e.Said(words=words):
            return {"said": words}
        case e.Climbed(sight=sight):
            return {"sight": named(content.sights, sight)}
        case e.HeldUp(by=by):
            return {"held_up": named(content.hindrances, by)}
        case e.LetterTaken(due_at=due_at):
            return {"due_at": due_at}
        case e.Left():
            return {"left": True}
        case _:
            assert_never(event)


def _of_keeper(content: Content, event: e.Duty) -> Mapping[str, Any]:
    match event:
        case e.Answered(words=words, mood=mood):
            return {"line": words, "mood": mood}
        case e.SecretTold(secret=secret, in_words=in_words):
            return {"told": True} if in_words else {"secret": named(content.secrets, secret).truth}
        case e.NotesTaken() | Noted():
            return {}
        case e.LampLit():
            return {"lamp": "lit"}
        case e.LampOut():
            return {"lamp": "out"}
        case e.WentToBed(words=words):
            return {"line": words}
        case _:
            assert_never(event)


def reply(
    content: Content, state: Lighthouse, events: Sequence[EventContext[e.Event]], seat: Seat
) -> Mapping[str, Any]:
    """All that the events of the turn show this seat, in one piece; so it cannot tell more than they do."""
    shown = (shows(content, state, told, seat) or {} for told in events)
    return {key: value for part in shown for key, value in part.items()}


def overhears(content: Content, state: Lighthouse, seat: Seat, sentence: str) -> bool:
    """Whether a seat may hear a sentence before the line is settled: never one that could tell what is not told."""
    if seat not in ASHORE or content.against_canon(sentence) is not None:
        return False
    secret = named(content.secrets, state.secret)
    return state.told or not (secret.given_away_by(sentence) or secret.may_be_given_away_by(sentence))
