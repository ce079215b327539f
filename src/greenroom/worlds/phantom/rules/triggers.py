"""Conditions looked at: whether they hold now, and when time alone may change that."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from greenroom.worlds.phantom.rules.conditions import AllOf, AnyOf, Atom, Condition, NotOf, atoms
from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.pacing import DAY, day_of, phase
from greenroom.worlds.phantom.rules.state import Phantom

_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
#: What a condition looks at: something of the whole story, or of its subject.
_OF_STORY: Mapping[str, Callable[[Phantom, datetime], Any]] = {
    "exposure": lambda state, at: state.exposure,
    "day": day_of,
    "phase": phase,
    "engagement": lambda state, at: state.presence.level,
    "accesses": lambda state, at: state.key.used if state.key else 0,
    "documents": lambda state, at: len(state.documents),
    "messages": lambda state, at: state.counts.received,
    "puzzles": lambda state, at: sum(name.endswith("_solved") for name in state.milestones),
}
_OF_SUBJECT: Mapping[str, Callable[[Phantom, datetime, str], Any]] = {
    "milestone": lambda state, at, name: name in state.milestones,
    "read": lambda state, at, name: name in state.documents,
    "since": lambda state, at, name: _span(_reached_at(state, name), at),
    "trust": lambda state, at, name: getattr(state.cast.get(name), "trust", None),
    "interactions": lambda state, at, name: getattr(state.cast.get(name), "interactions", None),
    "lifecycle": lambda state, at, name: getattr(state.cast.get(name), "level", None),
    "state": lambda state, at, name: _span(getattr(state.cast.get(name), "since", None), at),
}


def holds(condition: Condition, content: Content, state: Phantom, at: datetime, agent: str = "") -> bool:
    """Whether a condition is true; ``agent`` is whom the short forms of a lifecycle speak of."""
    match condition:
        case AllOf(all=parts):
            return all(holds(part, content, state, at, agent) for part in parts)
        case AnyOf(any=parts):
            return any(holds(part, content, state, at, agent) for part in parts)
        case NotOf(not_=part):
            return not holds(part, content, state, at, agent)
        case Atom(field="cause", subject=cause):
            return _caused(cause, content, state, at, agent)
        case Atom(field=field, subject=subject, operator=sign, value=value):
            who = subject or agent
            found = _OF_STORY[field](state, at) if field in _OF_STORY else _OF_SUBJECT[field](state, at, who)
            return found is not None and _OPERATORS[sign](found, value)


def _caused(cause: str, content: Content, state: Phantom, at: datetime, agent: str) -> bool:
    """Whether one of the causes has come that the agent's own file spells out."""
    character, lifecycle = state.cast.get(agent), content.agents[agent].lifecycle
    if character is None:
        return False
    if cause == "player_betrayal":
        return lifecycle.player_betrayal and character.betrayed
    spelled: Condition | None = getattr(lifecycle, cause)
    return spelled is not None and holds(spelled, content, state, at, agent)


def _span(since: datetime | None, at: datetime) -> timedelta | None:
    return None if since is None else at - since


def _reached_at(state: Phantom, milestone: str) -> datetime | None:
    reached = state.milestones.get(milestone)
    return state.started_at if milestone == "start" else reached.at if reached is not None else None


def moments(condition: Condition, content: Content, state: Phantom, agent: str = "") -> Iterable[datetime]:
    """The moments at which a condition may become true or false by itself. Phases change at moments of their own."""
    for atom in atoms(condition):
        match atom:
            case NotOf(not_=part):
                yield from moments(part, content, state, agent)
            case Atom(field="cause", subject="goal_achieved" | "agent_compromised" as cause):
                spelled = getattr(content.agents[agent].lifecycle, cause)
                yield from () if spelled is None else moments(spelled, content, state, agent)
            case Atom():
                yield from _turns(atom, state, agent)


def _turns(atom: Atom, state: Phantom, agent: str) -> Iterable[datetime]:
    """When a single condition turns."""
    match atom:
        case Atom(field="since" | "state", value=timedelta() as span):
            entered = state.cast[agent].since if agent in state.cast else None
            since = _reached_at(state, atom.subject) if atom.field == "since" else entered
            return () if since is None else (since + span,)
        case Atom(field="day", value=float(day)) if state.started_at is not None:
            return (state.started_at + (day - 1) * DAY, state.started_at + day * DAY)
        case _:
            return ()


def met(condition: Condition, names: Iterable[str]) -> bool:
    """Whether a condition follows from the names of single conditions that were met."""
    match condition:
        case AllOf(all=parts):
            return all(met(part, names) for part in parts)
        case AnyOf(any=parts):
            return any(met(part, names) for part in parts)
        case _:
            return condition.name in names
