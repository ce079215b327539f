"""What can have happened. An event carries results, so that no edit of rules or content alters the past.

Sentences here (reasons, facts, claims) are in the third person; words that were said stand in the memory bank. What is
stored of an event is its class's name in small letters, and its fields: neither is ever renamed. All of them stand here
because what they are told by is this one list.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from greenroom.kernel.facts import Noted
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.phantom.rules import state as s
from greenroom.worlds.phantom.rules.commands import by_name
from greenroom.worlds.phantom.rules.conditions import Level
from greenroom.worlds.phantom.rules.content import Category, ClaimType, Inheritance, Significance, Tone
from greenroom.worlds.phantom.rules.state import (
    Alliance,
    Character,
    ContactKind,
    Delivery,
    Engagement,
    Owed,
    Phantom,
    each,
    noted,
    put,
)


class PhantomEvent(Struct, frozen=True):
    """Something that happened, and what of the state it changes: nothing where only tables and memory keep it."""

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return state


# what agents think, know and tell each other


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
        effects = {name: getattr(self, name) for name in ("reason", "probability", "multiplier", "tone")}
        return state.with_agent(self.agent, level=self.now, since=at, **effects)


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


# registration, messages and letters


#: How often one agent may count a letter as ignored.
MOST_IGNORED = 2
#: The situation of the letter that begins it all; nobody is expected to answer it.
KEY_MAIL = "key_mail"


class Registered(PhantomEvent, frozen=True):
    player: str
    email: str
    phone: str | None
    timezone: str
    delivery: Delivery

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return replace(
            state,
            player=self.player,
            email=self._contact(self.email or None),
            phone=self._contact(self.phone),
            timezone=self.timezone,
            delivery=self.delivery,
            registered_at=at,
        )

    def _contact(self, address: str | None) -> s.Contact | None:
        """An address to be proved. A story on the page has none, whatever earlier ones wrote down."""
        return None if address is None or self.delivery == "page" else s.Contact(address=address)


class CodeIssued(PhantomEvent, frozen=True):
    kind: ContactKind
    code: str
    expires_at: datetime

    def change(self, state: Phantom, at: datetime) -> Phantom:
        contact = state.contact(self.kind)
        sent = (*(contact.sent if contact else ()), at)[-s.CODES :]
        return _contacted(state, self.kind, code=self.code, expires_at=self.expires_at, tries=0, sent=sent)


class CodeTried(PhantomEvent, frozen=True):
    kind: ContactKind
    right: bool

    def change(self, state: Phantom, at: datetime) -> Phantom:
        if self.right:
            return _contacted(state, self.kind, code="", expires_at=None, tries=0, verified=True)
        contact = state.contact(self.kind)
        return _contacted(state, self.kind, tries=1 + (contact.tries if contact else 0))


class CodeExpired(PhantomEvent, frozen=True):
    kind: ContactKind

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return _contacted(state, self.kind, code="", expires_at=None)


class Started(PhantomEvent, frozen=True):
    thursday_at: datetime
    deadline_at: datetime

    def change(self, state: Phantom, at: datetime) -> Phantom:
        state = replace(state, started_at=at, thursday_at=self.thursday_at, deadline_at=self.deadline_at)
        return state.with_presence(last_player_at=at)


class KeyMade(PhantomEvent, frozen=True):
    value: str
    limit: int

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return replace(state, key=s.Key(value=self.value, limit=self.limit, created_at=at))


class TriggerRead(Struct, frozen=True):
    """A trigger as the content defines it."""

    trigger: str
    condition: str
    actions: tuple[str, ...]
    once: bool
    note: str


class ContentRead(PhantomEvent, frozen=True):
    """From here on the story is told with this content."""

    digest: str
    triggers: tuple[TriggerRead, ...]

    def change(self, state: Phantom, at: datetime) -> Phantom:
        known = {one.trigger for one in self.triggers}
        fired = {name: one for name, one in state.fired.items() if name in known}
        return replace(state, content=self.digest, fired=fired)


class MessageReceived(PhantomEvent, frozen=True):
    #: How other events and tables name it.
    ref: str
    channel: str
    #: Whom it reached; None if it was for the house, or nobody reads there.
    agent: str | None
    words: Words
    provider_id: str = ""

    def change(self, state: Phantom, at: datetime) -> Phantom:
        state = state.with_presence(last_player_at=at, tries=0, attempts=0, hushed=False).counted(received=1)
        if self.agent is None:
            return state
        character = state.cast[self.agent]
        line = s.Line(by=s.PLAYER, words=self.words, ref=self.ref, channel=self.channel, at=at)
        return _spoken(state, self.agent, line, at).with_agent(
            self.agent,
            interactions=character.interactions + 1,
            last_interaction_at=at,
            unanswered=(),
            answered=True,
            follow_ups=0,
        )


class Classified(PhantomEvent, frozen=True):
    message: str
    agent: str
    #: As the seed lays it out.
    classification: Mapping[str, Any]
    topics: tuple[str, ...] = ()
    told_of_use: bool = False
    #: Other agents that it names.
    names: tuple[str, ...] = ()

    def change(self, state: Phantom, at: datetime) -> Phantom:
        character = state.cast[self.agent]
        told = character.told_of_use or self.told_of_use
        heard_of = each(character.heard_of, self.names)
        state = state.with_agent(self.agent, told_of_use=told, heard_of=heard_of)
        if character.session is None:
            return state
        topics = each(character.session.topics, self.topics)[: s.TOPICS]
        return state.with_agent(self.agent, session=replace(character.session, topics=topics))


class LetterWritten(PhantomEvent, frozen=True):
    key: str
    agent: str | None
    #: Where the player sees it: ``email``, ``sms``, ``email:cipher``, ``system``.
    channel: str
    #: What carries it: a channel of the house.
    carrier: str
    to: str
    subject: str
    situation: str
    words: Words
    #: When it would have gone out by itself, and when it may.
    wanted_at: datetime
    due_at: datetime
    day: str = ""

    def change(self, state: Phantom, at: datetime) -> Phantom:
        letter = noted(s.Waiting, self)
        state = replace(state, waiting=(*state.waiting, letter)).counted(letters=1)
        if self.agent is None:
            return state
        state = replace(state, days=_days(state.days, self.day, 1, at))
        writer = state.cast[self.agent]
        follow_ups = writer.follow_ups + (self.situation == "follow_up")
        return state.with_agent(self.agent, contacted=True, follow_ups=follow_ups, letters=writer.letters + 1)


class LetterCancelled(PhantomEvent, frozen=True):
    key: str
    reason: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        gone = next((one for one in state.waiting if one.key == self.key), None)
        state = _taken(state, self.key)
        if gone is None or gone.agent is None:
            return state
        claims = tuple(claim for claim in state.cast[gone.agent].claims if claim.letter != self.key)
        return replace(state, days=_days(state.days, gone.day, -1, at)).with_agent(gone.agent, claims=claims)


class LetterSent(PhantomEvent, frozen=True):
    key: str
    agent: str | None

    def change(self, state: Phantom, at: datetime) -> Phantom:
        letter = next((one for one in state.waiting if one.key == self.key), None)
        state = replace(_said(state, letter, at), unread=(*state.unread, self.key)[-s.UNREAD :])
        if self.agent is None:
            return state
        state = state.with_presence(last_agent_at=at)
        character = state.cast[self.agent]
        room = MOST_IGNORED - character.ignored
        unanswered = character.unanswered
        if letter is not None and letter.situation != KEY_MAIL:
            unanswered = (*unanswered, at)[:room] if room > 0 else ()
        return state.with_agent(self.agent, delivered_at=at, answered=False, unanswered=unanswered)


class LetterFailed(PhantomEvent, frozen=True):
    key: str
    reason: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return _taken(state, self.key)


class LetterOverdue(PhantomEvent, frozen=True):
    """Nobody has said what became of a letter; the story goes on without waiting for it."""

    key: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        """The story goes on as if it had arrived."""
        return _said(state, next((one for one in state.waiting if one.key == self.key), None), at)


class LetterShown(PhantomEvent, frozen=True):
    key: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return replace(state, unread=tuple(key for key in state.unread if key != self.key))


class Planned(PhantomEvent, frozen=True):
    """A letter will be sent at a moment. With the number of an earlier plan it takes that one's place."""

    n: int
    agent: str
    situation: str
    due_at: datetime
    day: str = ""
    owed: Owed | None = None
    trigger: str = ""

    def change(self, state: Phantom, at: datetime) -> Phantom:
        plan = noted(s.Plan, self)
        before = len(state.plans)
        state = _unplanned(state, self.n, at)
        state = replace(state, plans=(*state.plans, plan), days=_days(state.days, self.day, 1, at))
        return state if len(state.plans) == before else state.counted(plans=1)


