"""The seed's tables, as they are declared; ``rows.py`` writes them from events."""

from __future__ import annotations

from typing import get_args

from greenroom.kernel.tables import Column, Table, Unique
from greenroom.worlds.phantom.rules.conditions import Level
from greenroom.worlds.phantom.rules.content import Category, ClaimType, Inheritance, Significance, Tone
from greenroom.worlds.phantom.rules.state import Alliance, Engagement


def text(name: str, *among: str, optional: bool = False) -> Column:
    return Column(name=name, among=among, optional=optional)


def number(name: str, *bounds: int, optional: bool = False) -> Column:
    return Column(name=name, kind="integer", optional=optional, between=(bounds[0], bounds[1]) if bounds else None)


def moment(name: str, *, optional: bool = False) -> Column:
    return Column(name=name, kind="moment", optional=optional)


def flag(name: str) -> Column:
    return Column(name=name, kind="boolean")


def data(name: str, *, optional: bool = False) -> Column:
    return Column(name=name, kind="json", optional=optional)


# identity

PLAYERS = Table(
    name="phantom_players",
    key=("id",),
    columns=(
        text("id"),
        # Only what was proved: mail goes by these, and nobody keeps an address from whoever has it.
        text("email", optional=True),
        text("phone", optional=True),
        text("timezone"),
        moment("created_at"),
        moment("game_started_at", optional=True),
        flag("email_verified"),
        flag("phone_verified"),
    ),
    unique=(
        Unique(columns=("email",), refusal="this e-mail has a story already; come in to that one with a code"),
        Unique(columns=("phone",), refusal="this phone number has a story already; sign up without it"),
    ),
)
KEYS = Table(
    name="phantom_player_keys",
    key=("id",),
    columns=(
        text("id"),
        text("player_id"),
        text("key_value"),
        moment("created_at"),
        number("access_limit"),
        number("access_count"),
        moment("first_accessed_at", optional=True),
    ),
    unique=(Unique(columns=("key_value",), refusal="this key belongs to somebody else; start again"),),
)
ACCESS = Table(
    name="phantom_key_access_log",
    key=("id",),
    log=True,
    columns=(
        text("id"),
        text("player_id", optional=True),
        text("key_id", optional=True),
        moment("accessed_at"),
        flag("success"),
        text("ip_address", optional=True),
        text("user_agent", optional=True),
    ),
)

# trust and knowledge

TRUST = Table(
    name="phantom_player_trust",
    key=("player_id", "agent_id"),
    columns=(
        text("player_id"),
        text("agent_id"),
        number("trust_score", -100, 100),
        number("interaction_count"),
        moment("last_interaction_at", optional=True),
    ),
)
TRUST_EVENTS = Table(
    name="phantom_trust_events",
    key=("id",),
    log=True,
    columns=(
        text("id"),
        text("player_id"),
        text("agent_id"),
        number("delta"),
        text("reason"),
        text("message_id", optional=True),
        moment("created_at"),
    ),
    indexes=(("player_id", "created_at"),),
)
KNOWLEDGE = Table(
    name="phantom_player_knowledge",
    key=("id",),
    log=True,
    columns=(
        text("id"),
        text("player_id"),
        text("fact"),
        text("category", *get_args(Category), optional=True),
        text("source_agent", optional=True),
        text("told_to"),
        text("channel"),
        moment("learned_at"),
        text("message_id", optional=True),
    ),
    indexes=(("player_id", "category"),),
)
MILESTONES = Table(
    name="phantom_story_milestones",
    key=("player_id", "milestone_id"),
    columns=(text("player_id"), text("milestone_id"), moment("reached_at"), data("context", optional=True)),
)

# messages

MESSAGES = Table(
    name="phantom_messages",
    key=("id",),
    columns=(
        text("id"),
        text("player_id"),
        text("agent_id", optional=True),
        text("channel"),
        text("direction", "inbound", "outbound"),
        moment("created_at"),
        text("session_id", optional=True),
        moment("delivered_at", optional=True),
        moment("read_at", optional=True),
        moment("classified_at", optional=True),
        data("classification", optional=True),
    ),
    indexes=(("player_id", "created_at"),),
)
CLAIMS = Table(
    name="phantom_agent_claims",
    key=("id",),
    columns=(
        text("id"),
        text("player_id"),
        text("agent_id"),
        text("claim"),
        text("claim_type", *get_args(ClaimType)),
        Column(name="is_true", kind="boolean", optional=True),
        text("significance", *get_args(Significance)),
        text("message_id", optional=True),
        text("contradicted_by", optional=True),
        moment("created_at"),
    ),
    indexes=(("player_id", "agent_id", "significance"),),
)

