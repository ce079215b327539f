"""Conditions looked at: whether they hold now, and when time alone may change that."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, assert_never

from greenroom.worlds.phantom.rules import conditions as c
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


def holds(condition: c.Condition, content: Content, state: Phantom, at: datetime, agent: str = "") -> bool:
    """Whether a condition is true; ``agent`` is whom the short forms of a lifecycle speak of."""
    match condition:
        case c.AllOf(all=parts):
            return all(holds(part, content, state, at, agent) for part in parts)
        case c.AnyOf(any=parts):
            return any(holds(part, content, state, at, agent) for part in parts)
        case c.NotOf(not_=part):
            return not holds(part, content, state, at, agent)
        case c.TrustBelow() | c.DaysInState() | c.Cause():
            return _of_agent(condition, content, state, at, agent)
        case _:
            return _of_story(condition, state, at)


def _of_story(
    condition: c.Compare | c.Reached | c.HasRead | c.Since | c.Exposed | c.Faded, state: Phantom, at: datetime
) -> bool:
    match condition:
        case c.Compare(field=field, subject=subject, operator=sign, value=value):
            found = _value(field, subject, state, at)
            return found is not None and _OPERATORS[sign](found, value)
        case c.Reached(milestone=milestone):
            return milestone in state.milestones
        case c.HasRead(read=document):
            return document in state.documents
        case c.Since(at_least=span):
            since = _reached_at(condition, state)
            return since is not None and at - since >= span
        case c.Exposed(exposure_gte=level):
            return state.exposure >= level
        case c.Faded(agent_lifecycle=wanted):
            return all(agent in state.cast and state.cast[agent].level == level for agent, level in wanted.items())
        case _:
            assert_never(condition)


def _of_agent(
    condition: c.TrustBelow | c.DaysInState | c.Cause, content: Content, state: Phantom, at: datetime, agent: str
) -> bool:
    character = state.cast.get(agent)
    if character is None:
        return False
    match condition:
        case c.TrustBelow(trust_below=level):
            return character.trust < level
        case c.DaysInState(days_in_state=days):
            return character.since is not None and at - character.since >= timedelta(days=days)
        case c.Cause(cause="player_betrayal"):
            return content.agents[agent].lifecycle.player_betrayal and character.betrayed
        case c.Cause(cause=name):
            spelled: c.Condition | None = getattr(content.agents[agent].lifecycle, name)
            return spelled is not None and holds(spelled, content, state, at, agent)


def _value(field: str, subject: str, state: Phantom, at: datetime) -> int | str | None:
    if subject:
        character = state.cast.get(subject)
        return None if character is None else getattr(character, "level" if field == "lifecycle" else field)
    return _FIELDS[field](state, at)


_FIELDS: Mapping[str, Callable[[Phantom, datetime], int | str]] = {
    "exposure": lambda state, at: state.exposure,
    "day": day_of,
    "phase": phase,
    "engagement": lambda state, at: state.presence.level,
    "accesses": lambda state, at: state.key.used if state.key else 0,
    "documents": lambda state, at: len(state.documents),
    "messages": lambda state, at: state.counts.received,
    "puzzles": lambda state, at: sum(name.endswith("_solved") for name in state.milestones),
}


def _reached_at(condition: c.Since, state: Phantom) -> datetime | None:
    if condition.milestone == "start":
        return state.started_at
    reached = state.milestones.get(condition.milestone)
    return None if reached is None else reached.at


def moments(condition: c.Condition, content: Content, state: Phantom, agent: str = "") -> Iterable[datetime]:
    """The moments at which a condition may become true or false by itself. Phases change at moments of their own."""
    for atom in c.atoms(condition):
        match atom:
            case c.NotOf(not_=part):
                yield from moments(part, content, state, agent)
            case c.Cause(cause="goal_achieved" | "agent_compromised" as name):
                spelled = getattr(content.agents[agent].lifecycle, name)
                if spelled is not None:
                    yield from moments(spelled, content, state, agent)
            case _:
                yield from _turns(atom, state, agent)


def _turns(atom: c.Condition, state: Phantom, agent: str) -> Iterable[datetime]:
    """When a single condition turns."""
    match atom:
        case c.Since(at_least=span):
            since = _reached_at(atom, state)
            return () if since is None else (since + span,)
        case c.Compare(field="day", value=int(day)) if state.started_at is not None:
            return (state.started_at + (day - 1) * DAY, state.started_at + day * DAY)
        case c.DaysInState(days_in_state=days):
            entered = state.cast[agent].since if agent in state.cast else None
            return () if entered is None else (entered + timedelta(days=days),)
        case _:
            return ()


def met(condition: c.Condition, names: Iterable[str]) -> bool:
    """Whether a condition follows from the names of single conditions that were met."""
    match condition:
        case c.AllOf(all=parts):
            return all(met(part, names) for part in parts)
        case c.AnyOf(any=parts):
            return any(met(part, names) for part in parts)
        case _:
            return condition.name in names
