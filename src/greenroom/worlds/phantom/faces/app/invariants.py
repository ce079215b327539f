"""What must hold of every player's story after every event, worked out beside the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from greenroom.kernel.worlds import EventContext
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.state import (
    CLAIMS,
    FACTS,
    LINES,
    MOMENTS,
    NOTES,
    TOPICS,
    UNREAD,
    UNSURFACED,
    Phantom,
)

ORDER = ("engaged", "cooling", "silent", "gone")
MOST_A_DAY = 6
#: Letters that may be waiting to be sent: those of the house, and on a branch those of two days.
MOST_WAITING = 24
#: A letter is written so long before it is sent.
LEAD = timedelta(minutes=2)
#: Readings that cannot be undone.
IRREVERSIBLE = ("key_deleted_claim", "shares_agent_secret", "threatens")


def broken(before: Phantom, told: EventContext[Any], after: Phantom) -> list[str]:
    """Sentences about what an event broke; empty when all is well."""
    found = [*_clamps(after), *_bounds(after), *_one_way(before, after), *_letters(before, told, after)]
    return [*found, *_punctual(before, told), *_once(before, told), *_in_order(before, told), *_certain(told)]


def _clamps(state: Phantom) -> Iterable[str]:
    if not 0 <= state.exposure <= 100:
        yield f"exposure is {state.exposure}"
    if not 0 <= state.visits_exposure <= 15:
        yield f"visits added {state.visits_exposure} to exposure"
    for name, character in state.cast.items():
        if not -100 <= character.trust <= 100:
            yield f"trust of {name} is {character.trust}"
        if character.ignored > 2:
            yield f"{name} counted {character.ignored} letters as ignored"
    if state.key is not None and state.key.used > state.key.limit:
        yield f"the key was used {state.key.used} times of {state.key.limit}"


def _bounds(state: Phantom) -> Iterable[str]:
    """Every collection of the state is bounded."""
    for name, one in state.cast.items():
        sizes = {
            "notes": (one.notes, NOTES),
            "facts": (one.facts, FACTS),
            "lines": (one.recent, LINES),
            "claims": (one.claims, CLAIMS),
            "unsurfaced": (one.unsurfaced, UNSURFACED),
            "topics": (one.session.topics if one.session else (), TOPICS),
            "moments": (one.session.moments if one.session else (), MOMENTS),
            "unanswered": (one.unanswered, 2),
        }
        yield from (f"{name} holds {len(held)} {what}" for what, (held, most) in sizes.items() if len(held) > most)
    if len(state.waiting) > MOST_WAITING:
        yield f"{len(state.waiting)} letters are waiting"
    if len(state.unread) > UNREAD:
        yield f"{len(state.unread)} letters count as unread"


def _one_way(before: Phantom, after: Phantom) -> Iterable[str]:
    for name, character in before.cast.items():
        was, now = ORDER.index(character.level), ORDER.index(after.cast[name].level)
        if now < was:
            yield f"{name} went back from {character.level} to {after.cast[name].level}"
    if set(before.milestones) - set(after.milestones):
        yield "a milestone was lost"
    if set(before.conditions) - set(after.conditions):
        yield "a spawn condition was lost"


def _letters(before: Phantom, told: EventContext[Any], after: Phantom) -> Iterable[str]:
    for day, count in after.days.items():
        if count > MOST_A_DAY:
            yield f"{count} letters of agents on {day}"
    event = told.event
    if not isinstance(event, e.LetterWritten) or event.agent is None:
        return
    here = event.due_at.astimezone(ZoneInfo(after.timezone))
    wrote = after.presence.last_player_at
    awake = wrote is not None and timedelta(0) <= event.due_at - wrote <= timedelta(hours=1)
    if (here.hour >= 22 or here.hour < 8) and not awake:
        yield f"a letter of {event.agent} is due at {here:%H:%M} local time"
    if event.due_at < event.wanted_at:
        yield f"a letter of {event.agent} was moved forward"
    if after.opted_out or before.presence.level == "churned":
        yield f"{event.agent} wrote to a player who gets no letters"
    if before.cast[event.agent].level == "gone":
        yield f"{event.agent} wrote after having gone"
    yield from _too_late(before, event)


def _too_late(before: Phantom, event: e.LetterWritten) -> Iterable[str]:
    """No letter speaks of what is to come when it is over."""
    if event.situation == "thursday_morning" and before.deadline_at is not None and event.due_at >= before.deadline_at:
        yield f"{event.agent} writes of a Thursday that is over"


def _punctual(before: Phantom, told: EventContext[Any]) -> Iterable[str]:
    """What an agent means to send at a moment is written two minutes before, and no answer is put off by a burst."""
    if isinstance(told.event, e.PlanDone):
        (plan,) = (plan for plan in before.plans if plan.n == told.event.n)
        if not plan.due_at - LEAD <= told.at <= plan.due_at:
            yield f"{plan.agent} wrote {plan.situation} {told.at - plan.due_at} late"
    if isinstance(told.event, e.Planned) and told.event.owed is not None:
        old = next((plan for plan in before.plans if plan.n == told.event.n), None)
        if old is not None and told.event.due_at > old.due_at:
            yield f"an answer of {old.agent} was put off by a burst"


def _in_order(before: Phantom, told: EventContext[Any]) -> Iterable[str]:
    """Letters of one agent arrive in the order in which they were written, and what is not sent was not said."""
    event = told.event
    if isinstance(event, e.LetterSent) and event.agent is not None:
        own = [one for one in before.waiting if one.agent == event.agent]
        if own and own[0].key != event.key and event.key in [one.key for one in own]:
            yield f"{event.key} overtook {own[0].key}"
    if isinstance(event, e.LetterWritten) and event.agent is not None:
        late = [one.key for one in before.waiting if one.agent == event.agent and one.due_at > event.due_at]
        if late:
            yield f"{event.key} would overtake {late[0]}"


def _certain(told: EventContext[Any]) -> Iterable[str]:
    """Nothing that cannot be undone follows from a reading that is not certain of it."""
    event = told.event
    if isinstance(event, e.Classified):
        did, unsure = event.classification["behaviors"], event.classification["unsure"]
        yield from (f"{name} counts and is not certain" for name in IRREVERSIBLE if did[name] and name in unsure)


def _once(before: Phantom, told: EventContext[Any]) -> Iterable[str]:
    event = told.event
    check = _ONCE.get(type(event))
    if check is not None and check(before, event):
        yield f"{type(event).__name__} happened a second time"


_ONCE: Mapping[type[Any], Callable[[Phantom, Any], bool]] = {
    e.Started: lambda state, event: state.started_at is not None,
    e.DeadlinePassed: lambda state, event: state.thursday_passed,
    e.MilestoneReached: lambda state, event: event.milestone in state.milestones,
    e.KeyDeleted: lambda state, event: state.key is not None and state.key.deleted_at is not None,
    e.CharacterEntered: lambda state, event: event.agent in state.cast,
    e.Hushed: lambda state, event: state.presence.hushed,
    e.OptedOut: lambda state, event: state.opted_out,
}
