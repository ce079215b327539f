"""What a unit of work writes, by kind: rows, changes of rows that are there, and what takes rows away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.columns import COLUMNS, declared

#: What a stream is born with and never changes.
FIXED = "sid, name, world, owner, seed, born_at, parent, player"

#: Type of every column by its table and name.
_TYPES = {
    (table, column.name): "bigint" if column.type == "id" else column.type
    for table, columns in COLUMNS.items()
    for column in declared(columns)
}


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """One kind of line: its columns, and what is done with it. Each is made once and known by itself."""

    table: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    #: Lines are rows to insert; this is what becomes of one that is there already.
    conflict: str = ""
    #: Lines, called ``v``, change rows that are there.
    update: str = ""
    #: Lines take away rows: how each of their columns is to a column of the row.
    drops: tuple[str, ...] = ()


def kind(table: str, columns: str, *, conflict: str = "", update: str = "", drops: tuple[str, ...] = ()) -> Kind:
    """One of a table of the house."""
    names = rows.names(columns)
    return Kind(table, names, tuple(_TYPES[table, name] for name in names), conflict, update, drops)


def quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def taken(names: Sequence[str], source: str) -> str:
    """Columns set to what the source says."""
    return ", ".join(f'"{name}" = {source}."{name}"' for name in names)


def replaced(columns: str, besides: str) -> str:
    """Every column as the new row has it, but for some."""
    kept = rows.names(besides)
    return taken([name for name in rows.names(columns) if name not in kept], "excluded")


_PLACE = "version, agent, kind, speaker, meta, supersedes"
KINDS: Mapping[str, Kind] = {
    "booked": kind("attempts", rows.ATTEMPT),
    "attempts": kind(
        "attempts",
        rows.ATTEMPT,
        conflict="ON CONFLICT (sid, n) DO UPDATE SET "
        + taken(("tries", "status", "base", "version", "error", "kept"), "excluded"),
    ),
    "answers": kind(
        "answers", rows.ANSWER, conflict=f"ON CONFLICT (sid, n, i) DO UPDATE SET {replaced(rows.ANSWER, 'sid, n, i')}"
    ),
    "steps": kind("steps", rows.STEP),
    "snapshots": kind(
        "snapshots",
        rows.SNAPSHOT,
        conflict=f"ON CONFLICT (sid, version) DO UPDATE SET {replaced(rows.SNAPSHOT, 'sid, version')}",
    ),
    "memories": kind("memories", rows.MEMORY, conflict="ON CONFLICT (id) DO NOTHING"),
    "letters": kind(
        "letters",
        rows.LETTER,
        # Posted anew, a letter keeps its token growing: whoever held it before stays fenced.
        conflict=f"ON CONFLICT (sid, key) DO UPDATE SET {replaced(rows.LETTER, 'sid, key, token')}, "
        "token = letters.token + 1 WHERE letters.status IN ('due', 'held', 'cancelled')",
    ),
    "ledger": kind("ledger", rows.LEDGER),
    "followed": kind(
        "followed", rows.FOLLOWED, conflict="ON CONFLICT (follower, sid) DO UPDATE SET version = excluded.version"
    ),
    "tried": kind(
        "attempts",
        "sid, n, tries",
        update="UPDATE attempts AS t SET tries = v.tries FROM v WHERE t.sid = v.sid AND t.n = v.n",
    ),
    # Given back without an error, an attempt has tried nothing.
    "parked": kind(
        "attempts",
        "sid, n, error",
        update="UPDATE attempts AS t SET tries = CASE WHEN v.error IS NULL THEN 0 ELSE t.tries END, error = v.error "
        "FROM v WHERE t.sid = v.sid AND t.n = v.n",
    ),
    # Words that were stored before their turn find their place in it.
    "placed": kind(
        "memories",
        f"{_PLACE}, id",
        update=f"UPDATE memories AS t SET {taken(rows.names(_PLACE), 'v')} FROM v WHERE t.id = v.id",
    ),
    "withdrawn": kind(
        "letters",
        "closed, sid, key",
        update="UPDATE letters AS t SET status = 'cancelled', closed = v.closed FROM v "
        "WHERE t.sid = v.sid AND t.key = v.key AND t.status IN ('due', 'held')",
    ),
    "unanswered": kind("answers", "sid, n, i", drops=("=", "=", ">=")),
}
