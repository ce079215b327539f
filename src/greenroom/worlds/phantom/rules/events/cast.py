"""What agents think, know and tell each other."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from greenroom.kernel.words import Words
from greenroom.worlds.phantom.rules import state as s
from greenroom.worlds.phantom.rules.conditions import Level
from greenroom.worlds.phantom.rules.content import Category, ClaimType, Inheritance, Significance, Tone
from greenroom.worlds.phantom.rules.events.base import PhantomEvent
from greenroom.worlds.phantom.rules.state import Alliance, Character, Phantom, each, noted, put


class TrustChanged(PhantomEvent, frozen=True):
    agent: str
    delta: int
    trust: int
    reason: str
    message: str | None = None
    #: Whether the agent knows why.
    known: bool = True
    betrayal: bool = False

    def change(self, state: Phantom, at: datetime) -> Phantom:
        character = state.cast[self.agent]
        notes = (*character.notes, noted(s.TrustNote, self))[-s.NOTES :]
        betrayed = character.betrayed or self.betrayal
        return state.with_agent(self.agent, trust=self.trust, notes=notes, betrayed=betrayed)


class Ignored(PhantomEvent, frozen=True):
    """A letter was not answered for a day."""

    agent: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        character = state.cast[self.agent]
        return state.with_agent(self.agent, ignored=character.ignored + 1, unanswered=character.unanswered[1:])


class FactLearned(PhantomEvent, frozen=True):
    #: Whom it was told to, and where.
    agent: str
    channel: str
    fact: str
    category: Category
    source: str
    message: str | None = None

    def change(self, state: Phantom, at: datetime) -> Phantom:
        note = noted(s.FactNote, self)
        facts = tuple(one for one in state.cast[self.agent].facts if one != note)
        return state.with_agent(self.agent, facts=(*facts, note)[-s.FACTS :])


class ItemsHeld(PhantomEvent, frozen=True):
    agent: str
    items: tuple[str, ...]

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return state.with_agent(self.agent, items=each(state.cast[self.agent].items, self.items))


class ClaimMade(PhantomEvent, frozen=True):
    n: int
    agent: str
    claim: str
    type: ClaimType
    is_true: bool | None
    significance: Significance
    subject: str | None
    says: bool
    message: str
    words: Words

    def change(self, state: Phantom, at: datetime) -> Phantom:
        claim = noted(s.ClaimNote, self, memory=self.words.id, letter=self.message)
        claims = (*state.cast[self.agent].claims, claim)[-s.CLAIMS :]
        return state.counted(claims=1).with_agent(self.agent, claims=claims)


class ClaimContradicted(PhantomEvent, frozen=True):
    """An older claim was contradicted by a newer one."""

    n: int
    agent: str
    by: int

    def change(self, state: Phantom, at: datetime) -> Phantom:
        claims = state.cast[self.agent].claims
        marked = tuple(replace(one, contradicted=True) if one.n == self.n else one for one in claims)
        return state.with_agent(self.agent, claims=marked)


class SessionClosed(PhantomEvent, frozen=True):
    agent: str
    n: int
    words: Words

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return state.with_agent(self.agent, session=None)


class MomentKept(PhantomEvent, frozen=True):
    """A key moment, written down at once."""

    agent: str
    type: str
    words: Words

    def change(self, state: Phantom, at: datetime) -> Phantom:
        session = state.cast[self.agent].session
        if session is None:
            return state
        moments = (*session.moments, self.type)[-s.MOMENTS :]
        return state.with_agent(self.agent, session=replace(session, moments=moments))


class CharacterEntered(PhantomEvent, frozen=True):
    agent: str
    channel: str
    items: tuple[str, ...] = ()

    def change(self, state: Phantom, at: datetime) -> Phantom:
        character = Character(entered_at=at, since=at, items=self.items)
        channels = put(state.channels, self.channel, s.MessageChannel(owner=self.agent))
        return replace(state, cast=put(state.cast, self.agent, character), channels=channels)


class LifecycleMoved(PhantomEvent, frozen=True):
    agent: str
    was: Level
    now: Level
    reason: str
    trust: int
    probability: float
    multiplier: float
    tone: Tone

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return state.with_agent(
            self.agent,
            level=self.now,
            since=at,
            reason=self.reason,
            probability=self.probability,
            multiplier=self.multiplier,
            tone=self.tone,
        )


class ChannelInherited(PhantomEvent, frozen=True):
    channel: str
    agent: str
    was: str
    inheritance: Inheritance

    def change(self, state: Phantom, at: datetime) -> Phantom:
        channel = state.channels[self.channel]
        previous = (*channel.previous, self.was)[-s.CAST :]
        taken = s.MessageChannel(owner=self.agent, previous=previous, inherited_at=at, inheritance=self.inheritance)
        state = replace(state, channels=put(state.channels, self.channel, taken))
        return state if self.inheritance == "none" else _heir(state, self.agent, self.was)


class Exchanged(PhantomEvent, frozen=True):
    n: int
    giver: str
    receiver: str
    trigger: str
    shared: tuple[str, ...]
    withheld: tuple[str, ...]
    trust_delta: int
    alliance: Alliance

    def change(self, state: Phantom, at: datetime) -> Phantom:
        state = state.counted(exchanges=1)
        receiver = state.cast[self.receiver]
        before = receiver.learned.get(self.giver)
        items = each(before.items if before else (), self.shared)
        heard = s.Heard(n=self.n, source=self.giver, items=self.shared, at=at)
        unsurfaced = (*receiver.unsurfaced, heard)[-s.UNSURFACED :] if self.shared else receiver.unsurfaced
        learned = put(receiver.learned, self.giver, s.Passed(items=items, n=self.n))
        return state.with_agent(self.receiver, learned=learned, unsurfaced=unsurfaced)


class ExchangeSurfaced(PhantomEvent, frozen=True):
    n: int
    agent: str
    message: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        left = tuple(one for one in state.cast[self.agent].unsurfaced if one.n != self.n)
        return state.with_agent(self.agent, unsurfaced=left)


def _heir(state: Phantom, agent: str, was: str) -> Phantom:
    """An heir knows what was told to the one before it, and that there was one."""
    before, own = state.cast[was], state.cast[agent]
    return state.with_agent(
        agent,
        facts=each(before.facts, own.facts)[-s.FACTS :],
        items=each(own.items, before.items),
        heard_of=tuple(one for one in each(own.heard_of, (was,), before.heard_of) if one != agent),
        told_of_use=own.told_of_use or before.told_of_use,
    )
