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


def _same(state: Phantom, event: Any, at: datetime) -> Phantom:
    """The event tells of something that only tables and memory keep."""
    return state


def _with(state: Phantom, agent: str, **changes: Any) -> Phantom:
    character = replace(state.cast[agent], **changes)
    return replace(state, cast=_put(state.cast, agent, character))


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


def _code_expired(state: Phantom, event: e.CodeExpired, at: datetime) -> Phantom:
    return _contacted(state, event.kind, code="", expires_at=None)


def _started(state: Phantom, event: e.Started, at: datetime) -> Phantom:
    presence = replace(state.presence, last_player_at=at)
    return replace(
        state, started_at=at, thursday_at=event.thursday_at, deadline_at=event.deadline_at, presence=presence
    )


def _key_made(state: Phantom, event: e.KeyMade, at: datetime) -> Phantom:
    return replace(state, key=s.Key(value=event.value, limit=event.limit, created_at=at))


def _content_read(state: Phantom, event: e.ContentRead, at: datetime) -> Phantom:
    known = {one.trigger for one in event.triggers}
    fired = {name: one for name, one in state.fired.items() if name in known}
    return replace(state, content=event.digest, fired=fired)


# messages and letters


def _message_received(state: Phantom, event: e.MessageReceived, at: datetime) -> Phantom:
    presence = replace(state.presence, last_player_at=at, tries=0, attempts=0, hushed=False)
    state = _counted(replace(state, presence=presence), received=1)
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
    heard_of = tuple(dict.fromkeys((*character.heard_of, *event.names)))
    state = _with(state, event.agent, told_of_use=told, heard_of=heard_of)
    if character.session is None:
        return state
    topics = tuple(dict.fromkeys((*character.session.topics, *event.topics)))[: s.TOPICS]
    return _with(state, event.agent, session=replace(character.session, topics=topics))


def _letter_written(state: Phantom, event: e.LetterWritten, at: datetime) -> Phantom:
    letter = s.Waiting(
        key=event.key,
        agent=event.agent,
        channel=event.channel,
        situation=event.situation,
        words=event.words,
        due_at=event.due_at,
        day=event.day,
    )
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
    state = replace(state, presence=replace(state.presence, last_agent_at=at))
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


def _letter_failed(state: Phantom, event: e.LetterFailed, at: datetime) -> Phantom:
    return _taken(state, event.key)


def _letter_overdue(state: Phantom, event: e.LetterOverdue, at: datetime) -> Phantom:
    """The story goes on as if it had arrived."""
    return _said(state, next((one for one in state.waiting if one.key == event.key), None), at)


def _letter_shown(state: Phantom, event: e.LetterShown, at: datetime) -> Phantom:
    return replace(state, unread=tuple(key for key in state.unread if key != event.key))


def _planned(state: Phantom, event: e.Planned, at: datetime) -> Phantom:
    plan = s.Plan(**{name: getattr(event, name) for name in s.Plan.__struct_fields__})
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


def _plan_done(state: Phantom, event: e.PlanDone, at: datetime) -> Phantom:
    return _unplanned(state, event.n, at)


def _plan_dropped(state: Phantom, event: e.PlanDropped, at: datetime) -> Phantom:
    """What a trigger wanted and nobody wrote may be wanted again."""
    gone = next((plan for plan in state.plans if plan.n == event.n), None)
    state = _unplanned(state, event.n, at)
    if gone is None or gone.trigger not in state.fired or not event.again:
        return state
    return replace(state, fired=_put(state.fired, gone.trigger, replace(state.fired[gone.trigger], unwritten=True)))


def _opted_out(state: Phantom, event: e.OptedOut, at: datetime) -> Phantom:
    return replace(state, opted_out=True)


def _opted_in(state: Phantom, event: e.OptedIn, at: datetime) -> Phantom:
    return replace(state, opted_out=False)


# agents


def _trust_changed(state: Phantom, event: e.TrustChanged, at: datetime) -> Phantom:
    character = state.cast[event.agent]
    note = s.TrustNote(delta=event.delta, reason=event.reason, known=event.known)
    notes = (*character.notes, note)[-s.NOTES :]
    betrayed = character.betrayed or event.betrayal
    return _with(state, event.agent, trust=event.trust, notes=notes, betrayed=betrayed)


def _ignored(state: Phantom, event: e.Ignored, at: datetime) -> Phantom:
    character = state.cast[event.agent]
    return _with(state, event.agent, ignored=character.ignored + 1, unanswered=character.unanswered[1:])


def _fact_learned(state: Phantom, event: e.FactLearned, at: datetime) -> Phantom:
    note = s.FactNote(fact=event.fact, category=event.category)
    facts = tuple(one for one in state.cast[event.agent].facts if one != note)
    return _with(state, event.agent, facts=(*facts, note)[-s.FACTS :])


def _items_held(state: Phantom, event: e.ItemsHeld, at: datetime) -> Phantom:
    return _with(state, event.agent, items=tuple(dict.fromkeys((*state.cast[event.agent].items, *event.items))))


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


def _session_closed(state: Phantom, event: e.SessionClosed, at: datetime) -> Phantom:
    return _with(state, event.agent, session=None)


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
        facts=tuple(dict.fromkeys((*before.facts, *own.facts)))[-s.FACTS :],
        items=tuple(dict.fromkeys((*own.items, *before.items))),
        heard_of=tuple(dict.fromkeys((*own.heard_of, was, *(one for one in before.heard_of if one != agent)))),
        told_of_use=own.told_of_use or before.told_of_use,
    )


