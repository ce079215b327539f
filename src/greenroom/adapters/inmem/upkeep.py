"""Upkeep in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from greenroom.adapters.inmem.agents import COUNTED, agent_rows, drop_user
from greenroom.adapters.inmem.shelf import Shelf
from greenroom.journal import lineage, transitions
from greenroom.journal.audit import Tally, disagreements
from greenroom.journal.records import Attempt, Entry, Removed, Snapshot, Step, Stored, Stream
from greenroom.journal.sums import fold_sum
from greenroom.kernel.errors import Conflict
from greenroom.kernel.letters import Letter
from greenroom.kernel.tables import Change, Table

#: The ledger's stream of nobody: what removed streams spent, by day, role and model; ``n`` counts the asks.
NOBODY = ""

_DAY = 86_400_000_000


class InmemTables:
    stale: Sequence[str] = ()

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def rebuilt(self, table: str) -> None:
        """Nothing is ever stale here: tables and journal share one life."""

    async def rows(self, stream: str, table: Table) -> Sequence[Mapping[str, Any]]:
        self._shelf.stream(stream)
        found = {key: row for key, row in self._shelf.rows[table.name].items() if key[0] == stream}
        return [found[key] for key in sorted(found)]

    async def holder(self, table: Table, column: str, value: str) -> str | None:
        rows = self._shelf.rows[table.name]
        holding = (key[0] for key, row in rows.items() if row.get(column) == value)
        return next((stream for stream in holding if self._shelf.streams[stream].parent is None), None)

    async def rebuild(self, stream: str, changes: Sequence[tuple[int, Change]], *, since: int, upto: int) -> None:
        row = self._shelf.stream(stream)
        if row.version != upto:
            raise Conflict(f"stream {stream} moved on to version {row.version}; work its rows out again")
        for rows in self._shelf.rows.values():
            for key in [key for key, row in rows.items() if key[0] == stream and row["version"] > since]:
                del rows[key]
        for version, change in changes:
            self._shelf.change(stream, version, change)


class InmemUpkeep:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    # facts about the house

    async def touch(self) -> None:
        """Nobody else writes here."""

    async def note(self, key: str, value: str) -> None:
        self._shelf.notes[key] = value

    async def notes(self, prefix: str) -> Mapping[str, str]:
        found = self._shelf.notes.items()
        return {key.removeprefix(prefix): value for key, value in found if key.startswith(prefix)}

    # looking

    async def check(self, stream: str | None = None) -> Sequence[str]:
        if stream is not None:
            return disagreements(self._shelf.stream(stream), self._tally(stream))
        found = [s for name, row in self._shelf.streams.items() for s in disagreements(row, self._tally(name))]
        return [*self._leftovers(), *found]

    def _tally(self, name: str) -> Tally:
        shelf = self._shelf
        attempts, steps, head = shelf.attempts[name], shelf.steps[name], shelf.head(name)
        last = max(steps, default=None)
        return Tally(
            open=sum(attempt.status is None for attempt in attempts.values()),
            head_at=head.at if head else None,
            last_attempt=max(attempts, default=None),
            steps=len(steps),
            strays=sum(step.n not in attempts for step in steps.values()),
            last_version=last,
            last_at=None if last is None else steps[last].at,
            snapshots=sorted(shelf.snapshots[name]),
        )

    def _leftovers(self) -> list[str]:
        shelf = self._shelf
        owners: dict[str, Iterable[str]] = {
            "attempts": (name for name, own in shelf.attempts.items() for _ in own),
            "answers": (name for (name, _), own in shelf.answers.items() for _ in own),
            "steps": (name for name, own in shelf.steps.items() for _ in own),
            "snapshots": (name for name, own in shelf.snapshots.items() for _ in own),
            "memories": (stored.stream for stored in shelf.memories.values()),
            "letters": (name for name, _ in shelf.letters),
            "ledger": (name for name, _, _ in shelf.ledger if name != NOBODY),
            **{table: (key[0] for key in rows) for table, rows in sorted(shelf.rows.items())},
        }
        strays = {table: sum(name not in shelf.streams for name in names) for table, names in owners.items()}
        return [f"{count} rows of {table} belong to no stream" for table, count in strays.items() if count]

    async def snapshots(self, stream: str) -> Sequence[int]:
        self._shelf.stream(stream)
        return sorted(self._shelf.snapshots[stream])

    async def backups_with(self, owner: str) -> Sequence[str]:
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
        shelf = self._shelf
        if stream.name in shelf.streams:
            raise Conflict(f"there is a stream {stream.name} already; remove it first or import elsewhere")
        if stream.name in shelf.tombstones:
            shelf.stream(stream.name)
        self._refuse_shared(memories)
        shelf.check_unique(stream, changes)
        shelf.attempts[stream.name] = {attempt.n: attempt for attempt in attempts}
        shelf.steps[stream.name] = {step.version: step for step in steps}
        shelf.snapshots[stream.name] = {snapshot.version: snapshot for snapshot in snapshots}
        shelf.memories.update({stored.memory.id: stored for stored in memories})
        shelf.letters.update({(letter.stream, letter.key): letter for letter in letters})
        for version, change in changes:
            shelf.change(stream.name, version, change)
        shelf.keep(stream)
        shelf.note_all(stream)

    def _refuse_shared(self, memories: Sequence[Stored]) -> None:
        for stored in memories:
            if (there := self._shelf.memories.get(stored.memory.id)) is not None:
                raise Conflict(
                    f"memory {stored.memory.id} is in stream {there.stream} of this house already; a stream that "
                    "shares its past with one that is here cannot be taken in"
                )

    async def replace_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        owner = lineage.fork_point(self._shelf.chain(stream), snapshot.version)
        self._shelf.snapshots[owner.name][snapshot.version] = snapshot

    # taking out whole streams

    async def memories(self, owner: str) -> Sequence[Stored]:
        found = self._shelf.memories
        return [found[id] for id in sorted(found) if found[id].memory.owner == owner]

    async def kept_by_agents(self, owner: str) -> Sequence[tuple[str, Mapping[str, Any]]]:
        return agent_rows(self._shelf, owner)

    async def belongings(self, owner: str) -> Removed:
        return self._removed(self._family(owner), owner)

    def _family(self, owner: str) -> set[str]:
        return self._with_kin({name for name, stream in self._shelf.streams.items() if stream.owner == owner})

    def _with_kin(self, found: set[str]) -> set[str]:
        """Streams with their branches and the streams they play."""
        streams = self._shelf.streams
        while more := {n for n, s in streams.items() if s.parent in found or s.player in found} - found:
            found |= more
        return found

    def _removed(self, going: set[str], owner: str | None = None) -> Removed:
        shelf = self._shelf
        counts = {
            "streams": len(going),
            "attempts": sum(len(shelf.attempts[name]) for name in going),
            "answers": sum(len(own) for (name, _), own in shelf.answers.items() if name in going),
            "steps": sum(len(shelf.steps[name]) for name in going),
            "snapshots": sum(len(shelf.snapshots[name]) for name in going),
            "memories": sum(
                s.stream in going or (owner is not None and s.memory.owner == owner) for s in shelf.memories.values()
            ),
            "letters": sum(name in going for name, _ in shelf.letters),
            "tickets": sum(
                t.stream in going or (owner is not None and t.owner == owner) for t in shelf.tickets.values()
            ),
            "rows": sum(key[0] in going for rows in shelf.rows.values() for key in rows),
        }
        if owner is not None:
            kept = Counter(table for table, _ in agent_rows(shelf, owner))
            counts |= {told: kept[table] for table, told in COUNTED.items()}
        return Removed(streams=tuple(sorted(going)), counts=counts)

    async def forget(self, owner: str, *, now: int) -> Removed:
        removed = await self.belongings(owner)
        self._drop(set(removed.streams))
        self._shelf.memories = {k: v for k, v in self._shelf.memories.items() if v.memory.owner != owner}
        self._shelf.tickets = {k: v for k, v in self._shelf.tickets.items() if v.owner != owner}
        drop_user(self._shelf, owner)
        return removed

    async def remove(self, streams: Sequence[str], *, now: int, dry: bool) -> Removed:
        going = self._removable(set(streams))
        removed = self._removed(going)
        if not dry:
            self._drop(going)
        return removed

    async def releasable(self, stream: str, names: Sequence[str]) -> Removed:
        going = transitions.released(self._shelf.stream(stream), names, self._shelf.found)
        return self._removed(self._with_kin(set(going)))

    def take_out(self, streams: Iterable[str]) -> None:
        """Remove whole streams, with their branches and the streams they play."""
        self._drop(self._with_kin(set(streams)))

    def _removable(self, wanted: set[str]) -> set[str]:
        streams = self._shelf.streams
        going = {name for name in wanted if name in streams and not streams[name].open}
        while needed := {name for name in going if self._needed(name, going)}:
            going -= needed
        return going

    def _needed(self, name: str, going: set[str]) -> bool:
        """Whether a stream that stays continues this one, is played by it, or may ask for its outcome."""
        streams = self._shelf.streams
        player = streams.get(streams[name].player or "")
        return (player is not None and player.open > 0) or any(
            name in (s.parent, s.player) for other, s in streams.items() if other not in going
        )

    def _drop(self, gone: set[str]) -> None:
        if not gone:  # what most settlements release
            return
        shelf = self._shelf
        players = {shelf.streams[name].player for name in gone} - gone
        self._fold_ledger(gone)
        by_name: list[dict[Any, Any]] = [shelf.streams, shelf.attempts, shelf.steps, shelf.snapshots]
        by_place: list[dict[Any, Any]] = [shelf.answers, shelf.letters, shelf.letters_busy, *shelf.rows.values()]
        for kept in by_name:
            _discard(kept, lambda key: key in gone)
        for kept in by_place:
            _discard(kept, lambda key: key[0] in gone)
        shelf.memories = {k: v for k, v in shelf.memories.items() if v.stream not in gone}
        shelf.tickets = {k: v for k, v in shelf.tickets.items() if v.stream not in gone}
        for key, session in shelf.sessions.items():
            if session.stream in gone:
                shelf.sessions[key] = replace(session, stream=None, seat=None, active=False)
        shelf.tombstones |= gone
        shelf.forgotten += [place for place in shelf.followed if place[1] in gone]
        _discard(shelf.followed, lambda place: place[1] in gone)
        for name in players:
            if name in shelf.streams and shelf.streams[name].waiting:
                player = shelf.stream(name)
                transitions.ring(player)
                shelf.keep(player)

    def _fold_ledger(self, gone: set[str]) -> None:
        shelf = self._shelf
        sums: dict[tuple[int, str, str], Counter[str]] = {}
        for name, _, entry in shelf.ledger:
            if name in gone or name == NOBODY:
                day = entry.at // _DAY * _DAY
                asks = entry.n if name == NOBODY else 1
                sums.setdefault((day, entry.role, entry.model), Counter()).update({"n": asks, **_spent(entry)})
        shelf.ledger = [line for line in shelf.ledger if line[0] not in gone and line[0] != NOBODY]
        for (day, role, model), spent in sums.items():
            fields: dict[str, Any] = dict(spent)
            shelf.ledger.append((NOBODY, 0, Entry(role=role, model=model, at=day, status="removed", **fields)))

    # taking out the prefix of a stream

    async def prune(self, stream: str, before: int, *, shape: int, now: int, dry: bool) -> Removed:
        shelf = self._shelf
        row = shelf.stream(stream)
        mark = self._mark(row, before, shape)
        if mark == row.mark:
            return Removed(counts=dict.fromkeys(("commands", "steps", "snapshots", "memories", "rows"), 0))
        attempts = shelf.attempts[stream]
        commands = {n for n, a in attempts.items() if a.status and a.command and _before(a.version, mark)}
        words = tuple(transitions.command_memory(stream, n, 0)[:-1] for n in commands)
        memories = {id for id, s in shelf.memories.items() if s.stream == stream and _below(s, mark, words)}
        logs = [shelf.rows[name] for name, table in shelf.tables.items() if table.log]
        counts = {
            "commands": len(commands),
            "steps": sum(v < mark for v in shelf.steps[stream]),
            "snapshots": sum(v < mark for v in shelf.snapshots[stream]),
            "memories": len(memories),
            "rows": sum(k[0] == stream and row["version"] < mark for rows in logs for k, row in rows.items()),
        }
        if not dry:
            attempts.update({n: replace(attempts[n], command=b"", kept=None) for n in commands})
            _discard(shelf.steps[stream], lambda v: v < mark)
            _discard(shelf.snapshots[stream], lambda v: v < mark)
            _discard(shelf.memories, lambda id: id in memories)
            for rows in logs:
                _discard_rows(rows, stream, mark)
            row.mark = mark
            shelf.keep(row)
        return Removed(streams=(stream,), counts=counts)

    def _mark(self, row: Stream, before: int, shape: int) -> int:
        """The newest sound snapshot that is old enough, no later than any branch, and known to whoever follows."""
        shelf = self._shelf
        steps = shelf.steps[row.name]
        branches = (s.forked_at for s in shelf.streams.values() if s.parent == row.name)
        told = (one.told for (_, name), one in shelf.followed.items() if name == row.name)
        limit = min((row.version, *branches, *told))
        for version, snapshot in sorted(shelf.snapshots[row.name].items(), reverse=True):
            step = steps.get(version)
            if step is None or not row.mark < version <= limit or step.at >= before:
                continue
            # A damaged snapshot must never become the only witness of what went before it.
            if snapshot.shape == step.shape == shape and fold_sum(shape, snapshot.state) == step.fold:
                return version
        return row.mark


def _spent(entry: Entry) -> dict[str, int]:
    names = ("input_tokens", "output_tokens", "cached_tokens", "cost", "milliseconds")
    return {name: getattr(entry, name) for name in names}


def _before(version: int | None, mark: int) -> bool:
    return version is not None and version < mark


def _below(stored: Stored, mark: int, words: tuple[str, ...]) -> bool:
    return stored.memory.id.startswith(words) if stored.version is None else _before(stored.version, mark)


def _discard(kept: dict[Any, Any], gone: Callable[[Any], bool]) -> None:
    for key in [key for key in kept if gone(key)]:
        del kept[key]


def _discard_rows(rows: dict[tuple[Any, ...], dict[str, Any]], stream: str, mark: int) -> None:
    _discard(rows, lambda key: key[0] == stream and rows[key]["version"] < mark)
