"""Upkeep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from greenroom.adapters.sql import deciding, inspection, removal, rows
from greenroom.adapters.sql.columns import listed
from greenroom.adapters.sql.store import Reader, SqlStore, Transaction
from greenroom.adapters.sql.writes import KINDS
from greenroom.journal import lineage, transitions
from greenroom.journal.records import Attempt, Removed, Snapshot, Step, Stored, Stream
from greenroom.kernel.errors import BackendError, Conflict, Forgotten, Refused, Unknown
from greenroom.kernel.letters import Letter
from greenroom.kernel.tables import Change

_NOTE = "INSERT INTO house (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_SNAPSHOT = f"INSERT INTO snapshots ({rows.SNAPSHOT}) VALUES ($1, $2, $3, $4) {KINDS['snapshots'].conflict}"
_MEMORIES = f"""
SELECT s.name, {rows.of("m", rows.MEMORY)} FROM memories m JOIN streams s ON s.sid = m.sid
WHERE m.owner = $1 ORDER BY m.id
"""
_SHARED = """
SELECT m.id, s.name FROM memories m JOIN streams s ON s.sid = m.sid WHERE m.id = ANY($1::text[]) LIMIT 1
"""


class SqlUpkeep:
    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._removal = removal.Removal(store)

    # facts about the house

    async def touch(self) -> None:
        await self._store.touch()

    async def note(self, key: str, value: str) -> None:
        await self._store.act(lambda unit: unit.run(_NOTE, key, value.encode()), quiet=True)

    async def notes(self, prefix: str) -> Mapping[str, str]:
        begins = "SELECT key, value FROM house WHERE substr(key, 1, $1) = $2"
        found = await self._store.all(begins, len(prefix), prefix)
        return {key.removeprefix(prefix): bytes(value).decode() for key, value in found}

    # looking

    async def check(self, stream: str | None = None) -> Sequence[str]:
        if stream is not None:
            return await self._store.moment(lambda reader: self._check_one(reader, stream))
        found, readable = await self._store.damage()
        if not readable:
            return found
        tables = self._store.world_tables
        found = [*found, *await self._store.moment(lambda reader: inspection.leftovers(reader, tables))]
        after: int | None = 0
        while after is not None:
            after, sentences = await self._store.moment(lambda reader, a=after: inspection.page(reader, a))  # type: ignore[misc]
            found.extend(sentences)
        return found

    async def _check_one(self, reader: Reader, stream: str) -> Sequence[str]:
        return await inspection.out_of_step(reader, [await self._store.stream(reader, stream)])

    async def snapshots(self, stream: str) -> Sequence[int]:
        versions = "SELECT version FROM snapshots WHERE sid = $1 ORDER BY version"
        return [version for (version,) in await self._store.of_stream(stream, versions)]

    async def backups_with(self, owner: str) -> Sequence[str]:
        return await self._store.backups_with(owner)

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
        async def act(unit: Transaction) -> None:
            if unit.knows(stream.name):
                raise Conflict(f"there is a stream {stream.name} already; remove it first or import elsewhere")
            unit.refuse_removed(stream.name)
            await _refuse_shared(unit, [stored.memory.id for stored in memories])
            unit.put_stream(stream)
            sid, world, born = unit.sid(stream.name), stream.world, stream.born_at
            unit.put_all("attempts", (rows.attempt_row(sid, attempt) for attempt in attempts))
            unit.put_all("steps", (rows.step_row(sid, step) for step in steps))
            unit.put_all("snapshots", ((sid, s.version, s.shape, s.state) for s in snapshots))
            unit.put_all("memories", (rows.memory_row(sid, world, s.version, born, s.memory) for s in memories))
            unit.put_all("letters", (rows.letter_row(sid, letter) for letter in letters))
            unit.change_all(stream, changes)
            deciding.note(unit, stream, self._store.watched)

        with self._our_refusals():
            await self._store.act(act, (stream.name,), heavy=True)

    @contextmanager
    def _our_refusals(self) -> Iterator[None]:
        """Turn the violation of a unique column into its own sentence."""
        try:
            yield
        except BackendError as error:
            clash = self._store.clash(error)
            refusal = None if clash is None else self._store.refusals.get(clash.constraint or "")
            if refusal is None:
                raise
            raise Refused(refusal) from error

    async def replace_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        chain = await self._store.read(lambda reader: self._store.chain(reader, stream))
        owner = lineage.fork_point([row for _, row in chain.values()], snapshot.version)
        line = (chain[owner.name][0], snapshot.version, snapshot.shape, snapshot.state)
        await self._store.act(lambda unit: unit.run(_SNAPSHOT, *line))

    # taking out

    async def memories(self, owner: str) -> Sequence[Stored]:
        return [rows.to_stored(name, row) for name, *row in await self._store.all(_MEMORIES, owner)]

    async def kept_by_agents(self, owner: str) -> Sequence[tuple[str, Mapping[str, Any]]]:
        async def look(reader: Reader) -> Sequence[tuple[str, Mapping[str, Any]]]:
            found: list[tuple[str, Mapping[str, Any]]] = []
            for table in removal.OF_PERSON:
                columns = listed(table)
                lines = await reader.all(f"SELECT {columns} FROM {table} WHERE user_id = $1", owner)
                found += [(table, dict(zip(rows.names(columns), line, strict=True))) for line in lines]
            return found

        return await self._store.moment(look)

    async def belongings(self, owner: str) -> Removed:
        async def look(reader: Reader) -> Removed:
            return await self._removal.removed(reader, await removal.family(reader, owner), owner)

        return await self._store.moment(look)

    async def forget(self, owner: str, *, now: int) -> Removed:
        async def look(reader: Reader) -> tuple[dict[str, int], list[str]]:
            going = await removal.family(reader, owner)
            return going, await removal.waiting_for(reader, going)

        expected, waiting = await self._store.moment(look)

        async def act(unit: Transaction) -> Removed:
            going = await removal.family(unit, owner)
            if not going.keys() <= expected.keys():
                raise Conflict("a stream was made in the meantime; nothing was removed, try again")
            removed = await self._removal.removed(unit, going, owner)
            await self._removal.take_out(unit, going, now=now)
            await unit.run("DELETE FROM memories WHERE owner = $1", owner)
            await unit.run("DELETE FROM tickets WHERE owner = $1", owner)
            for table in removal.OF_PERSON:
                await unit.run(f"DELETE FROM {table} WHERE user_id = $1", owner)
            for name in waiting:
                stream = unit.stream(name)
                transitions.ring(stream)
                unit.put_stream(stream)
            return removed

        removed = await self._store.act(act, (*expected, *waiting), heavy=True)
        await self._store.scrub()
        return removed

    async def remove(self, streams: Sequence[str], *, now: int, dry: bool) -> Removed:
        async def look(reader: Reader) -> Removed:
            return await self._removal.removed(reader, await removal.removable(reader, streams))

        async def act(unit: Transaction) -> Removed:
            going = await removal.removable(unit, streams)
            removed = await self._removal.removed(unit, going)
            await self._removal.take_out(unit, going, now=now)
            return removed

        if dry:
            return await self._store.moment(look)
        return await self._store.act(act, tuple(sorted(set(streams))), heavy=True)

    async def releasable(self, stream: str, names: Sequence[str]) -> Removed:
        async def look(reader: Reader) -> Removed:
            _, row = await self._store.stream(reader, stream)
            children: dict[str, Stream | Unknown | None] = {}
            for name in names:
                try:
                    children[name] = (await self._store.stream(reader, name))[1]
                except Forgotten:
                    children[name] = None
                except Unknown as unknown:
                    children[name] = unknown
            going = transitions.released(row, names, lambda name: _known(children[name]))
            return await self._removal.removed(reader, await removal.with_kin(reader, going))

        return await self._store.moment(look)

    async def prune(self, stream: str, before: int, *, shape: int, now: int, dry: bool) -> Removed:
        async def look(reader: Reader) -> Removed:
            sid, row = await self._store.stream(reader, stream)
            return (await self._removal.cut(reader, sid, row, before=before, shape=shape)).removed

        async def act(unit: Transaction) -> Removed:
            row = unit.stream(stream)
            found = await self._removal.cut(unit, unit.sid(stream), row, before=before, shape=shape)
            if found.mark > row.mark:
                await self._removal.cut_off(unit, found)
            return found.removed

        if dry:
            return await self._store.moment(look)
        return await self._store.act(act, (stream,), heavy=True)


def _known(child: Stream | Unknown | None) -> Stream | None:
    if isinstance(child, Unknown):
        raise child
    return child


async def _refuse_shared(reader: Reader, ids: Sequence[str]) -> None:
    """Memory ids are unique in the house: two streams cannot hold one memory."""
    clash = await reader.one(_SHARED, list(ids))
    if clash is not None:
        raise Conflict(
            f"memory {clash[0]} is in stream {clash[1]} of this house already; a stream that shares its past "
            "with one that is here cannot be taken in"
        )
