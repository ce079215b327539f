"""Taking things out of the database for good: a person, whole streams, the prefix of a stream.

What is to go is worked out first, by the same look that a dry run takes; then it is deleted by a few statements over
whole sets. World tables are found in the database itself, not in the loaded worlds: a person's rows go even when the
world that wrote them is not installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from greenroom.adapters.postgres.connection import Link
from greenroom.adapters.postgres.page import tombstone
from greenroom.adapters.postgres.store import Writing
from greenroom.adapters.sql import rows
from greenroom.adapters.sql.projections import Projection
from greenroom.journal.records import Removed, Stream
from greenroom.journal.sums import fold_sum

#: The ledger's stream of nobody: what removed streams spent, by day, role and model; ``i`` counts the asks.
NOBODY = 0

#: Tables of the house with rows of a stream; the ledger is folded, not emptied.
OF_STREAM = ("attempts", "answers", "steps", "snapshots", "memories", "letters")

_AMONG = "= ANY($1::bigint[])"
_DAY = 86_400_000_000
_SUMS = "sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(cost)::bigint, sum(milliseconds)"
_FAMILY = """
WITH RECURSIVE family (sid, name) AS (
    SELECT sid, name FROM streams WHERE {first}
    UNION SELECT s.sid, s.name FROM family f JOIN streams s ON s.parent = f.name OR s.player = f.name
) SELECT name, sid FROM family
"""
#: Streams of a set that something outside the set still needs.
_NEEDED = f"""
SELECT p.sid FROM streams s JOIN streams p ON p.name = s.parent WHERE p.sid {_AMONG} AND NOT s.sid {_AMONG}
UNION SELECT p.sid FROM streams s JOIN streams p ON p.name = s.player WHERE p.sid {_AMONG} AND NOT s.sid {_AMONG}
UNION SELECT c.sid FROM streams c JOIN streams p ON p.name = c.player WHERE c.sid {_AMONG} AND p.open > 0
"""
#: Whoever waits for a stream that goes, by name.
_WAITING = f"""
SELECT DISTINCT p.name FROM streams c JOIN streams p ON p.name = c.player
WHERE c.sid {_AMONG} AND NOT p.sid {_AMONG} AND p.waiting
"""
_FOLD = f"""
WITH gone AS (DELETE FROM ledger WHERE sid = {NOBODY} OR sid {_AMONG} RETURNING *)
INSERT INTO ledger ({rows.LEDGER})
SELECT {NOBODY}, 0, sum(CASE sid WHEN {NOBODY} THEN i ELSE 1 END), role, model, at / {_DAY} * {_DAY}, {_SUMS},
    'removed', '{{}}'::bytea
