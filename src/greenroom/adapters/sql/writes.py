"""What a unit of work writes, by kind: rows, what becomes of one that is there already, and changes of such rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from greenroom.adapters.sql import rows

#: What a stream is born with and never changes.
FIXED = "sid, name, world, owner, seed, born_at, parent, player"


class Insert(NamedTuple):
    table: str
    columns: str
    conflict: str = ""


class Update(NamedTuple):
    """A change of rows that are there; in ``sql``, ``v`` are rows of ``columns``."""

    table: str
    columns: str
    sql: str


def replaced(columns: str, besides: str) -> str:
    """Every column as the new row has it, but for some."""
    kept = rows.names(besides)
    return ", ".join(f"{name} = excluded.{name}" for name in rows.names(columns) if name not in kept)


INSERTS: Mapping[str, Insert] = {
    "attempts": Insert(
        "attempts",
        rows.ATTEMPT,
        "ON CONFLICT (sid, n) DO UPDATE SET tries = excluded.tries, status = excluded.status, base = excluded.base, "
        "version = excluded.version, error = excluded.error, kept = excluded.kept",
    ),
    "answers": Insert(
        "answers", rows.ANSWER, f"ON CONFLICT (sid, n, i) DO UPDATE SET {replaced(rows.ANSWER, 'sid, n, i')}"
    ),
    "steps": Insert("steps", rows.STEP),
    "snapshots": Insert(
        "snapshots",
        rows.SNAPSHOT,
        f"ON CONFLICT (sid, version) DO UPDATE SET {replaced(rows.SNAPSHOT, 'sid, version')}",
    ),
    "memories": Insert("memories", rows.MEMORY, "ON CONFLICT (id) DO NOTHING"),
    "letters": Insert(
        "letters",
        rows.LETTER,
        # Posted anew, a letter keeps its token growing: whoever held it before stays fenced.
        f"ON CONFLICT (sid, key) DO UPDATE SET {replaced(rows.LETTER, 'sid, key, token')}, token = letters.token + 1 "
        "WHERE letters.status IN ('due', 'held', 'cancelled')",
    ),
    "ledger": Insert("ledger", rows.LEDGER),
    "followed": Insert(
        "followed", rows.FOLLOWED, "ON CONFLICT (follower, sid) DO UPDATE SET version = excluded.version"
    ),
}


def taken(columns: str) -> str:
    """Columns set to what the rows of an update say."""
    return ", ".join(f"{name} = v.{name}" for name in rows.names(columns))


_PLACE = "version, agent, kind, speaker, meta, supersedes"
UPDATES: Mapping[str, Update] = {
    "tried": Update(
        "attempts",
        "sid, n, tries",
        "UPDATE attempts AS t SET tries = v.tries FROM v WHERE t.sid = v.sid AND t.n = v.n",
    ),
    # Given back without an error, an attempt has tried nothing.
    "parked": Update(
        "attempts",
        "sid, n, error",
        "UPDATE attempts AS t SET tries = CASE WHEN v.error IS NULL THEN 0 ELSE t.tries END, error = v.error "
        "FROM v WHERE t.sid = v.sid AND t.n = v.n",
    ),
    # Words that were stored before their turn find their place in it.
    "placed": Update("memories", f"{_PLACE}, id", f"UPDATE memories AS t SET {taken(_PLACE)} FROM v WHERE t.id = v.id"),
    "withdrawn": Update(
        "letters",
        "closed, sid, key",
        "UPDATE letters AS t SET status = 'cancelled', closed = v.closed FROM v "
        "WHERE t.sid = v.sid AND t.key = v.key AND t.status IN ('due', 'held')",
    ),
}
