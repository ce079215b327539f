"""The world around them: milestones, exposure, triggers, silence, the key; and the door."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import field
from msgspec.structs import replace

from greenroom.worlds.phantom.rules import state as s
from greenroom.worlds.phantom.rules.events.base import PhantomEvent
from greenroom.worlds.phantom.rules.state import Engagement, Phantom, each, noted, put


class MilestoneReached(PhantomEvent, frozen=True):
    milestone: str
    agent: str | None = None
    context: Mapping[str, Any] = field(default_factory=dict)

    def change(self, state: Phantom, at: datetime) -> Phantom:
        milestone = s.Milestone(at=at, agent=self.agent)
        return replace(state, milestones=put(state.milestones, self.milestone, milestone))


class ExposureChanged(PhantomEvent, frozen=True):
    delta: int
    level: int
    reason: str
    #: Whether a visit to the dashboard caused it; these are capped together.
    visit: bool = False

    def change(self, state: Phantom, at: datetime) -> Phantom:
        visits = state.visits_exposure + (self.delta if self.visit else 0)
        return replace(state, exposure=self.level, visits_exposure=visits)


class ConditionsMet(PhantomEvent, frozen=True):
    names: tuple[str, ...]

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return replace(state, conditions=each(state.conditions, self.names))


class TriggerFired(PhantomEvent, frozen=True):
    trigger: str
    because: str
    actions: tuple[str, ...]

    def change(self, state: Phantom, at: datetime) -> Phantom:
        before = state.fired.get(self.trigger)
        fired = s.Fired(count=1 + (before.count if before else 0), at=at)
        return replace(state, fired=put(state.fired, self.trigger, fired))


class TriggerRested(PhantomEvent, frozen=True):
    """The condition of a trigger that may come again holds no more."""

    trigger: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        rested = replace(state.fired[self.trigger], holds=False)
        return replace(state, fired=put(state.fired, self.trigger, rested))


class EngagementMoved(PhantomEvent, frozen=True):
    now: Engagement

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return state.with_presence(level=self.now, tries=0)


class Reengaged(PhantomEvent, frozen=True):
    agent: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        before = state.presence
        return state.with_presence(tries=before.tries + 1, attempts=before.attempts + 1, attempted_at=at)


class Hushed(PhantomEvent, frozen=True):
    """A week of silence has been counted."""

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return state.with_presence(hushed=True)


class DeadlinePassed(PhantomEvent, frozen=True):
    def change(self, state: Phantom, at: datetime) -> Phantom:
        return replace(state, thursday_passed=True)


class KeyUsed(PhantomEvent, frozen=True):
    ip_address: str
    user_agent: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        assert state.key is not None
        key = replace(state.key, used=state.key.used + 1, first_used_at=state.key.first_used_at or at)
        return replace(state, key=key)


class KeyRefused(PhantomEvent, frozen=True):
    """Known and used up, or not this player's."""

    known: bool
    ip_address: str
    user_agent: str


class KeyDeleted(PhantomEvent, frozen=True):
    """The player says so."""

    agent: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        assert state.key is not None
        return replace(state, key=replace(state.key, deleted_at=at))


class DocumentRead(PhantomEvent, frozen=True):
    document: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return replace(state, documents=each(state.documents, (self.document,)))


class Processed(PhantomEvent, frozen=True):
    """One message went through the twelve steps: the first of them when it came, the others when it is answered."""

    message: str
    agent: str | None
    channel: str
    steps: tuple[tuple[str, str], ...]
    intent: str = ""
    changes: tuple[str, ...] = ()
    exchanges: tuple[str, ...] = ()

    def change(self, state: Phantom, at: datetime) -> Phantom:
        before = state.trace
        trace = noted(s.Trace, self)
        if before.message == self.message and before.agent == self.agent:  # the second half of the same message
            trace = replace(before, steps=tuple({**dict(before.steps), **dict(self.steps)}.items()))
        return replace(state, trace=trace)


class TimePassed(PhantomEvent, frozen=True):
    """The clock was looked at, and what was due then has been seen to."""


class DoorOpened(PhantomEvent, frozen=True):
    def change(self, state: Phantom, at: datetime) -> Phantom:
        return replace(state, door=True)


class Knocked(PhantomEvent, frozen=True):
    ip_address: str
    user_agent: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return replace(state, knocks=state.knocks + 1)
