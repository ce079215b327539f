"""Taking things out for good: a person, whole streams, the prefix of a stream.

What is to go is worked out first, by the same look that a dry run takes; then it is deleted by a few statements over
whole sets. World tables are found in the database itself, not in the loaded worlds: a person's rows go even when the
world that wrote them is not installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.store import Reader, SqlStore, Transaction
from greenroom.journal.records import Removed, Stream
from greenroom.journal.sums import fold_sum

#: The ledger's stream of nobody: what removed streams spent, by day, role and model; ``i`` counts the asks.
NOBODY = 0
DAY = 86_400_000_000

#: Tables of the house with rows of a stream; the ledger is folded, not emptied.
OF_STREAM = ("attempts", "answers", "steps", "snapshots", "memories", "letters")

#: Tables with what agents keep of a person, and what each is called where removed things are counted.
OF_PERSON = {
    "adk_sessions": "sessions",
    "adk_events": "session_events",
    "adk_user_states": "session_states",
    "adk_memories": "session_memories",
    "adk_artifacts": "artifacts",
}

_AMONG = "= ANY($1::bigint[])"
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
_WAITING = f"""
SELECT DISTINCT p.name FROM streams c JOIN streams p ON p.name = c.player
WHERE c.sid {_AMONG} AND NOT p.sid {_AMONG} AND p.waiting
"""
_LEFT = f"""
INSERT INTO forgotten (follower, stream) SELECT f.follower, s.name
FROM cursors c JOIN followed f ON f.follower = c.name JOIN streams s ON s.sid = f.sid WHERE f.sid {_AMONG}
"""
#: Sessions of agents whose seat goes with its stream.
_SEATS = "UPDATE adk_sessions SET game_id = NULL, player_id = NULL, is_active = FALSE WHERE game_id = ANY($1::text[])"
_FOLDED = f"""
SELECT at / {DAY} * {DAY}, role, model, sum(CASE sid WHEN {NOBODY} THEN i ELSE 1 END)::bigint,
    sum(input_tokens)::bigint, sum(output_tokens)::bigint, sum(cached_tokens)::bigint, sum(cost)::bigint,
    sum(milliseconds)::bigint
FROM ledger WHERE sid = {NOBODY} OR sid {_AMONG} GROUP BY 1, 2, 3
"""
_ENTRY = f"INSERT INTO ledger ({rows.LEDGER}) VALUES ({', '.join(f'${n}' for n in range(1, 14))})"


class Removal:
    """Works out what goes, and takes it out."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def _tables(self, reader: Reader) -> tuple[str, ...]:
        return tuple(name for (name,) in await reader.all(self._store.world_tables))

    # whole streams

    async def removed(self, reader: Reader, going: Mapping[str, int], owner: str | None = None) -> Removed:
        """What goes with these streams, and with the memories of this person elsewhere."""
        sids = list(going.values())
        counts = {"streams": len(going)}
        for table in OF_STREAM:
            counts[table] = await _count(reader, f"{table} WHERE sid {_AMONG}", sids)
        if owner is not None:
            counts["memories"] += await _count(reader, f"memories WHERE NOT sid {_AMONG} AND owner = $2", sids, owner)
        counts["tickets"] = await _count(reader, f"tickets WHERE sid {_AMONG} OR owner = $2", sids, owner)
        counts["rows"] = 0
        for name in await self._tables(reader):
            counts["rows"] += await _count(reader, f"{name} WHERE sid {_AMONG}", sids)
        for table, told in OF_PERSON.items() if owner is not None else ():
            counts[told] = await _count(reader, f"{table} WHERE user_id = $1", owner)
        return Removed(streams=tuple(sorted(going)), counts=counts)

    async def take_out(self, unit: Transaction, going: Mapping[str, int], *, now: int) -> None:
        """Delete whole streams; leave tombstones, and what they spent."""
        if not going:
            return
        sids = list(going.values())
        # Whoever follows them is told: until then, and no longer, their names are kept.
        await unit.run(_LEFT, sids)
        await unit.run(f"DELETE FROM followed WHERE follower IN (SELECT name FROM cursors) AND sid {_AMONG}", sids)
        for table in (*OF_STREAM, "tickets", *await self._tables(unit), "streams"):
            await unit.run(f"DELETE FROM {table} WHERE sid {_AMONG}", sids)
        await unit.run(_SEATS, list(going))
        await _fold_ledger(unit, sids)
        digests = [(rows.tombstone(self._store.secret, name), now) for name in going]
        await unit.run_all("INSERT INTO tombstones (digest, at) VALUES ($1, $2) ON CONFLICT DO NOTHING", digests)

    # the prefix of a stream

    async def cut(self, reader: Reader, sid: int, stream: Stream, *, before: int, shape: int) -> Cut:
        """Work out how far a stream can be pruned, and what goes."""
        mark = await _mark(reader, sid, stream, before, shape)
        below = (sid, mark if mark > stream.mark else 0)
        settled = {n for (n,) in await reader.all(f"SELECT n FROM attempts WHERE {_BLANKED}", *below)}
        loose = await reader.all("SELECT id FROM memories WHERE sid = $1 AND version IS NULL", sid)
        unplaced = tuple(id for (id,) in loose if _attempt_of(id, stream.name) in settled)
        counts = {"commands": len(settled)}
        for table in ("steps", "snapshots", "memories"):
            counts[table] = await _count(reader, f"{table} WHERE sid = $1 AND version < $2", *below)
        counts["memories"] += len(unplaced)
        counts["rows"] = 0
        for log in self._logs:
            counts["rows"] += await _count(reader, f"{log.name} WHERE sid = $1 AND version < $2", *below)
        return Cut(sid, stream, mark, counts, unplaced)

    async def cut_off(self, unit: Transaction, found: Cut) -> None:
        """Delete what a cut names and move the mark."""
        below = (found.sid, found.mark)
        stream = copy(found.stream)
        stream.mark = found.mark
        unit.put_stream(stream)
        await unit.run(f"UPDATE attempts SET command = $3, kept = NULL WHERE {_BLANKED}", *below, b"")
        for table in ("steps", "snapshots", "memories", *(log.name for log in self._logs)):
            await unit.run(f"DELETE FROM {table} WHERE sid = $1 AND version < $2", *below)
        await unit.run("DELETE FROM memories WHERE id = ANY($1::text[])", list(found.unplaced))

    @property
    def _logs(self) -> Iterable[Projection]:
        return [projection for projection in self._store.projections.values() if projection.table.log]


