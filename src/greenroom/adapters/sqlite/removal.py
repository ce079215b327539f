"""Taking things out of the file for good: a person, whole streams, the prefix of a stream.

What is to go is worked out first, by the same look that a dry run takes; then it is put on the sheet as a
few statements over whole sets. World tables are found in the file itself, not in the loaded worlds: a
person's rows go even when the world that wrote them is not installed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.sheet import Sheet, tombstone
from greenroom.journal import transitions
from greenroom.journal.records import Removed, Stream
from greenroom.journal.sums import fold_sum

#: The ledger's stream of nobody: what removed streams spent, by day, role and model; ``i`` counts the asks.
NOBODY = 0

#: Tables of the house with rows of a stream; the ledger is folded, not emptied.
OF_STREAM = ("attempts", "answers", "steps", "snapshots", "memories", "letters")

_AMONG = "IN (SELECT value FROM json_each(?))"
_DAY = 86_400_000_000
_SUMS = "sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(cost), sum(milliseconds)"
_FAMILY = """
WITH RECURSIVE family (sid, name) AS (
    SELECT sid, name FROM streams WHERE {first}
    UNION SELECT s.sid, s.name FROM family f JOIN streams s ON s.parent = f.name
    UNION SELECT s.sid, s.name FROM family f JOIN streams s ON s.player = f.name
) SELECT name, sid FROM family
"""
#: Streams of a set that something outside the set still needs.
_NEEDED = f"""
SELECT p.sid FROM streams s JOIN streams p ON p.name = s.parent WHERE p.sid {_AMONG} AND s.sid NOT {_AMONG}
UNION SELECT p.sid FROM streams s JOIN streams p ON p.name = s.player WHERE p.sid {_AMONG} AND s.sid NOT {_AMONG}
UNION SELECT c.sid FROM streams c JOIN streams p ON p.name = c.player WHERE c.sid {_AMONG} AND p.open > 0
"""


def world_tables(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Every world table in the file, also of worlds that are not loaded."""
    found = connection.execute(
        "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c "
        "WHERE m.type = 'table' AND c.name IN ('sid', 'version', 'root') GROUP BY m.name HAVING count(*) = 3"
    )
    return tuple(sorted(name for (name,) in found))


# whole streams


def family(connection: sqlite3.Connection, owner: str) -> dict[str, int]:
    """The streams a person owns, with their branches and the streams they play."""
    return dict(connection.execute(_FAMILY.format(first="owner = ?"), (owner,)))


def with_kin(connection: sqlite3.Connection, names: Sequence[str]) -> dict[str, int]:
    """Streams with their branches and the streams they play."""
    return dict(connection.execute(_FAMILY.format(first=f"name {_AMONG}"), (json.dumps(names),)))


def removable(connection: sqlite3.Connection, names: Sequence[str]) -> dict[str, int]:
    """Those of the streams that nothing which stays still needs."""
    going = dict(
        connection.execute(f"SELECT name, sid FROM streams WHERE open = 0 AND name {_AMONG}", (json.dumps(names),))
    )
    while going:
        among = _ids(going.values())
        needed = {sid for (sid,) in connection.execute(_NEEDED, [among] * 5)}
        if not needed:
            break
        going = {name: sid for name, sid in going.items() if sid not in needed}
    return going


def removed(connection: sqlite3.Connection, going: Mapping[str, int], owner: str | None = None) -> Removed:
    """What goes with these streams, and with the memories of this person elsewhere."""
    among = _ids(going.values())
    counts = {"streams": len(going)}
    for table in OF_STREAM:
        counts[table] = _count(connection, f"{table} WHERE sid {_AMONG}", among)
    if owner is not None:
        counts["memories"] += _count(connection, f"memories WHERE sid NOT {_AMONG} AND owner = ?", among, owner)
    counts["tickets"] = _count(connection, f"tickets WHERE sid {_AMONG} OR owner = ?", among, owner)
    counts["rows"] = sum(_count(connection, f"{name} WHERE sid {_AMONG}", among) for name in world_tables(connection))
    return Removed(streams=tuple(sorted(going)), counts=counts)


def take_out(sheet: Sheet, going: Mapping[str, int], *, now: int, secret: bytes) -> None:
    """Delete whole streams; leave tombstones, and what they spent."""
    if not going:
        return
    among = _ids(going.values())
    _wake_players(sheet, among)
    # Whoever follows them is told: until then, and no longer, their names are kept.
    sheet.run(
        "INSERT INTO forgotten (follower, stream) SELECT f.follower, s.name "
        f"FROM cursors c JOIN followed f ON f.follower = c.name JOIN streams s ON s.sid = f.sid WHERE f.sid {_AMONG}",
        (among,),
    )
    sheet.run(f"DELETE FROM followed WHERE follower IN (SELECT name FROM cursors) AND sid {_AMONG}", (among,))
    for table in (*OF_STREAM, "tickets", *world_tables(sheet.connection), "streams"):
        sheet.run(f"DELETE FROM {table} WHERE sid {_AMONG}", (among,))
    _fold_ledger(sheet, among)
    for name in going:
        digest = tombstone(secret, name)
        sheet.run("INSERT INTO tombstones (digest, at) VALUES (?, ?) ON CONFLICT DO NOTHING", (digest, now))


