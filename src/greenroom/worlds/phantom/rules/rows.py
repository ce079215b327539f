"""What each event writes into the tables, and into the post: for each, the rows, and where their columns come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias
from uuid import UUID, uuid5

from greenroom.kernel.letters import Cancel, LetterChange, Post
from greenroom.kernel.tables import Change, Patch, Put, Table
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import tables as t
from greenroom.worlds.phantom.rules.knowledge import session_id
from greenroom.worlds.phantom.rules.state import Phantom

_IDS = UUID("5b7e4c6a-9f0d-4e0f-8d3e-2c1a7f64b0aa")

Told: TypeAlias = EventContext[Any]
#: Where a column comes from: a field of the event by its name, or anything that is worked out; :func:`const` otherwise.
Source: TypeAlias = str | Callable[[Phantom, Told], Any]
Writer: TypeAlias = Callable[[Phantom, Told], Change]


def uid(player: str, *name: object) -> str:
    """The id of a row that others refer to."""
    return str(uuid5(_IDS, "/".join(map(str, (player, *name)))))


# where columns come from


def at(state: Phantom, told: Told) -> Any:
    """The moment of the event."""
    return told.at


def logged(state: Phantom, told: Told) -> str:
    """The id of a row that is only ever added."""
    return told.row_id()


def const(value: Any) -> Source:
    return lambda state, told: value


NOTHING = const(None)


def of(kind: str, field: str) -> Source:
    """The id of a row of some kind, by a field that names it; None where the field is."""

    def found(state: Phantom, told: Told) -> str | None:
        name = getattr(told.event, field)
        return None if name is None else uid(state.player, kind, name)

    return found


def story(path: str) -> Source:
    """Something of the player's whole story, by the way to it."""

    def found(state: Phantom, told: Told) -> Any:
        value: Any = state
        for name in path.split("."):
            value = getattr(value, name)
        return value

    return found


def character(name: str) -> Source:
    """Something of the agent that the event is about."""
    return lambda state, told: getattr(state.cast[told.event.agent], name)


def channel(name: str) -> Source:
    """Something of the channel that the event is about."""
    return lambda state, told: getattr(state.channels[told.event.channel], name)


def session(state: Phantom, told: Told) -> str | None:
    """The conversation that a message belongs to."""
    agent = told.event.agent
    open_ = state.cast[agent].session if agent is not None else None
    return None if open_ is None else session_id(agent, open_.n)


def address(kind: str) -> Source:
    """An address that was proved."""

    def found(state: Phantom, told: Told) -> str | None:
        contact = getattr(state, kind)
        return contact.address if contact and contact.verified else None

    return found


def proved(kind: str) -> Source:
    return lambda state, told: bool(getattr(state, kind) and getattr(state, kind).verified)


def given(field: str) -> Source:
    """A field of the event, None for an empty one."""
    return lambda state, told: getattr(told.event, field) or None


# rows


#: Where columns come from that many rows have; any other that is not given comes from the field that has its name.
_BY_NAME: Mapping[str, Source] = {
    "player_id": story("player"), "agent_id": "agent", "created_at": at, "updated_at": story("now"),
}  # fmt: skip


def _values(sources: Mapping[str, Source], state: Phantom, told: Told) -> dict[str, Any]:
    event = told.event
    return {name: getattr(event, one) if isinstance(one, str) else one(state, told) for name, one in sources.items()}


def put(table: Table, **columns: Source) -> Writer:
    """A whole row. A row of a log has an id of its own, and says which message it goes back to."""
    names = [column.name for column in table.columns]
    known: dict[type[Any], Mapping[str, Source]] = {}

    def written(state: Phantom, told: Told) -> Put:
        kind = type(told.event)
        if kind not in known:
            own = {**{field: field for field in kind.__struct_fields__}, **_BY_NAME}
            own |= {"id": logged} if table.log else {}
            own |= {"message_id": of("message", "message")} if "message" in own else {}
            known[kind] = {name: (own | columns)[name] for name in names if name in own | columns}
        return Put(table.name, _values(known[kind], state, told))

    return written


def patch(table: Table, key: Mapping[str, Source], **columns: Source) -> Writer:
    """Some columns of a row that is there."""
    return lambda state, told: Patch(table.name, _values(key, state, told), _values(columns, state, told))


