"""Tables against the journal: worked out from events, compared, rebuilt."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from greenroom.journal.records import Stream
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.errors import Conflict, CorruptHistory, Forgotten
from greenroom.kernel.tables import Change, ColumnKind, Drop, Patch, Put, Table, plain
from greenroom.ports import Backend
from greenroom.services.states import Codecs, codec_of, told, unfold

log = logging.getLogger("greenroom")

Key = tuple[Any, ...]
Row = dict[str, Any]


async def every_stream(backend: Backend, world: str | None = None) -> AsyncIterator[Stream]:
    """All streams by name, a page at a time."""
    after = ""
    while page := await backend.streams.list(world=world, after=after, limit=500):
        for stream in page:
            yield stream
        after = page[-1].name


def first_own(stream: Stream) -> int:
    """The last version whose rows are not this stream's to show: shared with a parent, or pruned."""
    return max(stream.forked_at, stream.mark)


async def changes_of(backend: Backend, codecs: Codecs, stream: Stream) -> list[tuple[int, Change]]:
    """All table changes that a stream's own events lead to."""
    codec = codec_of(codecs, stream.world)
    since = first_own(stream)
    state: Any = codec.world.blank
    if since:
        state = unfold(codec, await backend.history.load(stream.name, since)).state
    changes: list[tuple[int, Change]] = []
    async for step in backend.history.steps(stream.name, since, stream.version):
        for event in told(codec, stream.name, step):
            state = codec.world.evolve(state, event)
            changes.extend((step.version, change) for change in codec.world.rows(state, event))
    return changes


# rebuilding


async def rebuild_stale(backend: Backend, codecs: Codecs) -> int:
    """Fill tables whose declaration changed; returns how many streams were worked through.

    Rows that a pruned stream wrote before its mark cannot be told again. A damaged stream is said and left out; its
    world's tables stay stale, so that they are rebuilt again when the house is next opened.
    """
    stale = set(backend.tables.stale)
    count = 0
    for codec in codecs.values():
        names = {table.name for table in codec.world.tables}
        if not stale & names:
            continue
        async for stream in every_stream(backend, codec.world.name):
            try:
                await _rebuild(backend, codecs, stream.name)
            except CorruptHistory as damage:
                log.error("%s; its table rows could not be rebuilt", damage)
                stale -= names
            count += 1
    for name in sorted(stale):
        await backend.tables.rebuilt(name)
    return count


async def _rebuild(backend: Backend, codecs: Codecs, name: str) -> None:
    while True:
        try:
            stream = await backend.streams.get(name)
            changes = await changes_of(backend, codecs, stream)
            await backend.tables.rebuild(name, changes, since=first_own(stream), upto=stream.version)
        except Conflict:
            continue  # another process plays on in it; what it wrote belongs to the rows too
        except Forgotten:
            return
        return


# comparing


class Rows:
    """The rows that changes lead to, in the form every back-end gives them back.

    ``lost_past`` says that earlier rows exist whose events were pruned: a patch may then have met a row
    nobody can tell any more, and only the columns it wrote are known.
    """

    def __init__(self, tables: Sequence[Table], *, lost_past: bool) -> None:
        self._tables = {table.name: table for table in tables}
        self._lost_past = lost_past
        self._whole: dict[str, dict[Key, Row]] = {name: {} for name in self._tables}
        self._partly: dict[str, dict[Key, Row]] = {name: {} for name in self._tables}
        self._dropped: dict[str, set[Key]] = {name: set() for name in self._tables}

    def apply(self, version: int, change: Change) -> None:
        name = change.table
        key = _key(self._tables[name], change.values if isinstance(change, Put) else change.key)
        match change:
            case Put(_, values):
                blank = {column.name: None for column in self._tables[name].columns}
                self._whole[name][key] = {**blank, **self._plain(name, values), "version": version}
                self._partly[name].pop(key, None)
            case Patch(_, _, values):
                self._patch(name, key, {**self._plain(name, values), "version": version})
            case Drop():
                self._whole[name].pop(key, None)
                self._partly[name].pop(key, None)
                self._dropped[name].add(key)

    def _patch(self, table: str, key: Key, values: Row) -> None:
        if key in self._whole[table]:
            self._whole[table][key].update(values)
        elif self._lost_past and key not in self._dropped[table]:
            self._partly[table].setdefault(key, {}).update(values)

    def _plain(self, table: str, values: Mapping[str, Any]) -> Row:
        kinds: Mapping[str, ColumnKind] = {column.name: column.kind for column in self._tables[table].columns}
        return {name: _kept(kinds[name], value) for name, value in values.items()}

    def puts(self) -> Iterator[tuple[int, Change]]:
        """The shortest changes that lead to the same whole rows."""
        for table, found in self._whole.items():
            for row in found.values():
                yield row["version"], Put(table, {k: v for k, v in row.items() if k != "version"})

    def differences(self, table: Table, stored: Sequence[Mapping[str, Any]], *, since: int) -> Iterator[str]:
        """Sentences about stored rows that are not what the journal says; older ones than ``since`` only if gone."""
        there = {_key(table, row): row for row in stored}
        whole, partly, dropped = self._whole[table.name], self._partly[table.name], self._dropped[table.name]
        for key, row in whole.items():
            if key not in there:
                yield f"row {_shown(key)} of version {row['version']} is missing"
            elif wrong := [name for name, value in row.items() if there[key].get(name) != value]:
                yield f"row {_shown(key)} of version {row['version']} differs from the journal in {', '.join(wrong)}"
        for key, row in partly.items():
            if wrong := [name for name, value in row.items() if key in there and there[key].get(name) != value]:
                yield f"row {_shown(key)} of version {row['version']} differs from the journal in {', '.join(wrong)}"
        for key, found in there.items():
            unheard = found["version"] > since or (table.log and found["version"] < since)
            if key not in whole and key not in partly and (unheard or key in dropped):
                yield f"row {_shown(key)} of version {found['version']} is not in the journal"


def _key(table: Table, values: Mapping[str, Any]) -> Key:
    return tuple(plain(values[name]) for name in table.key)


def _shown(key: Key) -> str:
    """A key for a sentence; keys are ids and numbers, never words."""
    return "/".join(map(str, key)) or "-"


def _kept(kind: ColumnKind, value: Any) -> Any:
    value = plain(value)
    if value is None:
        return None
    match kind:
        case "json":
            return parse(canonical(value))
        case "boolean":
            return bool(value)
        case "real":
            return float(value)
        case _:
            return value