FROM gone GROUP BY at / {_DAY} * {_DAY}, role, model
"""


async def world_tables(link: Link) -> tuple[str, ...]:
    """Every world table in the database, also of worlds that are not loaded."""
    found = await link.fetch(
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
        "WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace "
        "AND a.attname IN ('sid', 'version', 'root') GROUP BY c.relname HAVING count(*) = 3 ORDER BY c.relname"
    )
    return tuple(row[0] for row in found)


# whole streams


async def family(link: Link, owner: str) -> dict[str, int]:
    """The streams a person owns, with their branches and the streams they play."""
    return dict(await link.fetch(_FAMILY.format(first="owner = $1"), owner))


async def with_kin(link: Link, names: Sequence[str]) -> dict[str, int]:
    """Streams with their branches and the streams they play."""
    return dict(await link.fetch(_FAMILY.format(first="name = ANY($1::text[])"), list(names)))


async def removable(link: Link, names: Sequence[str]) -> dict[str, int]:
    """Those of the streams that nothing which stays still needs."""
    found = await link.fetch("SELECT name, sid FROM streams WHERE open = 0 AND name = ANY($1::text[])", names)
    going: dict[str, int] = dict(found)
    while going:
        needed = {row[0] for row in await link.fetch(_NEEDED, list(going.values()))}
        if not needed:
            break
        going = {name: sid for name, sid in going.items() if sid not in needed}
    return going


async def removed(link: Link, going: Mapping[str, int], owner: str | None = None) -> Removed:
    """What goes with these streams, and with the memories of this person elsewhere."""
    sids = list(going.values())
    counts = {"streams": len(going)}
    for table in OF_STREAM:
        counts[table] = await _count(link, f"{table} WHERE sid {_AMONG}", sids)
    if owner is not None:
        counts["memories"] += await _count(link, f"memories WHERE NOT sid {_AMONG} AND owner = $2", sids, owner)
    counts["tickets"] = await _count(link, f"tickets WHERE sid {_AMONG} OR owner = $2", sids, owner)
    counts["rows"] = 0
    for name in await world_tables(link):
        counts["rows"] += await _count(link, f"{name} WHERE sid {_AMONG}", sids)
    return Removed(streams=tuple(sorted(going)), counts=counts)


async def waiting_for(link: Link, going: Mapping[str, int]) -> list[str]:
    """Streams that stay and wait for one that goes: they must look again, or would wait for ever."""
    return [row[0] for row in await link.fetch(_WAITING, list(going.values()))]


async def take_out(link: Link, going: Mapping[str, int], *, now: int, secret: bytes) -> None:
    """Delete whole streams; leave tombstones, and what they spent."""
    if not going:
        return
    sids = list(going.values())
    # Whoever follows them is told: until then, and no longer, their names are kept.
    await link.run(
        "WITH left_out AS (DELETE FROM followed f USING cursors c "
        f"WHERE f.follower = c.name AND f.sid {_AMONG} RETURNING f.follower, f.sid) "
        "INSERT INTO forgotten (follower, stream) SELECT l.follower, s.name FROM left_out l JOIN streams s USING (sid)",
        sids,
    )
    for table in (*OF_STREAM, "tickets", *await world_tables(link), "streams"):
        await link.run(f"DELETE FROM {table} WHERE sid {_AMONG}", sids)
    if await _count(link, f"ledger WHERE sid {_AMONG}", sids):
        await link.run(_FOLD, sids)
    await link.run(
        "INSERT INTO tombstones (digest, at) SELECT unnest($1::bytea[]), $2 ON CONFLICT DO NOTHING",
        [tombstone(secret, name) for name in going],
        now,
    )


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


_BLANKED = "sid = $1 AND version < $2 AND status IS NOT NULL AND command <> ''::bytea"


async def cut(link: Link, sid: int, stream: Stream, logs: Iterable[Projection], *, before: int, shape: int) -> Cut:
    """Work out how far a stream can be pruned, and what goes."""
    mark = await _mark(link, sid, stream, before, shape)
    below = (sid, mark if mark > stream.mark else 0)
    settled = {row[0] for row in await link.fetch(f"SELECT n FROM attempts WHERE {_BLANKED}", *below)}
    loose = await link.fetch("SELECT id FROM memories WHERE sid = $1 AND version IS NULL", sid)
    unplaced = tuple(row[0] for row in loose if _attempt_of(row[0], stream.name) in settled)
    counts = {"commands": len(settled)}
    for table in ("steps", "snapshots", "memories"):
        counts[table] = await _count(link, f"{table} WHERE sid = $1 AND version < $2", *below)
    counts["memories"] += len(unplaced)
    counts["rows"] = 0
    for log in logs:
        counts["rows"] += await _count(link, f"{log.name} WHERE sid = $1 AND version < $2", *below)
    return Cut(sid, stream, mark, counts, unplaced)


#: How far a stream may be pruned: to its end, to its first branch, to where the slowest follower is.
_LIMIT = """
SELECT min(version) FROM (
    SELECT $1::bigint AS version
    UNION ALL SELECT forked_at FROM streams WHERE parent = $2
    UNION ALL SELECT f.told FROM cursors c JOIN followed f ON f.follower = c.name AND f.sid = $3
) each
"""


async def _mark(link: Link, sid: int, stream: Stream, before: int, shape: int) -> int:
    """The newest sound snapshot that is old enough, no later than any branch, and known to whoever follows."""
    limit = await link.value(_LIMIT, stream.version, stream.name, sid)
    found = await link.fetch(
        "SELECT p.version, p.state, s.fold FROM snapshots p JOIN steps s ON s.sid = p.sid AND s.version = p.version "
        "WHERE p.sid = $1 AND p.version > $2 AND p.version <= $3 AND p.shape = $4 AND s.shape = p.shape AND s.at < $5 "
        "ORDER BY p.version DESC",
        *(sid, stream.mark, limit, shape, before),
    )
    # A damaged snapshot must never become the only witness of what went before it.
    return next((version for version, state, fold in found if fold_sum(shape, state) == fold), stream.mark)


def _attempt_of(memory: str, stream: str) -> int | None:
    """The attempt whose command said these words, by the memory's place."""
    place = memory.removeprefix(f"{stream}/a").partition(".")[0]
    return int(place) if place.isdigit() and memory.startswith(f"{stream}/a") else None


async def cut_off(act: Writing, found: Cut, logs: Iterable[Projection]) -> None:
    """Delete what a cut names and move the mark."""
    below = (found.sid, found.mark)
    stream = copy(found.stream)
    stream.mark = found.mark
    act.page.put_stream(stream)
    link = act.link
    await link.run(f"UPDATE attempts SET command = ''::bytea, kept = NULL WHERE {_BLANKED}", *below)
    for table in ("steps", "snapshots", "memories", *(log.name for log in logs)):
        await link.run(f"DELETE FROM {table} WHERE sid = $1 AND version < $2", *below)
    await link.run("DELETE FROM memories WHERE id = ANY($1::text[])", list(found.unplaced))


async def _count(link: Link, what: str, *values: object) -> int:
    return int(await link.value(f"SELECT count(*) FROM {what}", *values))
