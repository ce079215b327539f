"""Looking for damage in the file: its pages, rows that belong to nobody, counters that do not add up."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.removal import NOBODY, OF_STREAM, world_tables
from greenroom.journal.audit import Tally, disagreements
from greenroom.journal.records import Stream

#: Streams looked at in one read: a long one would keep the log from being cut.
PAGE = 500

_MOST_FOUND = 20


def damaged_pages(connection: sqlite3.Connection) -> Sequence[str]:
    """What SQLite finds wrong with pages, indexes and constraints."""
    found = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({_MOST_FOUND})")]
    return [] if found == ["ok"] else [f"the file is damaged: {line}" for line in found]


def leftovers(connection: sqlite3.Connection) -> Sequence[str]:
    """Rows whose stream is not there."""
    found = []
    for table in (*OF_STREAM, "ledger", *world_tables(connection)):
        (count,) = connection.execute(
            f"SELECT count(*) FROM {table} WHERE sid NOT IN (SELECT sid FROM streams) AND sid <> {NOBODY}"
        ).fetchone()
        if count:
            found.append(f"{count} rows of {table} belong to no stream")
    return found


def page(connection: sqlite3.Connection, after: int) -> Sequence[tuple[int, Stream]]:
    found = connection.execute(f"SELECT {rows.STREAM} FROM streams WHERE sid > ? ORDER BY sid LIMIT {PAGE}", (after,))
    return [(row[0], rows.to_stream(row)) for row in found]


def out_of_step(connection: sqlite3.Connection, sid: int, stream: Stream) -> Sequence[str]:
    """In what the row of a stream differs from its other rows."""
    return disagreements(stream, _tally(connection, sid))


def _tally(connection: sqlite3.Connection, sid: int) -> Tally:
    def one(statement: str) -> Sequence[int | None]:
        found: Sequence[int | None] | None = connection.execute(statement, (sid,)).fetchone()
        return (None,) * 2 if found is None else found

    waiting, last_attempt = one("SELECT count(*) FILTER (WHERE status IS NULL), max(n) FROM attempts WHERE sid = ?")
    head_at = one("SELECT at FROM attempts WHERE sid = ? AND status IS NULL ORDER BY rank, n LIMIT 1")[0]
    steps, last_version = one("SELECT count(*), max(version) FROM steps WHERE sid = ?")
    last_at = one("SELECT at FROM steps WHERE sid = ? ORDER BY version DESC LIMIT 1")[0]
    strays = one(
        "SELECT count(*) FROM steps s WHERE s.sid = ? "
        "AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.sid = s.sid AND a.n = s.n)"
    )[0]
    snapshots = connection.execute("SELECT version FROM snapshots WHERE sid = ? ORDER BY version", (sid,))
    return Tally(
        open=waiting or 0,
        head_at=head_at,
        last_attempt=last_attempt,
        steps=steps or 0,
        strays=strays or 0,
        last_version=last_version,
        last_at=last_at,
        snapshots=[version for (version,) in snapshots],
    )
