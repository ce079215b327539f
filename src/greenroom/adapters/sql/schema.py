"""The house's tables, defined once. Migrations are generated from here; moments are microseconds since 1970."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: SQLite numbers rows by itself only for a column of exactly this type.
RowId = BigInteger().with_variant(Integer, "sqlite")


def _partial(name: str, *columns: str, where: str) -> Index:
    """An index over some of the rows."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


house = Table(
    "house",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
    comment="Facts about the house as a whole: its secret, its virtual clock.",
)

schema_versions = Table(
    "schema_versions",
    metadata,
    Column("version", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("greenroom", Text, nullable=False),
    comment="Every migration this database went through, and which Greenroom did it.",
)

projections = Table(
    "projections",
    metadata,
    Column("name", Text, primary_key=True),
    Column("digest", LargeBinary, nullable=False),
    comment="Which definition each world table was made from; another definition means: make it anew and rebuild.",
)

streams = Table(
    "streams",
    metadata,
    Column("sid", RowId, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("world", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("born_at", BigInteger, nullable=False),
    Column("parent", Text),
    Column("forked_at", BigInteger, nullable=False),
    Column("player", Text),
    Column("mark", BigInteger, nullable=False),
    Column("awake", Boolean, nullable=False),
    Column("mute", Boolean, nullable=False),
    Column("clock_at", BigInteger),
    Column("version", BigInteger, nullable=False),
    Column("recorded", BigInteger, nullable=False),
    Column("open", Integer, nullable=False),
    Column("head_at", BigInteger),
    Column("recorded_at", BigInteger, nullable=False),
    Column("last_at", BigInteger, nullable=False),
    Column("wake_at", BigInteger),
    Column("ready_at", BigInteger),
    Column("busy_until", BigInteger, nullable=False),
    Column("holder", Text),
    Column("token", BigInteger, nullable=False),
    Column("waiting", Boolean, nullable=False),
    Column("woken", Boolean, nullable=False),
    Column("outcome", LargeBinary),
    Index(None, "owner"),
    _partial("ix_streams_ready", "ready_at", where="ready_at IS NOT NULL"),
    _partial("ix_streams_branches", "parent", where="parent IS NOT NULL"),
    _partial("ix_streams_children", "player", where="player IS NOT NULL"),
    comment="One row per stream: where it stands, who holds it, when it has something to do.",
)

attempts = Table(
    "attempts",
    metadata,
    Column("sid", BigInteger, nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("key", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", Text, nullable=False),
    Column("command", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("rank", SmallInteger, nullable=False),
    Column("tries", SmallInteger, nullable=False),
    Column("status", Text),
    Column("base", BigInteger),
    Column("version", BigInteger),
    Column("error", Text),
    Column("kept", LargeBinary),
    PrimaryKeyConstraint("sid", "n"),
    Index("uq_attempts_sid_key", "sid", "key", unique=True),
    _partial("ix_attempts_open", "sid", "rank", "n", where="status IS NULL"),
    _partial("ix_attempts_failed", "at", where="status = 'failed'"),
    CheckConstraint("status IN ('settled', 'refused', 'failed', 'cancelled')", name="status"),
    comment="Commands as recorded, words as ids, and what became of each.",
)

answers = Table(
    "answers",
    metadata,
    Column("sid", BigInteger, nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("i", Integer, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
    PrimaryKeyConstraint("sid", "n", "i"),
    comment="Answers of turns in progress; gone when the turn settles.",
)

steps = Table(
    "steps",
    metadata,
    Column("sid", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("shape", Integer, nullable=False),
    Column("events", LargeBinary, nullable=False),
    Column("fold", LargeBinary, nullable=False),
    Column("history", LargeBinary, nullable=False),
    PrimaryKeyConstraint("sid", "version"),
    comment="What happened: one row per version, its events and both sums.",
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("sid", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("shape", Integer, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Index("uq_snapshots_sid_version", "sid", "version", unique=True),
    comment="States at some versions, so that any version loads quickly.",
)

memories = Table(
    "memories",
    metadata,
    Column("mid", RowId, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("sid", BigInteger, nullable=False),
    Column("version", BigInteger),
    Column("world", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("speaker", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("meta", Text),
    Column("supersedes", Text),
    Index(None, "owner", "world", "agent"),
    Index(None, "sid", "version"),
    comment="The memory bank: what was said, by whom, to whom, at which place of which stream.",
)

vectors = Table(
    "vectors",
    metadata,
    Column("mid", RowId, primary_key=True, autoincrement=False),
    Column("model", Text, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    comment="What a model makes of a memory's words, float32; made when it is first wanted, gone with the memory.",
)

letters = Table(
    "letters",
    metadata,
    Column("sid", BigInteger, nullable=False),
    Column("key", Text, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("channel", Text, nullable=False),
    Column("recipient", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("tries", SmallInteger, nullable=False),
    Column("token", BigInteger, nullable=False),
    Column("busy_until", BigInteger, nullable=False),
    Column("error", Text),
    Column("version", BigInteger, nullable=False),
    Column("closed", BigInteger),
    PrimaryKeyConstraint("sid", "key"),
    _partial("ix_letters_due", "due_at", where="status = 'due'"),
    CheckConstraint("status IN ('due', 'held', 'sent', 'cancelled', 'failed')", name="status"),
    comment="Outgoing messages due at a time; the text is read from the bank when it is sent.",
)

ledger = Table(
    "ledger",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("sid", BigInteger, nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("i", Integer, nullable=False),
    Column("role", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("cached_tokens", Integer, nullable=False),
    Column("cost", BigInteger, nullable=False),
    Column("milliseconds", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("account", LargeBinary, nullable=False),
    Index(None, "sid", "n"),
    comment="What every ask of a model used, also of refused turns and discarded answers.",
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("at", BigInteger, nullable=False),
    comment="Keyed digests of the names of streams that were removed for good.",
)

tickets = Table(
    "tickets",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("owner", Text),
    Column("seat", Text),
    Column("world", Text),
    Column("sid", BigInteger),
    Column("label", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger),
    Index(None, "owner"),
    Index(None, "sid"),
    CheckConstraint("kind IN ('operator', 'player')", name="kind"),
    comment="Who may come in: keyed digests of tickets, and what each opens.",
)

cursors = Table(
    "cursors",
    metadata,
    Column("name", Text, primary_key=True),
    Column("worlds", Text, nullable=False),
    Column("token", BigInteger, nullable=False),
    Column("holder", Text),
    Column("busy_until", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("error", Text),
    Column("rebuilding", Boolean, nullable=False),
    comment="Followers: which worlds each follows, who tells it, and what it said when it last failed.",
)

followed = Table(
    "followed",
    metadata,
    Column("follower", Text, nullable=False),
    Column("sid", BigInteger, nullable=False),
    Column("told", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    PrimaryKeyConstraint("follower", "sid"),
    _partial("ix_followed_behind", "follower", "sid", where="told < version"),
    comment="How far each follower was told of each stream, and how far the stream is.",
)

forgotten = Table(
    "forgotten",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("follower", Text, nullable=False),
    Column("stream", Text, nullable=False),
    Index(None, "follower", "id"),
    comment="Names of removed streams whose copies have still to go; each goes when its follower was told.",
)

# What agents of Google's ADK keep here, by the names that ADK has; times are the caller's, in seconds.

adk_sessions = Table(
    "adk_sessions",
    metadata,
    Column("app_name", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("session_state", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("last_update_time", Double, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("game_id", Text),
    Column("player_id", Text),
    Column("is_active", Boolean, nullable=False),
    PrimaryKeyConstraint("app_name", "user_id", "id"),
    Index(None, "user_id"),
    _partial("ix_adk_sessions_game", "game_id", where="game_id IS NOT NULL"),
    comment="Sessions of ADK agents, and which seat of which stream one holds.",
)

adk_events = Table(
    "adk_events",
    metadata,
    Column("app_name", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("sequence_number", BigInteger, nullable=False),
    Column("id", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("event_data", Text, nullable=False),
    PrimaryKeyConstraint("app_name", "user_id", "session_id", "sequence_number"),
    Index("ix_adk_events_id", "app_name", "user_id", "session_id", "id"),
    Index(None, "user_id"),
    comment="Events of ADK sessions in the order in which they were appended.",
)

adk_app_states = Table(
    "adk_app_states",
    metadata,
    Column("app_name", Text, primary_key=True),
    Column("state", Text, nullable=False),
    comment="State that all sessions of an ADK app share.",
)

adk_user_states = Table(
    "adk_user_states",
    metadata,
    Column("app_name", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("state", Text, nullable=False),
    PrimaryKeyConstraint("app_name", "user_id"),
    Index(None, "user_id"),
    comment="State that all sessions of one user of an ADK app share.",
)

adk_memories = Table(
    "adk_memories",
    metadata,
    Column("app_name", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("event_id", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("content", Text),
    Column("words", Text, nullable=False),
    PrimaryKeyConstraint("app_name", "user_id", "session_id", "event_id"),
    Index(None, "user_id"),
    comment="Events that ADK agents may search; one without content was deleted and does not come back.",
)

adk_artifacts = Table(
    "adk_artifacts",
    metadata,
    Column("app_name", Text, nullable=False),
    Column("user_id", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("filename", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("mime_type", Text),
    Column("custom_metadata", Text, nullable=False),
    Column("part", Text, nullable=False),
    Column("data", LargeBinary),
    PrimaryKeyConstraint("app_name", "user_id", "session_id", "filename", "version"),
    Index(None, "user_id"),
    comment="Files of ADK agents, version by version; a file of the user in all sessions has no session.",
)