class PlanDropped(PhantomEvent, frozen=True):
    n: int
    reason: str
    #: Whether the trigger that wanted the letter may want it once more.
    again: bool = False

    def change(self, state: Phantom, at: datetime) -> Phantom:
        """What a trigger wanted and nobody wrote may be wanted again."""
        gone = next((plan for plan in state.plans if plan.n == self.n), None)
        state = _unplanned(state, self.n, at)
        if gone is None or gone.trigger not in state.fired or not self.again:
            return state
        return replace(state, fired=put(state.fired, gone.trigger, replace(state.fired[gone.trigger], unwritten=True)))


class PlanDone(PhantomEvent, frozen=True):
    n: int
    letter: str

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return _unplanned(state, self.n, at)


class OptedOut(PhantomEvent, frozen=True):
    def change(self, state: Phantom, at: datetime) -> Phantom:
        return replace(state, opted_out=True)


class OptedIn(PhantomEvent, frozen=True):
    def change(self, state: Phantom, at: datetime) -> Phantom:
        return replace(state, opted_out=False)


def _contacted(state: Phantom, kind: s.ContactKind, **changes: Any) -> Phantom:
    contact = state.contact(kind)
    return state if contact is None else replace(state, **{kind: replace(contact, **changes)})


def _spoken(state: Phantom, agent: str, line: s.Line, at: datetime) -> Phantom:
    """A line of a conversation; the first one opens a session."""
    character = state.cast[agent]
    session = character.session or s.Session(n=character.sessions + 1, opened_at=at, last_at=at)
    session = replace(session, last_at=at, messages=session.messages + 1)
    recent = (*character.recent, line)[-s.LINES :]
    return state.with_agent(agent, recent=recent, session=session, sessions=session.n)