def _wake_players(sheet: Sheet, among: str) -> None:
    """Whoever waits for a stream that goes must look again, or would wait for ever."""
    found = sheet.connection.execute(
        f"SELECT DISTINCT p.name FROM streams c JOIN streams p ON p.name = c.player "
        f"WHERE c.sid {_AMONG} AND p.sid NOT {_AMONG} AND p.waiting",
        (among, among),
    ).fetchall()
    for (name,) in found:
        stream = sheet.stream(name)
        transitions.ring(stream)
        sheet.put_stream(stream)


def _fold_ledger(sheet: Sheet, among: str) -> None:
    if not _count(sheet.connection, f"ledger WHERE sid {_AMONG}", among):
        return
    folded = sheet.connection.execute(
        f"SELECT at / {_DAY} * {_DAY}, role, model, sum(CASE sid WHEN {NOBODY} THEN i ELSE 1 END), {_SUMS} "
        f"FROM ledger WHERE sid = {NOBODY} OR sid {_AMONG} GROUP BY 1, 2, 3",
        (among,),
    ).fetchall()
    sheet.run(f"DELETE FROM ledger WHERE sid = {NOBODY} OR sid {_AMONG}", (among,))
    insert = f"INSERT INTO ledger ({rows.LEDGER}) VALUES ({', '.join('?' * (rows.LEDGER.count(',') + 1))})"
    for day, role, model, asks, *sums in folded:
        sheet.run(insert, (NOBODY, 0, asks, role, model, day, *sums, "removed", b"{}"))


# the prefix of a stream


@dataclass(frozen=True, slots=True)
class Cut:
    """What pruning one stream would remove."""

    sid: int
    stream: Stream
    mark: int
    counts: Mapping[str, int] = field(default_factory=dict)
    #: Ids of memories that go although no version says so: words of commands that no agent was given.
    unplaced: tuple[str, ...] = ()

    @property
    def removed(self) -> Removed:
        return Removed(streams=(self.stream.name,) if self.mark > self.stream.mark else (), counts=self.counts)


def cut(
    connection: sqlite3.Connection,
    sid: int,
    stream: Stream,
    logs: Iterable[Projection],
    *,
    before: int,
    shape: int,
) -> Cut:
    """Work out how far a stream can be pruned, and what goes."""
    mark = _mark(connection, sid, stream, before, shape)
    below = (sid, mark if mark > stream.mark else 0)
    settled = {n for (n,) in connection.execute(f"SELECT n FROM attempts WHERE {_BLANKED}", below)}
    unplaced = tuple(
        id
        for (id,) in connection.execute("SELECT id FROM memories WHERE sid = ? AND version IS NULL", (sid,))
        if _attempt_of(id, stream.name) in settled
    )
    counts = {"commands": len(settled)}
    for table in ("steps", "snapshots", "memories"):
        counts[table] = _count(connection, f"{table} WHERE sid = ? AND version < ?", *below)
    counts["memories"] += len(unplaced)
    counts["rows"] = sum(_count(connection, f"{log.name} WHERE sid = ? AND version < ?", *below) for log in logs)
    return Cut(sid, stream, mark, counts, unplaced)


_BLANKED = "sid = ? AND version < ? AND status IS NOT NULL AND command <> x''"


#: How far a stream may be pruned: to its end, to its first branch, to where the slowest follower is.
_LIMIT = """
SELECT min(version) FROM (
    SELECT ? AS version
    UNION ALL SELECT forked_at FROM streams WHERE parent = ?
    UNION ALL SELECT f.told FROM cursors c JOIN followed f ON f.follower = c.name AND f.sid = ?
)
"""


def _mark(connection: sqlite3.Connection, sid: int, stream: Stream, before: int, shape: int) -> int:
    """The newest sound snapshot that is old enough, no later than any branch, and known to whoever follows."""
    (limit,) = connection.execute(_LIMIT, (stream.version, stream.name, sid)).fetchone()
    found = connection.execute(
        "SELECT p.version, p.state, s.fold FROM snapshots p JOIN steps s ON s.sid = p.sid AND s.version = p.version "
        "WHERE p.sid = ? AND p.version > ? AND p.version <= ? AND p.shape = ? AND s.shape = p.shape AND s.at < ? "
        "ORDER BY p.version DESC",
        (sid, stream.mark, limit, shape, before),
    )
    # A damaged snapshot must never become the only witness of what went before it.
    return next((version for version, state, fold in found if fold_sum(shape, state) == fold), stream.mark)


def _attempt_of(memory: str, stream: str) -> int | None:
    """The attempt whose command said these words, by the memory's place."""
    place = memory.removeprefix(f"{stream}/a").partition(".")[0]
    return int(place) if place.isdigit() and memory.startswith(f"{stream}/a") else None


def cut_off(sheet: Sheet, found: Cut, logs: Iterable[Projection]) -> None:
    """Delete what a cut names and move the mark."""
    below = (found.sid, found.mark)
    stream = copy(found.stream)
    stream.mark = found.mark
    sheet.put_stream(stream)
    sheet.run(f"UPDATE attempts SET command = x'', kept = NULL WHERE {_BLANKED}", below)
    for table in ("steps", "snapshots", "memories", *(log.name for log in logs)):
        sheet.run(f"DELETE FROM {table} WHERE sid = ? AND version < ?", below)
    sheet.run(f"DELETE FROM memories WHERE id {_AMONG}", (json.dumps(found.unplaced),))


def _ids(sids: Collection[int]) -> str:
    return json.dumps(list(sids))


def _count(connection: sqlite3.Connection, what: str, *values: object) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {what}", values).fetchone()
    return int(count)