# the world

LIFECYCLE = Table(
    name="phantom_agent_lifecycle",
    key=("player_id", "agent_id"),
    columns=(
        text("player_id"),
        text("agent_id"),
        text("state", *get_args(Level)),
        text("reason", optional=True),
        moment("transitioned_at"),
        Column(name="response_probability", kind="real"),
        Column(name="response_delay_multiplier", kind="real"),
        text("tone_modifier", *get_args(Tone)),
    ),
)
TRANSITIONS = Table(
    name="phantom_lifecycle_transitions",
    key=("id",),
    log=True,
    columns=(
        text("id"),
        text("player_id"),
        text("agent_id"),
        text("from_state", *get_args(Level)),
        text("to_state", *get_args(Level)),
        text("reason", optional=True),
        number("trust_at_transition", optional=True),
        moment("created_at"),
    ),
)
WORLD = Table(
    name="phantom_world_state",
    key=("player_id",),
    columns=(
        text("player_id"),
        number("exposure_level", 0, 100),
        data("spawn_conditions_met"),
        flag("thursday_passed"),
        flag("thursday_consequences_applied"),
        moment("updated_at"),
    ),
)
EXPOSURE = Table(
    name="phantom_exposure_events",
    key=("id",),
    log=True,
    columns=(text("id"), text("player_id"), number("delta"), text("reason"), moment("created_at")),
    indexes=(("player_id", "created_at"),),
)
EXCHANGES = Table(
    name="phantom_inter_agent_exchanges",
    key=("id",),
    columns=(
        text("id"),
        text("player_id"),
        text("from_agent"),
        text("to_agent"),
        text("trigger"),
        data("knowledge_shared"),
        data("knowledge_withheld"),
        number("trust_delta"),
        text("alliance_level", *get_args(Alliance), optional=True),
        flag("surfaced_to_player"),
        text("surface_message_id", optional=True),
        moment("created_at"),
    ),
    indexes=(("player_id", "created_at"),),
)
ENGAGEMENT = Table(
    name="phantom_player_engagement",
    key=("player_id",),
    columns=(
        text("player_id"),
        text("state", *get_args(Engagement)),
        moment("last_player_message_at", optional=True),
        moment("last_agent_message_at", optional=True),
        number("reengagement_attempts"),
        moment("last_reengagement_at", optional=True),
        moment("updated_at"),
    ),
)
CHANNELS = Table(
    name="phantom_channel_ownership",
    key=("player_id", "channel"),
    columns=(
        text("player_id"),
        text("channel"),
        text("current_agent_id"),
        data("previous_agents"),
        moment("inherited_at", optional=True),
        text("inheritance_type", *get_args(Inheritance), optional=True),
    ),
)

# triggers and letters

TRIGGERS = Table(
    name="phantom_triggers",
    key=("player_id", "trigger_id"),
    columns=(
        text("player_id"),
        text("trigger_id"),
        text("condition"),
        data("actions"),
        flag("once"),
        text("note"),
        text("content"),
        number("fired_count"),
        moment("last_fired_at", optional=True),
    ),
)
TRIGGER_HISTORY = Table(
    name="phantom_trigger_history",
    key=("id",),
    log=True,
    columns=(
        text("id"),
        text("player_id"),
        text("trigger_id"),
        text("because"),
        data("actions"),
        moment("fired_at"),
    ),
    indexes=(("player_id", "fired_at"),),
)
SCHEDULED = Table(
    name="phantom_scheduled_messages",
    key=("id",),
    columns=(
        text("id"),
        text("player_id"),
        text("agent_id", optional=True),
        text("channel", optional=True),
        text("situation"),
        text("status", "planned", "waiting", "sent", "failed", "cancelled", "written"),
        moment("wanted_at"),
        moment("due_at"),
        text("message_id", optional=True),
        text("provider_key", optional=True),
        text("reason", optional=True),
        moment("created_at"),
        moment("settled_at", optional=True),
    ),
    indexes=(("player_id", "due_at"), ("status", "due_at")),
)

TABLES = (
    PLAYERS, KEYS, ACCESS, TRUST, TRUST_EVENTS, KNOWLEDGE, MILESTONES, MESSAGES, CLAIMS, LIFECYCLE, TRANSITIONS, WORLD,
    EXPOSURE, EXCHANGES, ENGAGEMENT, CHANNELS, TRIGGERS, TRIGGER_HISTORY, SCHEDULED,
)  # fmt: skip