async def family(reader: Reader, owner: str) -> dict[str, int]:
    """The streams a person owns, with their branches and the streams they play."""
    return dict(await reader.all(_FAMILY.format(first="owner = $1"), owner))


async def with_kin(reader: Reader, names: Sequence[str]) -> dict[str, int]:
    """Streams with their branches and the streams they play."""
    found = await reader.all(_FAMILY.format(first="name = ANY($1::text[])"), list(names))
    return dict(found)


async def removable(reader: Reader, names: Sequence[str]) -> dict[str, int]:
    """Those of the streams that nothing which stays still needs."""
    among = "SELECT name, sid FROM streams WHERE open = 0 AND name = ANY($1::text[])"
    going: dict[str, int] = dict(await reader.all(among, list(names)))
    while going:
        needed = {sid for (sid,) in await reader.all(_NEEDED, list(going.values()))}
        if not needed:
            break
        going = {name: sid for name, sid in going.items() if sid not in needed}
    return going


async def waiting_for(reader: Reader, going: Mapping[str, int]) -> list[str]:
    """Streams that stay and wait for one that goes: they must look again, or would wait for ever."""
    return [name for (name,) in await reader.all(_WAITING, list(going.values()))]


async def _fold_ledger(unit: Transaction, sids: list[int]) -> None:
    if not await _count(unit, f"ledger WHERE sid {_AMONG}", sids):
        return
    folded = await unit.all(_FOLDED, sids)
    await unit.run(f"DELETE FROM ledger WHERE sid = {NOBODY} OR sid {_AMONG}", sids)
    lines = [(NOBODY, 0, asks, role, model, day, *sums, "removed", b"{}") for day, role, model, asks, *sums in folded]
    await unit.run_all(_ENTRY, lines)


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


_BLANKED = "sid = $1 AND version < $2 AND status IS NOT NULL AND length(command) > 0"
#: How far a stream may be pruned: to its end, to its first branch, to where the slowest follower is.
_LIMIT = """
SELECT min(version) FROM (
    SELECT $1::bigint AS version
    UNION ALL SELECT forked_at FROM streams WHERE parent = $2
    UNION ALL SELECT f.told FROM cursors c JOIN followed f ON f.follower = c.name AND f.sid = $3
) each
"""
_OLD_ENOUGH = """
SELECT p.version, p.state, s.fold FROM snapshots p JOIN steps s ON s.sid = p.sid AND s.version = p.version
WHERE p.sid = $1 AND p.version > $2 AND p.version <= $3 AND p.shape = $4 AND s.shape = p.shape AND s.at < $5
ORDER BY p.version DESC
"""


async def _mark(reader: Reader, sid: int, stream: Stream, before: int, shape: int) -> int:
    """The newest sound snapshot that is old enough, no later than any branch, and known to whoever follows."""
    limit = await reader.value(_LIMIT, stream.version, stream.name, sid)
    found = await reader.all(_OLD_ENOUGH, sid, stream.mark, limit, shape, before)
    # A damaged snapshot must never become the only witness of what went before it.
    return next((version for version, state, fold in found if fold_sum(shape, state) == fold), stream.mark)


def _attempt_of(memory: str, stream: str) -> int | None:
    """The attempt whose command said these words, by the memory's place."""
    place = memory.removeprefix(f"{stream}/a").partition(".")[0]
    return int(place) if place.isdigit() and memory.startswith(f"{stream}/a") else None


async def _count(reader: Reader, what: str, *values: object) -> int:
    return int(await reader.value(f"SELECT count(*) FROM {what}", *values))