def _exchanged(state: Phantom, event: e.Exchanged, at: datetime) -> Phantom:
    state = _counted(state, exchanges=1)
    receiver = state.cast[event.receiver]
    before = receiver.learned.get(event.giver)
    items = tuple(dict.fromkeys((*(before.items if before else ()), *event.shared)))
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


def _conditions_met(state: Phantom, event: e.ConditionsMet, at: datetime) -> Phantom:
    return replace(state, conditions=tuple(dict.fromkeys((*state.conditions, *event.names))))


def _trigger_fired(state: Phantom, event: e.TriggerFired, at: datetime) -> Phantom:
    before = state.fired.get(event.trigger)
    fired = s.Fired(count=1 + (before.count if before else 0), at=at)
    return replace(state, fired=_put(state.fired, event.trigger, fired))


def _trigger_rested(state: Phantom, event: e.TriggerRested, at: datetime) -> Phantom:
    rested = replace(state.fired[event.trigger], holds=False)
    return replace(state, fired=_put(state.fired, event.trigger, rested))


def _engagement_moved(state: Phantom, event: e.EngagementMoved, at: datetime) -> Phantom:
    return replace(state, presence=replace(state.presence, level=event.now, tries=0))


def _reengaged(state: Phantom, event: e.Reengaged, at: datetime) -> Phantom:
    presence = state.presence
    tried = replace(presence, tries=presence.tries + 1, attempts=presence.attempts + 1, attempted_at=at)
    return replace(state, presence=tried)


def _hushed(state: Phantom, event: e.Hushed, at: datetime) -> Phantom:
    return replace(state, presence=replace(state.presence, hushed=True))


def _deadline_passed(state: Phantom, event: e.DeadlinePassed, at: datetime) -> Phantom:
    return replace(state, thursday_passed=True)


def _key_used(state: Phantom, event: e.KeyUsed, at: datetime) -> Phantom:
    assert state.key is not None
    key = replace(state.key, used=state.key.used + 1, first_used_at=state.key.first_used_at or at)
    return replace(state, key=key)


def _key_deleted(state: Phantom, event: e.KeyDeleted, at: datetime) -> Phantom:
    assert state.key is not None
    return replace(state, key=replace(state.key, deleted_at=at))


def _document_read(state: Phantom, event: e.DocumentRead, at: datetime) -> Phantom:
    return replace(state, documents=tuple(dict.fromkeys((*state.documents, event.document))))


def _processed(state: Phantom, event: e.Processed, at: datetime) -> Phantom:
    before = state.trace
    trace = s.Trace(**{name: getattr(event, name) for name in s.Trace.__struct_fields__})
    if before.message == event.message and before.agent == event.agent:  # the second half of the same message
        trace = replace(before, steps=tuple({**dict(before.steps), **dict(event.steps)}.items()))
    return replace(state, trace=trace)


def _door_opened(state: Phantom, event: e.DoorOpened, at: datetime) -> Phantom:
    return replace(state, door=True)


def _knocked(state: Phantom, event: e.Knocked, at: datetime) -> Phantom:
    return replace(state, knocks=state.knocks + 1)


FOLDS: Mapping[type[Any], Fold] = {
    e.Registered: _registered,
    e.CodeIssued: _code_issued,
    e.CodeTried: _code_tried,
    e.CodeExpired: _code_expired,
    e.Started: _started,
    e.KeyMade: _key_made,
    e.ContentRead: _content_read,
    e.MessageReceived: _message_received,
    e.Classified: _classified,
    e.LetterWritten: _letter_written,
    e.LetterCancelled: _letter_cancelled,
    e.LetterSent: _letter_sent,
    e.LetterFailed: _letter_failed,
    e.LetterOverdue: _letter_overdue,
    e.LetterShown: _letter_shown,
    e.Planned: _planned,
    e.PlanDropped: _plan_dropped,
    e.PlanDone: _plan_done,
    e.OptedOut: _opted_out,
    e.OptedIn: _opted_in,
    e.TrustChanged: _trust_changed,
    e.Ignored: _ignored,
    e.FactLearned: _fact_learned,
    e.ItemsHeld: _items_held,
    e.ClaimMade: _claim_made,
    e.ClaimContradicted: _claim_contradicted,
    e.SessionClosed: _session_closed,
    e.MomentKept: _moment_kept,
    e.CharacterEntered: _character_entered,
    e.LifecycleMoved: _lifecycle_moved,
    e.ChannelInherited: _channel_inherited,
    e.Exchanged: _exchanged,
    e.ExchangeSurfaced: _exchange_surfaced,
    e.MilestoneReached: _milestone_reached,
    e.ExposureChanged: _exposure_changed,
    e.ConditionsMet: _conditions_met,
    e.TriggerFired: _trigger_fired,
    e.TriggerRested: _trigger_rested,
    e.EngagementMoved: _engagement_moved,
    e.Reengaged: _reengaged,
    e.Hushed: _hushed,
    e.DeadlinePassed: _deadline_passed,
    e.KeyUsed: _key_used,
    e.KeyRefused: _same,
    e.KeyDeleted: _key_deleted,
    e.DocumentRead: _document_read,
    e.Processed: _processed,
    e.TimePassed: _same,
    e.DoorOpened: _door_opened,
    e.Knocked: _knocked,
    Noted: _same,
}
