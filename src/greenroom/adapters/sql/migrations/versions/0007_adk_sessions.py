"""adk sessions"""

from __future__ import annotations

from greenroom.adapters.sql.migrations.ways import create, index

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    create(
        "adk_sessions",
        "app_name, user_id, id",
        "app_name text, user_id text, id text, session_state text, created_at float8, last_update_time float8, "
        "revision bigint, game_id text?, player_id text?, is_active boolean",
        "Sessions of ADK agents, and which seat of which stream one holds.",
    )
    index("adk_sessions", "user_id")
    index("adk_sessions", "game_id", "ix_adk_sessions_game", only="game_id IS NOT NULL")
    create(
        "adk_events",
        "app_name, user_id, session_id, sequence_number",
        "app_name text, user_id text, session_id text, sequence_number bigint, id text, created_at float8, "
        "event_data text",
        "Events of ADK sessions in the order in which they were appended.",
    )
    index("adk_events", "app_name, user_id, session_id, id", "ix_adk_events_id")
    index("adk_events", "user_id")
    create("adk_app_states", "app_name", "app_name text, state text", "State that all sessions of an ADK app share.")
    create(
        "adk_user_states",
        "app_name, user_id",
        "app_name text, user_id text, state text",
        "State that all sessions of one user of an ADK app share.",
    )
    index("adk_user_states", "user_id")
    create(
        "adk_memories",
        "app_name, user_id, session_id, event_id",
        "app_name text, user_id text, session_id text, event_id text, author text, created_at float8, content text?, "
        "words text",
        "Events that ADK agents may search; one without content was deleted and does not come back.",
    )
    index("adk_memories", "user_id")
    create(
        "adk_artifacts",
        "app_name, user_id, session_id, filename, version",
        "app_name text, user_id text, session_id text, filename text, version bigint, created_at float8, "
        "mime_type text?, custom_metadata text, part text, data bytea?",
        "Files of ADK agents, version by version; a file of the user in all sessions has no session.",
    )
    index("adk_artifacts", "user_id")
