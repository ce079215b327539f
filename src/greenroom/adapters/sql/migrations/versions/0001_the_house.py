"""the house"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, UniqueConstraint

from greenroom.adapters.sql.migrations.ways import create, index

revision = "0001"
down_revision = None


def upgrade() -> None:
    create(
        "answers",
        "sid, n, i",
        "sid bigint, n bigint, i integer, fingerprint bytea, body bytea",
        "Answers of turns in progress; gone when the turn settles.",
    )
    create(
        "attempts",
        "sid, n",
        "sid bigint, n bigint, key text, at bigint, seat text, command bytea, digest bytea, rank smallint, "
        "tries smallint, status text?, base bigint?, version bigint?, error text?, kept bytea?",
        "Commands as recorded, words as ids, and what became of each.",
        CheckConstraint("status IN ('settled', 'refused', 'failed', 'cancelled')", name="status"),
        sqlite_with_rowid=False,
    )
    index("attempts", "sid, rank, n", "ix_attempts_open", only="status IS NULL")
    index("attempts", "sid, key", "uq_attempts_sid_key", unique=True)
    create("house", "key", "key text, value bytea", "Facts about the house as a whole: its secret, its virtual clock.")
    create(
        "ledger",
        "id",
        "id id, sid bigint, n bigint, i integer, role text, model text, at bigint, input_tokens integer, "
        "output_tokens integer, cached_tokens integer, cost bigint, milliseconds integer, status text, account bytea",
        "What every ask of a model used, also of refused turns and discarded answers.",
    )
    index("ledger", "sid, n")
    create(
        "letters",
        "sid, key",
        "sid bigint, key text, due_at bigint, channel text, recipient text, words text, subject text, status text, "
        "tries smallint, token bigint, busy_until bigint, error text?, version bigint, closed bigint?",
        "Outgoing messages due at a time; the text is read from the bank when it is sent.",
        CheckConstraint("status IN ('due', 'held', 'sent', 'cancelled', 'failed')", name="status"),
    )
    index("letters", "due_at", "ix_letters_due", only="status = 'due'")
    create(
        "memories",
        "mid",
        "mid id, id text, sid bigint, version bigint?, world text, owner text, agent text, kind text, speaker text, "
        "at bigint, text text, meta text?, supersedes text?",
        "The memory bank: what was said, by whom, to whom, at which place of which stream.",
        UniqueConstraint("id"),
    )
    index("memories", "owner, world, agent")
    index("memories", "sid, version")
    create(
        "projections",
        "name",
        "name text, digest bytea",
        "Which definition each world table was made from; another definition means: make it anew and rebuild.",
    )
    create(
        "schema_versions",
        "version",
        "version text, at bigint, greenroom text",
        "Every migration this database went through, and which Greenroom did it.",
    )
    create(
        "snapshots",
        "id",
        "id id, sid bigint, version bigint, shape integer, state bytea",
        "States at some versions, so that any version loads quickly.",
    )
    index("snapshots", "sid, version", "uq_snapshots_sid_version", unique=True)
    create(
        "steps",
        "sid, version",
        "sid bigint, version bigint, at bigint, n bigint, shape integer, events bytea, fold bytea, history bytea",
        "What happened: one row per version, its events and both sums.",
        sqlite_with_rowid=False,
    )
    create(
        "streams",
        "sid",
        "sid id, name text, world text, owner text, seed bigint, born_at bigint, parent text?, forked_at bigint, "
        "player text?, mark bigint, awake boolean, mute boolean, clock_at bigint?, version bigint, recorded bigint, "
        "open integer, head_at bigint?, recorded_at bigint, last_at bigint, wake_at bigint?, ready_at bigint?, "
        "busy_until bigint, holder text?, token bigint, waiting boolean, woken boolean, outcome bytea?",
        "One row per stream: where it stands, who holds it, when it has something to do.",
        UniqueConstraint("name"),
    )
    index("streams", "parent", "ix_streams_branches", only="parent IS NOT NULL")
    index("streams", "player", "ix_streams_children", only="player IS NOT NULL")
    index("streams", "owner")
    index("streams", "ready_at", "ix_streams_ready", only="ready_at IS NOT NULL")
    create(
        "tombstones",
        "digest",
        "digest bytea, at bigint",
        "Keyed digests of the names of streams that were removed for good.",
    )