# rows that stand for a whole: written anew each time, so that a branch's first turn brings its own

_PLAYER = put(
    t.PLAYERS, id=story("player"), email=address("email"), phone=address("phone"), timezone=story("timezone"),
    created_at=story("registered_at"), game_started_at=story("started_at"), email_verified=proved("email"),
    phone_verified=proved("phone"),
)  # fmt: skip
_KEY = put(
    t.KEYS, id=lambda state, told: uid(state.player, "key"), key_value=story("key.value"),
    created_at=story("key.created_at"), access_limit=story("key.limit"), access_count=story("key.used"),
    first_accessed_at=story("key.first_used_at"),
)  # fmt: skip
_TRUST = put(
    t.TRUST, trust_score=character("trust"), interaction_count=character("interactions"),
    last_interaction_at=character("last_interaction_at"),
)  # fmt: skip
_LIFECYCLE = put(
    t.LIFECYCLE, state=character("level"), reason=character("reason"),
    transitioned_at=character("since"), response_probability=character("probability"),
    response_delay_multiplier=character("multiplier"), tone_modifier=character("tone"),
)  # fmt: skip
_WORLD = put(
    t.WORLD, exposure_level=story("exposure"), spawn_conditions_met=story("conditions"),
    thursday_passed=story("thursday_passed"), thursday_consequences_applied=story("thursday_passed"),
)  # fmt: skip
_ENGAGEMENT = put(
    t.ENGAGEMENT, state=story("presence.level"), last_player_message_at=story("presence.last_player_at"),
    last_agent_message_at=story("presence.last_agent_at"), reengagement_attempts=story("presence.attempts"),
    last_reengagement_at=story("presence.attempted_at"),
)  # fmt: skip
_CHANNEL = put(
    t.CHANNELS, current_agent_id=channel("owner"), previous_agents=channel("previous"),
    inherited_at=channel("inherited_at"), inheritance_type=channel("inheritance"),
)  # fmt: skip


# rows of single events


def _message(ref: str, direction: str, where: Source = "channel") -> Writer:
    return put(t.MESSAGES, id=of("message", ref), channel=where, direction=const(direction), session_id=session)


def _of_message(ref: str, **columns: Source) -> Writer:
    return patch(t.MESSAGES, {"id": of("message", ref)}, **columns)


def _settled(status: str, reason: Source = NOTHING) -> Writer:
    return patch(t.SCHEDULED, {"id": of("letter", "key")}, status=const(status), settled_at=at, reason=reason)


def _access(*, success: bool, key: Source) -> Writer:
    return put(
        t.ACCESS, player_id=lambda state, told: state.player or None, key_id=key, accessed_at=at,
        success=const(success), ip_address=given("ip_address"), user_agent=given("user_agent"),
    )  # fmt: skip


def _own_key(state: Phantom, told: Told) -> str | None:
    """The player's key, where it was that one that somebody tried."""
    return uid(state.player, "key") if getattr(told.event, "known", True) else None


_BY_NUMBER = {"id": of("plan", "n")}

