"""The rows that a unit of work inserts, by kind: their table, and what becomes of one that is there already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from greenroom.adapters.sql import rows

#: What a stream is born with and never changes.
FIXED = "sid, name, world, owner, seed, born_at, parent, player"
#: What is said of words that were stored before their turn and find their place in it.
PLACED = "version, agent, kind, speaker, meta, supersedes, id"


class Insert(NamedTuple):
    table: str
    columns: str
    conflict: str = ""


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