def _said(state: Phantom, letter: s.Waiting | None, at: datetime) -> Phantom:
    """Only what has reached the player was said to them."""
    if letter is None:
        return state
    state = _taken(state, letter.key)
    if letter.agent is None:
        return state
    line = s.Line(by=letter.agent, words=letter.words, ref=letter.key, channel=letter.channel, at=letter.due_at)
    if letter.situation == KEY_MAIL:
        state = replace(state, key_mail=line)
    return _spoken(state, letter.agent, line, at)


def _taken(state: Phantom, key: str) -> Phantom:
    return replace(state, waiting=tuple(one for one in state.waiting if one.key != key))


def _unplanned(state: Phantom, n: int, at: datetime) -> Phantom:
    """Without a plan, and its place among the letters of its day is free."""
    gone = next((plan for plan in state.plans if plan.n == n), None)
    if gone is None:
        return state
    left = tuple(plan for plan in state.plans if plan.n != n)
    return replace(state, plans=left, days=_days(state.days, gone.day, -1, at))


def _days(days: Mapping[str, int], day: str, n: int, at: datetime) -> dict[str, int]:
    """One more or less on a day; days that are over everywhere are dropped."""
    oldest = (at - timedelta(days=2)).date().isoformat()
    kept = {name: count for name, count in days.items() if name >= oldest}
    return put(kept, day, kept.get(day, 0) + n)


# the world around them: milestones, exposure, triggers, silence, the key; and the door


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


Event: TypeAlias = PhantomEvent | Noted

EVENTS = by_name((*PhantomEvent.__subclasses__(), Noted))


def evolve(state: Phantom, told: EventContext[Any]) -> Phantom:
    after = replace(state, now=told.at)
    return told.event.change(after, told.at) if isinstance(told.event, PhantomEvent) else after
