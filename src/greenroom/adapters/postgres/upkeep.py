"""Upkeep in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import asyncpg

from greenroom.adapters.postgres import inspection, removal
from greenroom.adapters.postgres.connection import Link
from greenroom.adapters.postgres.lookup import of
from greenroom.adapters.postgres.store import Store
from greenroom.adapters.sql import deciding, rows
from greenroom.adapters.sql.projections import Projection
from greenroom.journal import lineage, transitions
from greenroom.journal.records import Attempt, Removed, Snapshot, Step, Stored, Stream
from greenroom.kernel.errors import BackendError, Conflict, Forgotten, Locked, Refused, Unknown
from greenroom.kernel.letters import Letter
from greenroom.kernel.tables import Change

#: How long forgetting waits for whoever reads a table that is to be written anew.
_LOCK_SECONDS = 10.0


class PostgresUpkeep:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._refusals = {
            f"uq_{name}_{'_'.join(unique.columns)}"[:63]: unique.refusal
            for name, projection in store.projections.items()
            for unique in projection.table.unique
        }

    # facts about the house

    async def touch(self) -> None:
        async with self._store.links.transaction() as link:
            await link.value("SELECT pg_current_xact_id()::text")

    async def note(self, key: str, value: str) -> None:
        async with self._store.links.transaction() as link:
            await link.run(
                "INSERT INTO house (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                *(key, value.encode()),
            )

    async def notes(self, prefix: str) -> Mapping[str, str]:
        found = await self._store.links.fetch("SELECT key, value FROM house WHERE starts_with(key, $1)", prefix)
        return {key.removeprefix(prefix): bytes(value).decode() for key, value in found}

    # looking

    async def check(self, stream: str | None = None) -> Sequence[str]:
        if stream is not None:
            sid, _ = await self._store.stream(stream)
            async with self._store.links.moment() as link:
                row = await link.row(f"SELECT {rows.STREAM} FROM streams WHERE sid = $1", sid)
                there = [] if row is None else [(sid, rows.to_stream(row))]
                return await inspection.out_of_step(link, there)
        async with self._store.links.moment() as link:
            found = [*await inspection.leftovers(link)]
        after = 0
        while True:
            async with self._store.links.moment() as link:
                streams = await inspection.page(link, after)
                found.extend(await inspection.out_of_step(link, streams))
            if not streams:
                return found
            after = streams[-1][0]

    async def snapshots(self, stream: str) -> Sequence[int]:
        sid, _ = await self._store.stream(stream)
        found = await self._store.links.fetch("SELECT version FROM snapshots WHERE sid = $1 ORDER BY version", sid)
        return [row[0] for row in found]

    async def backups_with(self, owner: str) -> Sequence[str]:
        """Copies of a server are made by its own tools, which Greenroom does not see."""
        return ()

    # taking in

    async def adopt(
        self,
        stream: Stream,
        *,
        attempts: Sequence[Attempt],
        steps: Sequence[Step],
        snapshots: Sequence[Snapshot],
        memories: Sequence[Stored],
        letters: Sequence[Letter],
        changes: Sequence[tuple[int, Change]],
    ) -> None:
        with self._our_refusals():
            async with self._store.act((stream.name,)) as act:
                page = act.page
                if page.knows(stream.name):
                    raise Conflict(f"there is a stream {stream.name} already; remove it first or import elsewhere")
                page.refuse_removed(stream.name)
                await _refuse_shared(act.link, [one.memory.id for one in memories])
                page.put_stream(stream)
                sid = page.sid(stream.name)
                page.put_all("attempts", (rows.attempt_row(sid, attempt) for attempt in attempts))
                page.put_all("steps", (rows.step_row(sid, step) for step in steps))
                page.put_all("snapshots", ((sid, s.version, s.shape, s.state) for s in snapshots))
                said = (rows.memory_row(sid, stream.world, s.version, stream.born_at, s.memory) for s in memories)
                page.put_all("memories", said)
                page.put_all("letters", (rows.letter_row(sid, letter) for letter in letters))
                page.change_all(stream, changes)
                deciding.note(page, stream, self._store.watched)

    def _our_refusals(self) -> _Refusing:
        return _Refusing(self._refusals)

    async def replace_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        chain = await self._store.chain(stream)
        owner = lineage.fork_point([row for _, row in chain.values()], snapshot.version)
        async with self._store.act() as act:
            line = (chain[owner.name][0], snapshot.version, snapshot.shape, snapshot.state)
            await act.link.run(
                f"INSERT INTO snapshots ({rows.SNAPSHOT}) VALUES ($1, $2, $3, $4) "
                "ON CONFLICT (sid, version) DO UPDATE SET shape = excluded.shape, state = excluded.state",
                *line,
            )

    # taking out

    async def memories(self, owner: str) -> Sequence[Stored]:
        found = await self._store.links.fetch(
            f"SELECT s.name, {of('m', rows.MEMORY)} FROM memories m JOIN streams s ON s.sid = m.sid "
            "WHERE m.owner = $1 ORDER BY m.id",
            owner,
        )
        return [rows.to_stored(row[0], row[1:]) for row in found]

    async def belongings(self, owner: str) -> Removed:
        async with self._store.links.moment() as link:
            return await removal.removed(link, await removal.family(link, owner), owner)

    async def forget(self, owner: str, *, now: int) -> Removed:
        async with self._store.links.moment() as link:
            expected = await removal.family(link, owner)
            waiting = await removal.waiting_for(link, expected)
        async with self._store.act((*expected, *waiting)) as act:
            going = await removal.family(act.link, owner)
            if not going.keys() <= expected.keys():
                raise Conflict("a stream was made in the meantime; nothing was removed, try again")
            removed = await removal.removed(act.link, going, owner)
            await removal.take_out(act.link, going, now=now, secret=self._store.secret)
            await act.link.run("DELETE FROM memories WHERE owner = $1", owner)
            await act.link.run("DELETE FROM tickets WHERE owner = $1", owner)
            for name in waiting:
                stream = act.page.stream(name)
                transitions.ring(stream)
                act.page.put_stream(stream)
        await self._scrub()
        return removed

    async def _scrub(self) -> None:
        """Write the tables anew, without the old copies of deleted rows; the server's log rolls over by itself."""
        try:
            async with self._store.links.one() as link:
                await link.run(f"SET lock_timeout = {int(_LOCK_SECONDS * 1000)}")
                tables = (*removal.OF_STREAM, "vectors", "streams", "tickets", "ledger", "forgotten")
                for table in (*tables, *await removal.world_tables(link)):
                    await link.run(f"VACUUM (FULL, ANALYZE) {table}")
                await link.run("RESET lock_timeout")
        except BackendError as error:
            if not isinstance(error.__cause__, asyncpg.LockNotAvailableError):
                raise
            raise Locked(
                f"{self._store.name}: the person is removed, but somebody still reads the old rows; forget again"
            ) from error

    async def remove(self, streams: Sequence[str], *, now: int, dry: bool) -> Removed:
        if dry:
            async with self._store.links.moment() as link:
                return await removal.removed(link, await removal.removable(link, streams))
        async with self._store.act(tuple(sorted(set(streams)))) as act:
            going = await removal.removable(act.link, streams)
            removed = await removal.removed(act.link, going)
            await removal.take_out(act.link, going, now=now, secret=self._store.secret)
        return removed

    async def releasable(self, stream: str, names: Sequence[str]) -> Removed:
        _, row = await self._store.stream(stream)
        children: dict[str, Stream | None] = {}
        for name in names:
            try:
                children[name] = (await self._store.stream(name))[1]
            except Forgotten:
                children[name] = None
            except Unknown:
                continue
        going = transitions.released(row, names, lambda name: _among(children, name))
        async with self._store.links.moment() as link:
            return await removal.removed(link, await removal.with_kin(link, going))

    async def prune(self, stream: str, before: int, *, shape: int, now: int, dry: bool) -> Removed:
        if dry:
            sid, row = await self._store.stream(stream)
            async with self._store.links.moment() as link:
                return (await removal.cut(link, sid, row, self._logs, before=before, shape=shape)).removed
        async with self._store.act((stream,)) as act:
            row = act.page.stream(stream)
            sid = act.page.sid(stream)
            found = await removal.cut(act.link, sid, row, self._logs, before=before, shape=shape)
            if found.mark > row.mark:
                await removal.cut_off(act, found, self._logs)
        return found.removed

    @property
    def _logs(self) -> Sequence[Projection]:
        return [projection for projection in self._store.projections.values() if projection.table.log]


def _among(children: dict[str, Stream | None], name: str) -> Stream | None:
    if name not in children:
        raise Unknown(f"there is no stream {name}")
    return children[name]


class _Refusing:
    """Turns the violation of a unique column into its own sentence."""

    def __init__(self, refusals: dict[str, str]) -> None:
        self._refusals = refusals

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BackendError) and isinstance(error.__cause__, asyncpg.UniqueViolationError):
            refusal = self._refusals.get(error.__cause__.constraint_name or "")
            if refusal is not None:
                raise Refused(refusal) from error


async def _refuse_shared(link: Link, ids: Sequence[str]) -> None:
    """Memory ids are unique in the house: two streams cannot hold one memory."""
    clash = await link.row(
        "SELECT m.id, s.name FROM memories m JOIN streams s ON s.sid = m.sid WHERE m.id = ANY($1::text[]) LIMIT 1", ids
    )
    if clash is not None:
        raise Conflict(
            f"memory {clash[0]} is in stream {clash[1]} of this house already; a stream that shares its past "
            "with one that is here cannot be taken in"
        )