WRITERS: Mapping[type[Any], tuple[Writer, ...]] = {
    e.Registered: (_PLAYER,),
    e.CodeTried: (_PLAYER,),
    e.Started: (_PLAYER, _WORLD, _ENGAGEMENT),
    e.KeyMade: (_KEY,),
    e.MessageReceived: (
        _message("ref", "inbound", lambda state, told: told.event.channel if told.event.agent else "system"),
        _ENGAGEMENT,
    ),
    e.Classified: (
        _of_message(
            "message", classified_at=at, classification=lambda state, told: dict(told.event.classification)
        ),
    ),
    e.LetterWritten: (
        _message("key", "outbound"),
        put(
            t.SCHEDULED, id=of("letter", "key"), status=const("waiting"), message_id=of("message", "key"),
            provider_key="key",
        ),
    ),
    e.LetterCancelled: (_settled("cancelled", "reason"),),
    e.LetterSent: (_settled("sent"), _of_message("key", delivered_at=at)),
    e.LetterFailed: (_settled("failed", "reason"),),
    e.LetterOverdue: (patch(t.SCHEDULED, {"id": of("letter", "key")}, reason=const("no news of it yet")),),
    e.LetterShown: (_of_message("key", read_at=at),),
    e.Planned: (put(t.SCHEDULED, id=of("plan", "n"), status=const("planned"), wanted_at="due_at"),),
    e.PlanDropped: (patch(t.SCHEDULED, _BY_NUMBER, status=const("cancelled"), reason="reason", settled_at=at),),
    e.PlanDone: (
        patch(t.SCHEDULED, _BY_NUMBER, status=const("written"), message_id=of("message", "letter"), settled_at=at),
    ),
    e.TrustChanged: (_TRUST, put(t.TRUST_EVENTS)),
    e.FactLearned: (put(t.KNOWLEDGE, source_agent="source", told_to="agent", learned_at=at),),
    e.ClaimMade: (put(t.CLAIMS, id=of("claim", "n"), claim_type="type"),),
    e.ClaimContradicted: (patch(t.CLAIMS, {"id": of("claim", "n")}, contradicted_by=of("claim", "by")),),
    e.CharacterEntered: (_TRUST, _LIFECYCLE, _CHANNEL),
    e.LifecycleMoved: (
        _LIFECYCLE,
        put(t.TRANSITIONS, from_state="was", to_state="now", trust_at_transition="trust"),
    ),
    e.ChannelInherited: (_CHANNEL,),
    e.Exchanged: (
        put(
            t.EXCHANGES, id=of("exchange", "n"), from_agent="giver", to_agent="receiver", knowledge_shared="shared",
            knowledge_withheld="withheld", alliance_level="alliance", surfaced_to_player=const(False),
        ),
    ),
    e.ExchangeSurfaced: (
        patch(
            t.EXCHANGES, {"id": of("exchange", "n")}, surfaced_to_player=const(True),
            surface_message_id=of("message", "message"),
        ),
    ),
    e.MilestoneReached: (
        put(
            t.MILESTONES, milestone_id="milestone", reached_at=at,
            context=lambda state, told: dict(told.event.context) or None,
        ),
    ),
    e.ExposureChanged: (_WORLD, put(t.EXPOSURE)),
    e.ConditionsMet: (_WORLD,),
    e.DeadlinePassed: (_WORLD,),
    e.TriggerFired: (
        patch(
            t.TRIGGERS, {"player_id": story("player"), "trigger_id": "trigger"},
            fired_count=lambda state, told: state.fired[told.event.trigger].count, last_fired_at=at,
        ),
        put(t.TRIGGER_HISTORY, trigger_id="trigger", fired_at=at),
    ),
    e.EngagementMoved: (_ENGAGEMENT,),
    e.Reengaged: (_ENGAGEMENT,),
    e.KeyUsed: (_KEY, _access(success=True, key=_own_key)),
    e.KeyRefused: (_access(success=False, key=_own_key),),
    e.Knocked: (_access(success=False, key=NOTHING),),
}  # fmt: skip


def rows(state: Phantom, told: EventContext[e.Event]) -> Iterable[Change]:
    """The rows of one event; the state is the one after it."""
    event = told.event
    if isinstance(event, e.ContentRead):
        return [_trigger(state, event.digest, one) for one in event.triggers]
    found = [write(state, told) for write in WRITERS.get(type(event), ())]
    if isinstance(event, e.MessageReceived) and event.agent is not None:
        found.append(_TRUST(state, told))
    if isinstance(event, e.LetterSent) and event.agent is not None:
        found.append(_ENGAGEMENT(state, told))
    return found


def _trigger(state: Phantom, digest: str, trigger: e.TriggerRead) -> Change:
    """A trigger as the content defines it now, with what it has done before."""
    fired = state.fired.get(trigger.trigger)
    return Put(
        t.TRIGGERS.name,
        {
            "player_id": state.player,
            "trigger_id": trigger.trigger,
            **{name: getattr(trigger, name) for name in ("condition", "actions", "once", "note")},
            "content": digest,
            "fired_count": fired.count if fired else 0,
            "last_fired_at": fired.at if fired else None,
        },
    )


def letters(state: Phantom, told: EventContext[e.Event]) -> Iterable[LetterChange]:
    match told.event:
        case e.LetterWritten(key=key, due_at=due_at, carrier=carrier, to=to, words=words, subject=subject):
            yield Post(key=key, due_at=due_at, channel=carrier, to=to, words=words.id, subject=subject)
        case e.LetterCancelled(key=key):
            yield Cancel(key=key)
        case _:
            return
