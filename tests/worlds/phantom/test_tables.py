"""The seed's nineteen tables: their columns, checks and indexes, as SQL has them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from greenroom.worlds.phantom.rules.tables import TABLES
from tests.conftest import NewFile

pytestmark = pytest.mark.sqlite

#: What the seed gives, column by column; other columns may stand beside.
SEED = {
    "players": "id email phone timezone created_at game_started_at email_verified phone_verified",
    "player_keys": "id player_id key_value created_at access_limit access_count first_accessed_at",
    "key_access_log": "id player_id key_id accessed_at success ip_address user_agent",
    "player_trust": "player_id agent_id trust_score interaction_count last_interaction_at",
    "trust_events": "id player_id agent_id delta reason message_id created_at",
    "player_knowledge": "id player_id fact category source_agent learned_at message_id",
    "story_milestones": "player_id milestone_id reached_at context",
    "messages": "id player_id agent_id channel direction created_at session_id delivered_at read_at classified_at "
    "classification",
    "agent_claims": "id player_id agent_id claim claim_type is_true significance message_id contradicted_by created_at",
    "agent_lifecycle": "player_id agent_id state reason transitioned_at response_probability "
    "response_delay_multiplier tone_modifier",
    "lifecycle_transitions": "id player_id agent_id from_state to_state reason trust_at_transition created_at",
    "world_state": "player_id exposure_level spawn_conditions_met thursday_passed thursday_consequences_applied "
    "updated_at",
    "exposure_events": "id player_id delta reason created_at",
    "inter_agent_exchanges": "id player_id from_agent to_agent trigger knowledge_shared knowledge_withheld trust_delta "
    "alliance_level surfaced_to_player surface_message_id created_at",
    "player_engagement": "player_id state last_player_message_at last_agent_message_at reengagement_attempts "
    "last_reengagement_at updated_at",
    "channel_ownership": "player_id channel current_agent_id previous_agents inherited_at inheritance_type",
    "triggers": "player_id trigger_id condition actions once fired_count last_fired_at",
    "trigger_history": "id player_id trigger_id because actions fired_at",
    "scheduled_messages": "id player_id agent_id channel status due_at message_id provider_key",
}
INDEXES = {
    "trust_events": "player_id,created_at",
    "player_knowledge": "player_id,category",
    "messages": "player_id,created_at",
    "agent_claims": "player_id,agent_id,significance",
    "exposure_events": "player_id,created_at",
    "inter_agent_exchanges": "player_id,created_at",
}


@pytest.fixture
def file(new_file: NewFile) -> Path:
    return new_file(TABLES)


def test_there_are_nineteen_and_none_holds_words() -> None:
    assert {table.name for table in TABLES} == {f"phantom_{name}" for name in SEED}
    assert not [table.name for table in TABLES for column in table.columns if column.kind == "words"]


@pytest.mark.parametrize("name", sorted(SEED))
def test_a_table_has_the_seeds_columns(name: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        found = {row[1] for row in connection.execute(f"PRAGMA table_info(phantom_{name})")}
    assert set(SEED[name].split()) <= found


@pytest.mark.parametrize("name", sorted(INDEXES))
def test_a_table_has_the_seeds_index(name: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        names = [row[1] for row in connection.execute(f"PRAGMA index_list(phantom_{name})")]
        found = {",".join(row[2] for row in connection.execute(f"PRAGMA index_info({index})")) for index in names}
    assert INDEXES[name] in found


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("phantom_world_state", "exposure_level", 101),
        ("phantom_world_state", "exposure_level", -1),
        ("phantom_player_trust", "trust_score", 101),
        ("phantom_agent_lifecycle", "state", "asleep"),
        ("phantom_agent_claims", "claim_type", "rumour"),
        ("phantom_messages", "direction", "sideways"),
    ],
)
def test_a_check_refuses_what_the_rules_never_write(table: str, column: str, value: object, file: Path) -> None:
    declared = next(one for one in TABLES if one.name == table)
    plain = {"integer": 0, "boolean": 0, "real": 0.0}
    row: dict[str, object] = {
        one.name: one.among[0] if one.among else plain.get(one.kind, "x") for one in declared.columns
    }
    with closing(sqlite3.connect(file)) as connection, connection:
        _insert(connection, table, row)
        with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
            _insert(connection, table, {**row, column: value})


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    whole = {"sid": 1, "version": 1, "root": 1, **row}
    marks = ", ".join("?" for _ in whole)
    names = ", ".join(f'"{name}"' for name in whole)
    connection.execute(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", tuple(whole.values()))
