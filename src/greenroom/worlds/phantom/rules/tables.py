"""The seed's tables, as they are declared; ``rows.py`` writes them from events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast, get_args

from greenroom.kernel.tables import Column, ColumnKind, Table, Unique
from greenroom.worlds.phantom.rules.conditions import Level
from greenroom.worlds.phantom.rules.content import Category, ClaimType, Inheritance, Significance, Tone
from greenroom.worlds.phantom.rules.state import Alliance, Engagement


def _table(
    name: str,
    key: str,
    columns: str,
    *,
    log: bool = False,
    unique: Mapping[str, str] | None = None,
    indexes: Sequence[str] = (),
    **bounds: tuple[str, ...] | tuple[int, int],
) -> Table:
    """A table from its columns, each written ``name``, or ``name:kind`` where it is no text; ``?`` if it may be empty.

    Args:
        unique: columns that hold a value once in the house, with what is said to whoever brings it again.
        bounds: by column, the texts it may hold, or its least and its greatest number.
    """
    return Table(
        name=f"phantom_{name}",
        key=tuple(key.split()),
        columns=tuple(_column(one, bounds) for one in columns.split()),
        log=log,
        unique=tuple(Unique(columns=(one,), refusal=refusal) for one, refusal in (unique or {}).items()),
        indexes=tuple(tuple(one.split()) for one in indexes),
    )


def _column(written: str, bounds: Mapping[str, tuple[str, ...] | tuple[int, int]]) -> Column:
    name, _, kind = written.removesuffix("?").partition(":")
    bound, optional = bounds.get(name, ()), written.endswith("?")
    if kind == "integer":
        between = cast("tuple[int, int] | None", bound or None)
        return Column(name=name, kind="integer", optional=optional, between=between)
    among = cast("tuple[str, ...]", bound)
    return Column(name=name, kind=cast("ColumnKind", kind or "text"), optional=optional, among=among)


# identity; addresses are only those that were proved: mail goes by these, and nobody keeps one from whoever has it

PLAYERS = _table(
    "players", "id",
    "id email? phone? timezone created_at:moment game_started_at:moment? email_verified:boolean phone_verified:boolean",
    unique={
        "email": "this e-mail has a story already; come in to that one with a code",
        "phone": "this phone number has a story already; sign up without it",
    },
)  # fmt: skip
KEYS = _table(
    "player_keys", "id",
    """id player_id key_value created_at:moment access_limit:integer access_count:integer
    first_accessed_at:moment?""",
    unique={"key_value": "this key belongs to somebody else; start again"},
)  # fmt: skip
ACCESS = _table(
    "key_access_log", "id", "id player_id? key_id? accessed_at:moment success:boolean ip_address? user_agent?",
    log=True,
)  # fmt: skip

# trust and knowledge

TRUST = _table(
    "player_trust", "player_id agent_id",
    "player_id agent_id trust_score:integer interaction_count:integer last_interaction_at:moment?",
    trust_score=(-100, 100),
)  # fmt: skip
TRUST_EVENTS = _table(
    "trust_events", "id", "id player_id agent_id delta:integer reason message_id? created_at:moment",
    log=True, indexes=("player_id created_at",),
)  # fmt: skip
KNOWLEDGE = _table(
    "player_knowledge", "id",
    "id player_id fact category? source_agent? told_to channel learned_at:moment message_id?",
    log=True, indexes=("player_id category",), category=get_args(Category),
)  # fmt: skip
MILESTONES = _table(
    "story_milestones", "player_id milestone_id", "player_id milestone_id reached_at:moment context:json?"
)  # fmt: skip

# messages

MESSAGES = _table(
    "messages", "id",
    """id player_id agent_id? channel direction created_at:moment session_id? delivered_at:moment? read_at:moment?
    classified_at:moment? classification:json?""",
    indexes=("player_id created_at",), direction=("inbound", "outbound"),
)  # fmt: skip
CLAIMS = _table(
    "agent_claims", "id",
    """id player_id agent_id claim claim_type is_true:boolean? significance message_id? contradicted_by?
    created_at:moment""",
    indexes=("player_id agent_id significance",), claim_type=get_args(ClaimType), significance=get_args(Significance),
)  # fmt: skip

# the world

LIFECYCLE = _table(
    "agent_lifecycle", "player_id agent_id",
    """player_id agent_id state reason? transitioned_at:moment response_probability:real
    response_delay_multiplier:real tone_modifier""",
    state=get_args(Level), tone_modifier=get_args(Tone),
)  # fmt: skip
TRANSITIONS = _table(
    "lifecycle_transitions", "id",
    "id player_id agent_id from_state to_state reason? trust_at_transition:integer? created_at:moment",
    log=True, from_state=get_args(Level), to_state=get_args(Level),
)  # fmt: skip
WORLD = _table(
    "world_state", "player_id",
    """player_id exposure_level:integer spawn_conditions_met:json thursday_passed:boolean
    thursday_consequences_applied:boolean updated_at:moment""",
    exposure_level=(0, 100),
)  # fmt: skip
EXPOSURE = _table(
    "exposure_events", "id", "id player_id delta:integer reason created_at:moment",
    log=True, indexes=("player_id created_at",),
)  # fmt: skip
EXCHANGES = _table(
    "inter_agent_exchanges", "id",
    """id player_id from_agent to_agent trigger knowledge_shared:json knowledge_withheld:json trust_delta:integer
    alliance_level? surfaced_to_player:boolean surface_message_id? created_at:moment""",
    indexes=("player_id created_at",), alliance_level=get_args(Alliance),
)  # fmt: skip
ENGAGEMENT = _table(
    "player_engagement", "player_id",
    """player_id state last_player_message_at:moment? last_agent_message_at:moment? reengagement_attempts:integer
    last_reengagement_at:moment? updated_at:moment""",
    state=get_args(Engagement),
)  # fmt: skip
CHANNELS = _table(
    "channel_ownership", "player_id channel",
    "player_id channel current_agent_id previous_agents:json inherited_at:moment? inheritance_type?",
    inheritance_type=get_args(Inheritance),
)  # fmt: skip

# triggers and letters

TRIGGERS = _table(
    "triggers", "player_id trigger_id",
    """player_id trigger_id condition actions:json once:boolean note content fired_count:integer
    last_fired_at:moment?""",
)  # fmt: skip
TRIGGER_HISTORY = _table(
    "trigger_history", "id", "id player_id trigger_id because actions:json fired_at:moment",
    log=True, indexes=("player_id fired_at",),
)  # fmt: skip
SCHEDULED = _table(
    "scheduled_messages", "id",
    """id player_id agent_id? channel? situation status wanted_at:moment due_at:moment message_id? provider_key?
    reason? created_at:moment settled_at:moment?""",
    indexes=("player_id due_at", "status due_at"),
    status=("planned", "waiting", "sent", "failed", "cancelled", "written"),
)  # fmt: skip

TABLES = (
    PLAYERS, KEYS, ACCESS, TRUST, TRUST_EVENTS, KNOWLEDGE, MILESTONES, MESSAGES, CLAIMS, LIFECYCLE, TRANSITIONS, WORLD,
    EXPOSURE, EXCHANGES, ENGAGEMENT, CHANNELS, TRIGGERS, TRIGGER_HISTORY, SCHEDULED,
)  # fmt: skip
