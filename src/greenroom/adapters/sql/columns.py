"""The columns of the house's tables, written once: schema, rows and statements are made of them.

Types are PostgreSQL's; an ``id`` is a number that the database gives, a ``rowid`` one that it is given, and what may be
empty has a ``?``. Moments are microseconds since 1970. Nothing here needs SQLAlchemy, which is slow to import.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Declared(NamedTuple):
    """A column as it is declared."""

    name: str
    type: str
    optional: bool


def declared(columns: str) -> Iterator[Declared]:
    """Columns as they are written: ``"sid bigint, parent text?"``."""
    for column in columns.split(","):
        name, type_ = column.split()
        yield Declared(name, type_.removesuffix("?"), type_.endswith("?"))


def listed(table: str, *, besides: str = "") -> str:
    """The names of a table's columns, as a statement lists them."""
    return ", ".join(column.name for column in declared(COLUMNS[table]) if column.name != besides)


COLUMNS: Mapping[str, str] = {
    "house": "key text, value bytea",
    "schema_versions": "version text, at bigint, greenroom text",
    "projections": "name text, digest bytea",
    "streams": """
        sid id, name text, world text, owner text, seed bigint, born_at bigint, parent text?, forked_at bigint,
        player text?, mark bigint, awake boolean, mute boolean, clock_at bigint?, version bigint, recorded bigint,
        open integer, head_at bigint?, recorded_at bigint, last_at bigint, wake_at bigint?, ready_at bigint?,
        busy_until bigint, holder text?, token bigint, waiting boolean, woken boolean, outcome bytea?
    """,
    "attempts": """
        sid bigint, n bigint, key text, at bigint, seat text, command bytea, digest bytea, rank smallint,
        tries smallint, status text?, base bigint?, version bigint?, error text?, kept bytea?
    """,
    "answers": "sid bigint, n bigint, i integer, fingerprint bytea, body bytea",
    "steps": "sid bigint, version bigint, at bigint, n bigint, shape integer, events bytea, fold bytea, history bytea",
    "snapshots": "id id, sid bigint, version bigint, shape integer, state bytea",
    "memories": """
        mid id, id text, sid bigint, version bigint?, world text, owner text, agent text, kind text, speaker text,
        at bigint, text text, meta text?, supersedes text?
    """,
    "vectors": "mid rowid, model text, vector bytea",
    "letters": """
        sid bigint, key text, due_at bigint, channel text, recipient text, words text, subject text, status text,
        tries smallint, token bigint, busy_until bigint, error text?, version bigint, closed bigint?
    """,
    "ledger": """
        id id, sid bigint, n bigint, i integer, role text, model text, at bigint, input_tokens integer,
        output_tokens integer, cached_tokens integer, cost bigint, milliseconds integer, status text, account bytea
    """,
    "tombstones": "digest bytea, at bigint",
    "tickets": """
        digest bytea, kind text, owner text?, seat text?, world text?, sid bigint?, label text, made_at bigint,
        ends_at bigint?
    """,
    "cursors": """
        name text, worlds text, token bigint, holder text?, busy_until bigint, tries integer, error text?,
        rebuilding boolean
    """,
    "followed": "follower text, sid bigint, told bigint, version bigint",
    "forgotten": "id id, follower text, stream text",
    # What agents of Google's ADK keep here, by the names that ADK has; times are the caller's, in seconds.
    "adk_sessions": """
        app_name text, user_id text, id text, session_state text, created_at float8, last_update_time float8,
        revision bigint, game_id text?, player_id text?, is_active boolean
    """,
    "adk_events": """
        app_name text, user_id text, session_id text, sequence_number bigint, id text, created_at float8,
        event_data text
    """,
    "adk_app_states": "app_name text, state text",
    "adk_user_states": "app_name text, user_id text, state text",
    "adk_memories": """
        app_name text, user_id text, session_id text, event_id text, author text, created_at float8, content text?,
        words text
    """,
    "adk_artifacts": """
        app_name text, user_id text, session_id text, filename text, version bigint, created_at float8,
        mime_type text?, custom_metadata text, part text, data bytea?
    """,
}
