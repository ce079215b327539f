"""The house's tables as all migrations together make them: keys, rules, indexes, and what each table is for.

A house that runs reads none of it. Tests hold databases against it, the reference shows it, and a new migration is
written from what Alembic finds to differ.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from greenroom.adapters.sql.columns import COLUMNS
from greenroom.adapters.sql.migrations.ways import NAMED, parts, where

metadata = sa.MetaData(naming_convention=NAMED.naming_convention)


def _table(name: str, key: str, comment: str, *rules: Any) -> None:
    sa.Table(name, metadata, *parts(COLUMNS[name], key), *rules, comment=comment)


def _index(columns: str, name: str | None = None, *, only: str | None = None, unique: bool = False) -> sa.Index:
    return sa.Index(name, *columns.split(", "), unique=unique, **where(only))


_table("house", "key", "Facts about the house as a whole: its secret, its virtual clock.")
_table("schema_versions", "version", "Every migration this database went through, and which Greenroom did it.")
_table(
    "projections",
    "name",
    "Which definition each world table was made from; another definition means: make it anew and rebuild.",
)
_table(
    "streams",
    "sid",
    "One row per stream: where it stands, who holds it, when it has something to do.",
    sa.UniqueConstraint("name"),
    _index("owner"),
    _index("ready_at", "ix_streams_ready", only="ready_at IS NOT NULL"),
    _index("world, ready_at", "ix_streams_ready_by_world", only="ready_at IS NOT NULL"),
    _index("parent", "ix_streams_branches", only="parent IS NOT NULL"),
    _index("player", "ix_streams_children", only="player IS NOT NULL"),
)
_table(
    "attempts",
    "sid, n",
    "Commands as recorded, words as ids, and what became of each.",
    _index("sid, key", "uq_attempts_sid_key", unique=True),
    _index("sid, rank, n", "ix_attempts_open", only="status IS NULL"),
    _index("at", "ix_attempts_failed", only="status = 'failed'"),
    sa.CheckConstraint("status IN ('settled', 'refused', 'failed', 'cancelled')", name="status"),
)
_table("answers", "sid, n, i", "Answers of turns in progress; gone when the turn settles.")
_table("steps", "sid, version", "What happened: one row per version, its events and both sums.")
_table(
    "snapshots",
    "id",
    "States at some versions, so that any version loads quickly.",
    _index("sid, version", "uq_snapshots_sid_version", unique=True),
)
_table(
    "memories",
    "mid",
    "The memory bank: what was said, by whom, to whom, at which place of which stream.",
    sa.UniqueConstraint("id"),
    _index("owner, world, agent"),
    _index("sid, version"),
)
_table(
    "vectors",
    "mid",
    "What a model makes of a memory's words, float32; made when it is first wanted, gone with the memory.",
)
_table(
    "letters",
    "sid, key",
    "Outgoing messages due at a time; the text is read from the bank when it is sent.",
    _index("due_at", "ix_letters_due", only="status = 'due'"),
    sa.CheckConstraint("status IN ('due', 'held', 'sent', 'cancelled', 'failed')", name="status"),
)
_table("ledger", "id", "What every ask of a model used, also of refused turns and discarded answers.", _index("sid, n"))
_table("tombstones", "digest", "Keyed digests of the names of streams that were removed for good.")
_table(
    "tickets",
    "digest",
    "Who may come in: keyed digests of tickets, and what each opens.",
    _index("owner"),
    _index("sid"),
    sa.CheckConstraint("kind IN ('operator', 'player')", name="kind"),
)
_table("cursors", "name", "Followers: which worlds each follows, who tells it, and what it said when it last failed.")
_table(
    "followed",
    "follower, sid",
    "How far each follower was told of each stream, and how far the stream is.",
    _index("follower, sid", "ix_followed_behind", only="told < version"),
)
_table(
    "forgotten",
    "id",
    "Names of removed streams whose copies have still to go; each goes when its follower was told.",
    _index("follower, id"),
)
_table(
    "adk_sessions",
    "app_name, user_id, id",
    "Sessions of ADK agents, and which seat of which stream one holds.",
    _index("user_id"),
    _index("game_id", "ix_adk_sessions_game", only="game_id IS NOT NULL"),
)
_table(
    "adk_events",
    "app_name, user_id, session_id, sequence_number",
    "Events of ADK sessions in the order in which they were appended.",
    _index("app_name, user_id, session_id, id", "ix_adk_events_id"),
    _index("user_id"),
)
_table("adk_app_states", "app_name", "State that all sessions of an ADK app share.")
_table(
    "adk_user_states",
    "app_name, user_id",
    "State that all sessions of one user of an ADK app share.",
    _index("user_id"),
)
_table(
    "adk_memories",
    "app_name, user_id, session_id, event_id",
    "Events that ADK agents may search; one without content was deleted and does not come back.",
    _index("user_id"),
)
_table(
    "adk_artifacts",
    "app_name, user_id, session_id, filename, version",
    "Files of ADK agents, version by version; a file of the user in all sessions has no session.",
    _index("user_id"),
)
