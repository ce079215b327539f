"""What each event writes into the tables, and into the post."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias
from uuid import UUID, uuid5

from greenroom.kernel.letters import Cancel, LetterChange, Post
from greenroom.kernel.tables import Change, Patch, Put, Table
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.sessions import session_id
from greenroom.worlds.phantom.rules.state import Phantom
from greenroom.worlds.phantom.rules.tables import (
    ACCESS,
    CHANNELS,
    CLAIMS,
    ENGAGEMENT,
    EXCHANGES,
    EXPOSURE,
    KEYS,
    KNOWLEDGE,
    LIFECYCLE,
    MESSAGES,
    MILESTONES,
    PLAYERS,
    SCHEDULED,
    TRANSITIONS,
    TRIGGER_HISTORY,
    TRIGGERS,
    TRUST,
    TRUST_EVENTS,
    WORLD,
)

_IDS = UUID("5b7e4c6a-9f0d-4e0f-8d3e-2c1a7f64b0aa")


def uid(player: str, *name: object) -> str:
    """The id of a row that others refer to."""
    return str(uuid5(_IDS, "/".join(map(str, (player, *name)))))


# rows that stand for a whole: written anew each time, so that a branch's first turn brings its own


def _player(state: Phantom) -> Change:
    return Put(
        PLAYERS.name,
        {
            "id": state.player,
            "email": state.email.address if state.email and state.email.verified else None,
            "phone": state.phone.address if state.phone and state.phone.verified else None,
            "timezone": state.timezone,
            "created_at": state.registered_at,
            "game_started_at": state.started_at,
            "email_verified": bool(state.email and state.email.verified),
            "phone_verified": bool(state.phone and state.phone.verified),
        },
    )


def _key(state: Phantom) -> Change:
    assert state.key is not None
    return Put(
        KEYS.name,
        {
            "id": uid(state.player, "key"),
            "player_id": state.player,
            "key_value": state.key.value,
            "created_at": state.key.created_at,
            "access_limit": state.key.limit,
            "access_count": state.key.used,
            "first_accessed_at": state.key.first_used_at,
        },
    )


def _trust(state: Phantom, agent: str) -> Change:
    character = state.cast[agent]
    return Put(
        TRUST.name,
        {
            "player_id": state.player,
            "agent_id": agent,
            "trust_score": character.trust,
            "interaction_count": character.interactions,
            "last_interaction_at": character.last_interaction_at,
        },
    )


def _lifecycle(state: Phantom, agent: str) -> Change:
    character = state.cast[agent]
    return Put(
        LIFECYCLE.name,
        {
            "player_id": state.player,
            "agent_id": agent,
            "state": character.level,
            "reason": character.reason,
            "transitioned_at": character.since,
            "response_probability": character.probability,
            "response_delay_multiplier": character.multiplier,
            "tone_modifier": character.tone,
        },
    )


def _world(state: Phantom) -> Change:
    return Put(
        WORLD.name,
        {
            "player_id": state.player,
            "exposure_level": state.exposure,
            "spawn_conditions_met": state.conditions,
            "thursday_passed": state.thursday_passed,
            "thursday_consequences_applied": state.thursday_passed,
            "updated_at": state.now,
        },
    )


def _engagement(state: Phantom) -> Change:
    presence = state.presence
    return Put(
        ENGAGEMENT.name,
        {
            "player_id": state.player,
            "state": presence.level,
            "last_player_message_at": presence.last_player_at,
            "last_agent_message_at": presence.last_agent_at,
            "reengagement_attempts": presence.attempts,
            "last_reengagement_at": presence.attempted_at,
            "updated_at": state.now,
        },
    )


def _channel(state: Phantom, name: str) -> Change:
    channel = state.channels[name]
    return Put(
        CHANNELS.name,
        {
            "player_id": state.player,
            "channel": name,
            "current_agent_id": channel.owner,
            "previous_agents": channel.previous,
            "inherited_at": channel.inherited_at,
            "inheritance_type": channel.inheritance,
        },
    )


# rows of single events

Writer: TypeAlias = Callable[[Phantom, EventContext[Any]], Iterable[Change]]


def _message_id(state: Phantom, ref: str | None) -> str | None:
    return None if ref is None else uid(state.player, "message", ref)


def _session(state: Phantom, agent: str | None) -> str | None:
    session = state.cast[agent].session if agent is not None else None
    return None if session is None or agent is None else session_id(agent, session.n)


def _logged(table: Table, state: Phantom, told: EventContext[Any], **values: Any) -> Change:
    return Put(table.name, {"id": told.row_id(), "player_id": state.player, **values})


def _received(state: Phantom, told: EventContext[e.MessageReceived]) -> Iterable[Change]:
    event = told.event
    channel = event.channel if event.agent else "system"
    yield _message(state, told, event.ref, agent=event.agent, channel=channel, direction="inbound")
    yield _engagement(state)
    if event.agent is not None:
        yield _trust(state, event.agent)


def _message(
    state: Phantom, told: EventContext[Any], ref: str, *, agent: str | None, channel: str, direction: str
) -> Change:
    return Put(
        MESSAGES.name,
        {
            "id": _message_id(state, ref),
            "player_id": state.player,
            "agent_id": agent,
            "channel": channel,
            "direction": direction,
            "created_at": told.at,
            "session_id": _session(state, agent),
        },
    )


def _of_message(state: Phantom, ref: str, **values: Any) -> Change:
    return Patch(MESSAGES.name, {"id": _message_id(state, ref)}, values)


def _classified(state: Phantom, told: EventContext[e.Classified]) -> Iterable[Change]:
    yield _of_message(state, told.event.message, classified_at=told.at, classification=dict(told.event.classification))


def _written(state: Phantom, told: EventContext[e.LetterWritten]) -> Iterable[Change]:
    event = told.event
    yield _message(state, told, event.key, agent=event.agent, channel=event.channel, direction="outbound")
    yield Put(
        SCHEDULED.name,
        {
            "id": uid(state.player, "letter", event.key),
            "player_id": state.player,
            "agent_id": event.agent,
            "channel": event.channel,
            "situation": event.situation,
            "status": "waiting",
            "wanted_at": event.wanted_at,
            "due_at": event.due_at,
            "message_id": _message_id(state, event.key),
            "provider_key": event.key,
            "created_at": told.at,
        },
    )


def _letter(state: Phantom, told: EventContext[Any], status: str, reason: str | None = None) -> Change:
    values = {"status": status, "settled_at": told.at, "reason": reason}
    return Patch(SCHEDULED.name, {"id": uid(state.player, "letter", told.event.key)}, values)


def _sent(state: Phantom, told: EventContext[e.LetterSent]) -> Iterable[Change]:
    yield _letter(state, told, "sent")
    yield _of_message(state, told.event.key, delivered_at=told.at)
    if told.event.agent is not None:
        yield _engagement(state)


def _failed(state: Phantom, told: EventContext[e.LetterFailed]) -> Iterable[Change]:
    yield _letter(state, told, "failed", told.event.reason)


def _overdue(state: Phantom, told: EventContext[e.LetterOverdue]) -> Iterable[Change]:
    key = {"id": uid(state.player, "letter", told.event.key)}
    yield Patch(SCHEDULED.name, key, {"reason": "no news of it yet"})


def _cancelled(state: Phantom, told: EventContext[e.LetterCancelled]) -> Iterable[Change]:
    yield _letter(state, told, "cancelled", told.event.reason)


def _shown(state: Phantom, told: EventContext[e.LetterShown]) -> Iterable[Change]:
    yield _of_message(state, told.event.key, read_at=told.at)


def _planned(state: Phantom, told: EventContext[e.Planned]) -> Iterable[Change]:
    event = told.event
    yield Put(
        SCHEDULED.name,
        {
            "id": uid(state.player, "plan", event.n),
            "player_id": state.player,
            "agent_id": event.agent,
            "situation": event.situation,
            "status": "planned",
            "wanted_at": event.due_at,
            "due_at": event.due_at,
            "created_at": told.at,
        },
    )


def _plan(state: Phantom, told: EventContext[Any], **values: Any) -> Change:
    return Patch(SCHEDULED.name, {"id": uid(state.player, "plan", told.event.n)}, {**values, "settled_at": told.at})


def _plan_dropped(state: Phantom, told: EventContext[e.PlanDropped]) -> Iterable[Change]:
    yield _plan(state, told, status="cancelled", reason=told.event.reason)


def _plan_done(state: Phantom, told: EventContext[e.PlanDone]) -> Iterable[Change]:
    yield _plan(state, told, status="written", message_id=_message_id(state, told.event.letter))


def _trust_changed(state: Phantom, told: EventContext[e.TrustChanged]) -> Iterable[Change]:
    event = told.event
    yield _trust(state, event.agent)
    yield _logged(
        TRUST_EVENTS,
        state,
        told,
        agent_id=event.agent,
        delta=event.delta,
        reason=event.reason,
        message_id=_message_id(state, event.message),
        created_at=told.at,
    )


def _fact(state: Phantom, told: EventContext[e.FactLearned]) -> Iterable[Change]:
    event = told.event
    yield _logged(
        KNOWLEDGE,
        state,
        told,
        fact=event.fact,
        category=event.category,
        source_agent=event.source,
        told_to=event.agent,
        channel=event.channel,
        learned_at=told.at,
        message_id=_message_id(state, event.message),
    )


def _claim(state: Phantom, told: EventContext[e.ClaimMade]) -> Iterable[Change]:
    event = told.event
    yield Put(
        CLAIMS.name,
        {
            "id": uid(state.player, "claim", event.n),
            "player_id": state.player,
            "agent_id": event.agent,
            "claim": event.claim,
            "claim_type": event.type,
            "is_true": event.is_true,
            "significance": event.significance,
            "message_id": _message_id(state, event.message),
            "created_at": told.at,
        },
    )


def _contradicted(state: Phantom, told: EventContext[e.ClaimContradicted]) -> Iterable[Change]:
    older = {"id": uid(state.player, "claim", told.event.n)}
    yield Patch(CLAIMS.name, older, {"contradicted_by": uid(state.player, "claim", told.event.by)})


def _entered(state: Phantom, told: EventContext[e.CharacterEntered]) -> Iterable[Change]:
    yield _trust(state, told.event.agent)
    yield _lifecycle(state, told.event.agent)
    yield _channel(state, told.event.channel)


def _moved(state: Phantom, told: EventContext[e.LifecycleMoved]) -> Iterable[Change]:
    event = told.event
    yield _lifecycle(state, event.agent)
    yield _logged(
        TRANSITIONS,
        state,
        told,
        agent_id=event.agent,
        from_state=event.was,
        to_state=event.now,
        reason=event.reason,
        trust_at_transition=event.trust,
        created_at=told.at,
    )


def _inherited(state: Phantom, told: EventContext[e.ChannelInherited]) -> Iterable[Change]:
    yield _channel(state, told.event.channel)


def _exchanged(state: Phantom, told: EventContext[e.Exchanged]) -> Iterable[Change]:
    event = told.event
    yield Put(
        EXCHANGES.name,
        {
            "id": uid(state.player, "exchange", event.n),
            "player_id": state.player,
            "from_agent": event.giver,
            "to_agent": event.receiver,
            "trigger": event.trigger,
            "knowledge_shared": event.shared,
            "knowledge_withheld": event.withheld,
            "trust_delta": event.trust_delta,
            "alliance_level": event.alliance,
            "surfaced_to_player": False,
            "created_at": told.at,
        },
    )


def _surfaced(state: Phantom, told: EventContext[e.ExchangeSurfaced]) -> Iterable[Change]:
    values = {"surfaced_to_player": True, "surface_message_id": _message_id(state, told.event.message)}
    yield Patch(EXCHANGES.name, {"id": uid(state.player, "exchange", told.event.n)}, values)


def _milestone(state: Phantom, told: EventContext[e.MilestoneReached]) -> Iterable[Change]:
    values = {"player_id": state.player, "milestone_id": told.event.milestone, "reached_at": told.at}
    yield Put(MILESTONES.name, {**values, "context": dict(told.event.context) or None})


def _exposure(state: Phantom, told: EventContext[e.ExposureChanged]) -> Iterable[Change]:
    yield _world(state)
    yield _logged(EXPOSURE, state, told, delta=told.event.delta, reason=told.event.reason, created_at=told.at)


def _content(state: Phantom, told: EventContext[e.ContentRead]) -> Iterable[Change]:
    for trigger in told.event.triggers:
        fired = state.fired.get(trigger.trigger)
        yield Put(
            TRIGGERS.name,
            {
                "player_id": state.player,
                "trigger_id": trigger.trigger,
                "condition": trigger.condition,
                "actions": trigger.actions,
                "once": trigger.once,
                "note": trigger.note,
                "content": told.event.digest,
                "fired_count": fired.count if fired else 0,
                "last_fired_at": fired.at if fired else None,
            },
        )


def _fired(state: Phantom, told: EventContext[e.TriggerFired]) -> Iterable[Change]:
    event = told.event
    key = {"player_id": state.player, "trigger_id": event.trigger}
    yield Patch(TRIGGERS.name, key, {"fired_count": state.fired[event.trigger].count, "last_fired_at": told.at})
    yield _logged(
        TRIGGER_HISTORY,
        state,
        told,
        trigger_id=event.trigger,
        because=event.because,
        actions=event.actions,
        fired_at=told.at,
    )


def _access(state: Phantom, told: EventContext[Any], *, key: bool, success: bool) -> Change:
    return Put(
        ACCESS.name,
        {
            "id": told.row_id(),
            "player_id": state.player or None,
            "key_id": uid(state.player, "key") if key else None,
            "accessed_at": told.at,
            "success": success,
            "ip_address": told.event.ip_address or None,
            "user_agent": told.event.user_agent or None,
        },
    )


def _used(state: Phantom, told: EventContext[e.KeyUsed]) -> Iterable[Change]:
    yield _key(state)
    yield _access(state, told, key=True, success=True)


def _refused(state: Phantom, told: EventContext[e.KeyRefused]) -> Iterable[Change]:
    yield _access(state, told, key=told.event.known, success=False)


def _knocked(state: Phantom, told: EventContext[e.Knocked]) -> Iterable[Change]:
    yield _access(state, told, key=False, success=False)


def _of(*writers: Callable[[Phantom], Change]) -> Writer:
    return lambda state, told: tuple(writer(state) for writer in writers)


WRITERS: Mapping[type[Any], Writer] = {
    e.Registered: _of(_player),
    e.CodeTried: _of(_player),
    e.Started: _of(_player, _world, _engagement),
    e.KeyMade: _of(_key),
    e.ContentRead: _content,
    e.MessageReceived: _received,
    e.Classified: _classified,
    e.LetterWritten: _written,
    e.LetterCancelled: _cancelled,
    e.LetterSent: _sent,
    e.LetterFailed: _failed,
    e.LetterOverdue: _overdue,
    e.LetterShown: _shown,
    e.Planned: _planned,
    e.PlanDropped: _plan_dropped,
    e.PlanDone: _plan_done,
    e.TrustChanged: _trust_changed,
    e.FactLearned: _fact,
    e.ClaimMade: _claim,
    e.ClaimContradicted: _contradicted,
    e.CharacterEntered: _entered,
    e.LifecycleMoved: _moved,
    e.ChannelInherited: _inherited,
    e.Exchanged: _exchanged,
    e.ExchangeSurfaced: _surfaced,
    e.MilestoneReached: _milestone,
    e.ExposureChanged: _exposure,
    e.ConditionsMet: _of(_world),
    e.DeadlinePassed: _of(_world),
    e.TriggerFired: _fired,
    e.EngagementMoved: _of(_engagement),
    e.Reengaged: _of(_engagement),
    e.KeyUsed: _used,
    e.KeyRefused: _refused,
    e.Knocked: _knocked,
}


def rows(state: Phantom, told: EventContext[e.Event]) -> Iterable[Change]:
    writer = WRITERS.get(type(told.event))
    return () if writer is None else writer(state, told)


def letters(state: Phantom, told: EventContext[e.Event]) -> Iterable[LetterChange]:
    match told.event:
        case e.LetterWritten(key=key, due_at=due_at, carrier=carrier, to=to, words=words, subject=subject):
            yield Post(key=key, due_at=due_at, channel=carrier, to=to, words=words.id, subject=subject)
        case e.LetterCancelled(key=key):
            yield Cancel(key=key)
        case _:
            return
