"""What each event changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from msgspec.structs import replace

from greenroom.kernel.facts import Noted
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import state as s
from greenroom.worlds.phantom.rules.state import Character, Phantom

Fold: TypeAlias = Callable[[Phantom, Any, datetime], Phantom]

#: How often one agent may count a letter as ignored.
MOST_IGNORED = 2
#: The situation of the letter that begins it all; nobody is expected to answer it.
KEY_MAIL = "key_mail"


def evolve(state: Phantom, told: EventContext[e.Event]) -> Phantom:
    return FOLDS[type(told.event)](replace(state, now=told.at), told.event, told.at)


def _put(mapping: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """One more entry, in the order in which stored states are read again: by name."""
    return dict(sorted({**mapping, name: value}.items()))


def _set(**changes: Any) -> Fold:
    """The event changes the same, whatever it tells."""
    return lambda state, event, at: replace(state, **changes)


def _same(state: Phantom, event: Any, at: datetime) -> Phantom:
    """The event tells of something that only tables and memory keep."""
    return state


def _with(state: Phantom, agent: str, **changes: Any) -> Phantom:
    character = replace(state.cast[agent], **changes)
    return replace(state, cast=_put(state.cast, agent, character))


def _present(state: Phantom, **changes: Any) -> Phantom:
    return replace(state, presence=replace(state.presence, **changes))


def _each(*groups: tuple[Any, ...]) -> tuple[Any, ...]:
    """All that some groups hold, each once, in the order in which it came."""
    return tuple(dict.fromkeys(one for group in groups for one in group))


def _noted(kind: type[Any], event: Any) -> Any:
    """What the state keeps of an event, field by field."""
    return kind(**{name: getattr(event, name) for name in kind.__struct_fields__})


def _counted(state: Phantom, **more: int) -> Phantom:
    counts = {name: getattr(state.counts, name) + n for name, n in more.items()}
    return replace(state, counts=replace(state.counts, **counts))


# registration


def _registered(state: Phantom, event: e.Registered, at: datetime) -> Phantom:
    return replace(
        state,
        player=event.player,
        email=_contact(event, event.email or None),
        phone=_contact(event, event.phone),
        timezone=event.timezone,
        delivery=event.delivery,
        registered_at=at,
    )


def _contact(event: e.Registered, address: str | None) -> s.Contact | None:
    """An address to be proved. A story on the page has none, whatever earlier ones wrote down."""
    return None if address is None or event.delivery == "page" else s.Contact(address=address)


def _contacted(state: Phantom, kind: s.ContactKind, **changes: Any) -> Phantom:
    contact = state.email if kind == "email" else state.phone
    if contact is None:
        return state
    changed = replace(contact, **changes)
    return replace(state, email=changed) if kind == "email" else replace(state, phone=changed)


def _code_issued(state: Phantom, event: e.CodeIssued, at: datetime) -> Phantom:
    contact = state.email if event.kind == "email" else state.phone
    sent = (*(contact.sent if contact else ()), at)[-s.CODES :]
    return _contacted(state, event.kind, code=event.code, expires_at=event.expires_at, tries=0, sent=sent)


def _code_tried(state: Phantom, event: e.CodeTried, at: datetime) -> Phantom:
    if event.right:
        return _contacted(state, event.kind, code="", expires_at=None, tries=0, verified=True)
    contact = state.email if event.kind == "email" else state.phone
    return _contacted(state, event.kind, tries=1 + (contact.tries if contact else 0))


def _started(state: Phantom, event: e.Started, at: datetime) -> Phantom:
    state = replace(state, started_at=at, thursday_at=event.thursday_at, deadline_at=event.deadline_at)
    return _present(state, last_player_at=at)


def _content_read(state: Phantom, event: e.ContentRead, at: datetime) -> Phantom:
    known = {one.trigger for one in event.triggers}
    fired = {name: one for name, one in state.fired.items() if name in known}
    return replace(state, content=event.digest, fired=fired)


# messages and letters


def _message_received(state: Phantom, event: e.MessageReceived, at: datetime) -> Phantom:
    state = _counted(_present(state, last_player_at=at, tries=0, attempts=0, hushed=False), received=1)
    if event.agent is None:
        return state
    character = state.cast[event.agent]
    line = s.Line(by=s.PLAYER, words=event.words, ref=event.ref, channel=event.channel, at=at)
    return _with(
        _spoken(state, event.agent, line, at),
        event.agent,
        interactions=character.interactions + 1,
        last_interaction_at=at,
        unanswered=(),
        answered=True,
        follow_ups=0,
    )


def _spoken(state: Phantom, agent: str, line: s.Line, at: datetime) -> Phantom:
    """A line of a conversation; the first one opens a session."""
    character = state.cast[agent]
    session = character.session or s.Session(n=character.sessions + 1, opened_at=at, last_at=at)
    session = replace(session, last_at=at, messages=session.messages + 1)
    recent = (*character.recent, line)[-s.LINES :]
    return _with(state, agent, recent=recent, session=session, sessions=session.n)


def _classified(state: Phantom, event: e.Classified, at: datetime) -> Phantom:
    character = state.cast[event.agent]
    told = character.told_of_use or event.told_of_use
    heard_of = _each(character.heard_of, event.names)
    state = _with(state, event.agent, told_of_use=told, heard_of=heard_of)
    if character.session is None:
        return state
    topics = _each(character.session.topics, event.topics)[: s.TOPICS]
    return _with(state, event.agent, session=replace(character.session, topics=topics))


def _letter_written(state: Phantom, event: e.LetterWritten, at: datetime) -> Phantom:
    letter = _noted(s.Waiting, event)
    state = _counted(replace(state, waiting=(*state.waiting, letter)), letters=1)
    if event.agent is None:
        return state
    state = replace(state, days=_days(state.days, event.day, 1, at))
    writer = state.cast[event.agent]
    follow_ups = writer.follow_ups + (event.situation == "follow_up")
    return _with(state, event.agent, contacted=True, follow_ups=follow_ups, letters=writer.letters + 1)


def _days(days: Mapping[str, int], day: str, n: int, at: datetime) -> dict[str, int]:
    """One more or less on a day; days that are over everywhere are dropped."""
    oldest = (at - timedelta(days=2)).date().isoformat()
    kept = {name: count for name, count in days.items() if name >= oldest}
    return _put(kept, day, kept.get(day, 0) + n)


def _letter_cancelled(state: Phantom, event: e.LetterCancelled, at: datetime) -> Phantom:
    gone = next((one for one in state.waiting if one.key == event.key), None)
    state = _taken(state, event.key)
    if gone is None or gone.agent is None:
        return state
    claims = tuple(claim for claim in state.cast[gone.agent].claims if claim.letter != event.key)
    return _with(replace(state, days=_days(state.days, gone.day, -1, at)), gone.agent, claims=claims)


def _taken(state: Phantom, key: str) -> Phantom:
    return replace(state, waiting=tuple(one for one in state.waiting if one.key != key))


def _letter_sent(state: Phantom, event: e.LetterSent, at: datetime) -> Phantom:
    letter = next((one for one in state.waiting if one.key == event.key), None)
    state = replace(_said(state, letter, at), unread=(*state.unread, event.key)[-s.UNREAD :])
    if event.agent is None:
        return state
    state = _present(state, last_agent_at=at)
    character = state.cast[event.agent]
    room = MOST_IGNORED - character.ignored
    unanswered = character.unanswered
    if letter is not None and letter.situation != KEY_MAIL:
        unanswered = (*unanswered, at)[:room] if room > 0 else ()
    return _with(state, event.agent, delivered_at=at, answered=False, unanswered=unanswered)


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


def _letter_overdue(state: Phantom, event: e.LetterOverdue, at: datetime) -> Phantom:
    """The story goes on as if it had arrived."""
    return _said(state, next((one for one in state.waiting if one.key == event.key), None), at)


def _planned(state: Phantom, event: e.Planned, at: datetime) -> Phantom:
    plan = _noted(s.Plan, event)
    before = len(state.plans)
    state = _unplanned(state, event.n, at)
    state = replace(state, plans=(*state.plans, plan), days=_days(state.days, event.day, 1, at))
    return state if len(state.plans) == before else _counted(state, plans=1)


def _unplanned(state: Phantom, n: int, at: datetime) -> Phantom:
    """Without a plan, and its place among the letters of its day is free."""
    gone = next((plan for plan in state.plans if plan.n == n), None)
    if gone is None:
        return state
    left = tuple(plan for plan in state.plans if plan.n != n)
    return replace(state, plans=left, days=_days(state.days, gone.day, -1, at))


def _plan_dropped(state: Phantom, event: e.PlanDropped, at: datetime) -> Phantom:
    """What a trigger wanted and nobody wrote may be wanted again."""
    gone = next((plan for plan in state.plans if plan.n == event.n), None)
    state = _unplanned(state, event.n, at)
    if gone is None or gone.trigger not in state.fired or not event.again:
        return state
    return replace(state, fired=_put(state.fired, gone.trigger, replace(state.fired[gone.trigger], unwritten=True)))


# agents


def _trust_changed(state: Phantom, event: e.TrustChanged, at: datetime) -> Phantom:
    character = state.cast[event.agent]
    notes = (*character.notes, _noted(s.TrustNote, event))[-s.NOTES :]
    betrayed = character.betrayed or event.betrayal
    return _with(state, event.agent, trust=event.trust, notes=notes, betrayed=betrayed)


def _ignored(state: Phantom, event: e.Ignored, at: datetime) -> Phantom:
    character = state.cast[event.agent]
    return _with(state, event.agent, ignored=character.ignored + 1, unanswered=character.unanswered[1:])


def _fact_learned(state: Phantom, event: e.FactLearned, at: datetime) -> Phantom:
    note = _noted(s.FactNote, event)
    facts = tuple(one for one in state.cast[event.agent].facts if one != note)
    return _with(state, event.agent, facts=(*facts, note)[-s.FACTS :])


def _items_held(state: Phantom, event: e.ItemsHeld, at: datetime) -> Phantom:
    return _with(state, event.agent, items=_each(state.cast[event.agent].items, event.items))


def _claim_made(state: Phantom, event: e.ClaimMade, at: datetime) -> Phantom:
    claim = s.ClaimNote(
        n=event.n,
        claim=event.claim,
        subject=event.subject,
        says=event.says,
        is_true=event.is_true,
        significance=event.significance,
        memory=event.words.id,
        letter=event.message,
    )
    state = _counted(state, claims=1)
    return _with(state, event.agent, claims=(*state.cast[event.agent].claims, claim)[-s.CLAIMS :])


def _claim_contradicted(state: Phantom, event: e.ClaimContradicted, at: datetime) -> Phantom:
    claims = state.cast[event.agent].claims
    marked = tuple(replace(one, contradicted=True) if one.n == event.n else one for one in claims)
    return _with(state, event.agent, claims=marked)


def _moment_kept(state: Phantom, event: e.MomentKept, at: datetime) -> Phantom:
    session = state.cast[event.agent].session
    if session is None:
        return state
    return _with(state, event.agent, session=replace(session, moments=(*session.moments, event.type)[-s.MOMENTS :]))


def _character_entered(state: Phantom, event: e.CharacterEntered, at: datetime) -> Phantom:
    character = Character(entered_at=at, since=at, items=event.items)
    channels = _put(state.channels, event.channel, s.MessageChannel(owner=event.agent))
    return replace(state, cast=_put(state.cast, event.agent, character), channels=channels)


def _lifecycle_moved(state: Phantom, event: e.LifecycleMoved, at: datetime) -> Phantom:
    return _with(
        state,
        event.agent,
        level=event.now,
        since=at,
        reason=event.reason,
        probability=event.probability,
        multiplier=event.multiplier,
        tone=event.tone,
    )


def _channel_inherited(state: Phantom, event: e.ChannelInherited, at: datetime) -> Phantom:
    channel = state.channels[event.channel]
    heir = s.MessageChannel(
        owner=event.agent,
        previous=(*channel.previous, event.was)[-s.CAST :],
        inherited_at=at,
        inheritance=event.inheritance,
    )
    state = replace(state, channels=_put(state.channels, event.channel, heir))
    return state if event.inheritance == "none" else _heir(state, event.agent, event.was)


def _heir(state: Phantom, agent: str, was: str) -> Phantom:
    """An heir knows what was told to the one before it, and that there was one."""
    before, own = state.cast[was], state.cast[agent]
    return _with(
        state,
        agent,
        facts=_each(before.facts, own.facts)[-s.FACTS :],
        items=_each(own.items, before.items),
        heard_of=tuple(one for one in _each(own.heard_of, (was,), before.heard_of) if one != agent),
        told_of_use=own.told_of_use or before.told_of_use,
    )


def _exchanged(state: Phantom, event: e.Exchanged, at: datetime) -> Phantom:
    state = _counted(state, exchanges=1)
    receiver = state.cast[event.receiver]
    before = receiver.learned.get(event.giver)
    items = _each(before.items if before else (), event.shared)
    heard = s.Heard(n=event.n, source=event.giver, items=event.shared, at=at)
    unsurfaced = (*receiver.unsurfaced, heard)[-s.UNSURFACED :] if event.shared else receiver.unsurfaced
    learned = _put(receiver.learned, event.giver, s.Passed(items=items, n=event.n))
    return _with(state, event.receiver, learned=learned, unsurfaced=unsurfaced)


def _exchange_surfaced(state: Phantom, event: e.ExchangeSurfaced, at: datetime) -> Phantom:
    left = tuple(one for one in state.cast[event.agent].unsurfaced if one.n != event.n)
    return _with(state, event.agent, unsurfaced=left)


# the world


def _milestone_reached(state: Phantom, event: e.MilestoneReached, at: datetime) -> Phantom:
    milestone = s.Milestone(at=at, agent=event.agent)
    return replace(state, milestones=_put(state.milestones, event.milestone, milestone))


def _exposure_changed(state: Phantom, event: e.ExposureChanged, at: datetime) -> Phantom:
    visits = state.visits_exposure + (event.delta if event.visit else 0)
    return replace(state, exposure=event.level, visits_exposure=visits)


def _trigger_fired(state: Phantom, event: e.TriggerFired, at: datetime) -> Phantom:
    before = state.fired.get(event.trigger)
    fired = s.Fired(count=1 + (before.count if before else 0), at=at)
    return replace(state, fired=_put(state.fired, event.trigger, fired))


def _trigger_rested(state: Phantom, event: e.TriggerRested, at: datetime) -> Phantom:
    rested = replace(state.fired[event.trigger], holds=False)
    return replace(state, fired=_put(state.fired, event.trigger, rested))


def _engagement_moved(state: Phantom, event: e.EngagementMoved, at: datetime) -> Phantom:
    return _present(state, level=event.now, tries=0)


def _reengaged(state: Phantom, event: e.Reengaged, at: datetime) -> Phantom:
    before = state.presence
    return _present(state, tries=before.tries + 1, attempts=before.attempts + 1, attempted_at=at)


def _key_deleted(state: Phantom, event: e.KeyDeleted, at: datetime) -> Phantom:
    assert state.key is not None
    return replace(state, key=replace(state.key, deleted_at=at))


def _key_used(state: Phantom, event: e.KeyUsed, at: datetime) -> Phantom:
    assert state.key is not None
    key = replace(state.key, used=state.key.used + 1, first_used_at=state.key.first_used_at or at)
    return replace(state, key=key)


def _processed(state: Phantom, event: e.Processed, at: datetime) -> Phantom:
    before = state.trace
    trace = _noted(s.Trace, event)
    if before.message == event.message and before.agent == event.agent:  # the second half of the same message
        trace = replace(before, steps=tuple({**dict(before.steps), **dict(event.steps)}.items()))
    return replace(state, trace=trace)


FOLDS: Mapping[type[Any], Fold] = {
    e.Registered: _registered,
    e.CodeIssued: _code_issued,
    e.CodeTried: _code_tried,
    e.CodeExpired: lambda state, event, at: _contacted(state, event.kind, code="", expires_at=None),
    e.Started: _started,
    e.KeyMade: lambda state, event, at: replace(state, key=s.Key(value=event.value, limit=event.limit, created_at=at)),
    e.ContentRead: _content_read,
    e.MessageReceived: _message_received,
    e.Classified: _classified,
    e.LetterWritten: _letter_written,
    e.LetterCancelled: _letter_cancelled,
    e.LetterSent: _letter_sent,
    e.LetterFailed: lambda state, event, at: _taken(state, event.key),
    e.LetterOverdue: _letter_overdue,
    e.LetterShown: lambda state, event, at: replace(
        state, unread=tuple(key for key in state.unread if key != event.key)
    ),
    e.Planned: _planned,
    e.PlanDropped: _plan_dropped,
    e.PlanDone: lambda state, event, at: _unplanned(state, event.n, at),
    e.OptedOut: _set(opted_out=True),
    e.OptedIn: _set(opted_out=False),
    e.TrustChanged: _trust_changed,
    e.Ignored: _ignored,
    e.FactLearned: _fact_learned,
    e.ItemsHeld: _items_held,
    e.ClaimMade: _claim_made,
    e.ClaimContradicted: _claim_contradicted,
    e.SessionClosed: lambda state, event, at: _with(state, event.agent, session=None),
    e.MomentKept: _moment_kept,
    e.CharacterEntered: _character_entered,
    e.LifecycleMoved: _lifecycle_moved,
    e.ChannelInherited: _channel_inherited,
    e.Exchanged: _exchanged,
    e.ExchangeSurfaced: _exchange_surfaced,
    e.MilestoneReached: _milestone_reached,
    e.ExposureChanged: _exposure_changed,
    e.ConditionsMet: lambda state, event, at: replace(state, conditions=_each(state.conditions, event.names)),
    e.TriggerFired: _trigger_fired,
    e.TriggerRested: _trigger_rested,
    e.EngagementMoved: _engagement_moved,
    e.Reengaged: _reengaged,
    e.Hushed: lambda state, event, at: _present(state, hushed=True),
    e.DeadlinePassed: _set(thursday_passed=True),
    e.KeyUsed: _key_used,
    e.KeyRefused: _same,
    e.KeyDeleted: _key_deleted,
    e.DocumentRead: lambda state, event, at: replace(state, documents=_each(state.documents, (event.document,))),
    e.Processed: _processed,
    e.TimePassed: _same,
    e.DoorOpened: _set(door=True),
    e.Knocked: lambda state, event, at: replace(state, knocks=state.knocks + 1),
    Noted: _same,
}
