"""What the in-memory back-end keeps, and the look-ups its ports share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from msgspec.structs import replace

from greenroom.adapters.inmem.notifier import LocalNotifier
from greenroom.adapters.inmem.rows import check_change
from greenroom.journal import lineage, transitions
from greenroom.journal.records import Attempt, Claim, Entry, Lease, Recording, Snapshot, Step, Stored, Stream
from greenroom.kernel.errors import Forgotten, Refused, Unknown
from greenroom.kernel.letters import Letter
from greenroom.kernel.script import Answer
from greenroom.kernel.tables import Change, Drop, Patch, Put, Table, Unique, plain, plain_row
from greenroom.kernel.times import moment
from greenroom.kernel.words import Memory
from greenroom.ports import AgentFile, AgentMemory, AgentSession, Behind, Cursor, FileKey, SessionKey, Ticket

Row = dict[str, Any]
RowKey = tuple[Any, ...]


@dataclass(slots=True)
class Shelf:
    """One house in memory. Dropping the services and keeping the shelf is a crash."""

    tables: Mapping[str, Table] = field(default_factory=dict)
    streams: dict[str, Stream] = field(default_factory=dict)
    attempts: defaultdict[str, dict[int, Attempt]] = field(default_factory=lambda: defaultdict(dict))
    answers: defaultdict[tuple[str, int], dict[int, Answer]] = field(default_factory=lambda: defaultdict(dict))
    steps: defaultdict[str, dict[int, Step]] = field(default_factory=lambda: defaultdict(dict))
    snapshots: defaultdict[str, dict[int, Snapshot]] = field(default_factory=lambda: defaultdict(dict))
    memories: dict[str, Stored] = field(default_factory=dict)
    letters: dict[tuple[str, str], Letter] = field(default_factory=dict)
    letters_busy: dict[tuple[str, str], int] = field(default_factory=dict)
    rows: defaultdict[str, dict[RowKey, Row]] = field(default_factory=lambda: defaultdict(dict))
    ledger: list[tuple[str, int, Entry]] = field(default_factory=list)
    tombstones: set[str] = field(default_factory=set)
    notes: dict[str, str] = field(default_factory=dict)
    tickets: dict[bytes, Ticket] = field(default_factory=dict)
    #: Followers with the tokens of their leases, how far each was told of each stream, and of what removal it was not.
    cursors: dict[str, tuple[Cursor, int]] = field(default_factory=dict)
    followed: dict[tuple[str, str], Behind] = field(default_factory=dict)
    forgotten: list[tuple[str, str]] = field(default_factory=list)
    #: What agents of other frameworks keep: a session holds its events in the order in which they came, states are of
    #: apps and of users of apps, and a memory that was removed is None.
    sessions: dict[SessionKey, AgentSession] = field(default_factory=dict)
    shared_states: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    agent_memories: dict[tuple[str, str, str, str], AgentMemory | None] = field(default_factory=dict)
    agent_files: dict[FileKey, list[AgentFile]] = field(default_factory=dict)
    places: Iterator[int] = field(default_factory=count)
    notifier: LocalNotifier = field(default_factory=LocalNotifier)

    # look-ups

    def stream(self, name: str) -> Stream:
        """A copy of the row: changed freely, stored by ``keep``."""
        if name in self.streams:
            return copy(self.streams[name])
        if name in self.tombstones:
            raise Forgotten(f"stream {name} was removed")
        raise Unknown(f"there is no stream {name}")

    def found(self, name: str) -> Stream | None:
        """The row, or None if the stream was removed."""
        return None if name in self.tombstones and name not in self.streams else self.stream(name)

    def keep(self, stream: Stream) -> None:
        self.streams[stream.name] = stream
        self.notifier.notify()

    def chain(self, name: str) -> tuple[Stream, ...]:
        found = [self.stream(name)]
        while (parent := found[-1].parent) is not None:
            found.append(self.stream(parent))
        return tuple(found)

    def attempt(self, stream: str, n: int) -> Attempt:
        self.stream(stream)
        try:
            return self.attempts[stream][n]
        except KeyError:
            raise Unknown(f"stream {stream} has no attempt {n}") from None

    def prior(self, recording: Recording) -> Attempt | None:
        """The attempt that used this key, here or in the shared past."""
        upto: int | None = None
        for stream in self.chain(recording.stream):
            for attempt in self.attempts[stream.name].values():
                shared = upto is None or (attempt.version is not None and attempt.version <= upto)
                if attempt.key == recording.key and shared:
                    return attempt
            upto = stream.forked_at
        return None

    def head(self, stream: str, besides: int | None = None) -> Attempt | None:
        """The open attempt whose turn it is."""
        waiting = [a for a in self.attempts[stream].values() if a.status is None and a.n != besides]
        return min(waiting, key=lambda a: (a.rank, a.n), default=None)

    # writing

    def note(self, follower: str, stream: Stream) -> bool:
        """Note for a follower how far a stream is; whether that was news. A sandbox is nobody's to follow."""
        if stream.parent is not None or stream.clock_at is not None or not stream.version:
            return False
        place = (follower, stream.name)
        known = self.followed.get(place)
        if known is None:
            told = lineage.kept_from(stream)
            known = Behind(place=next(self.places), stream=stream.name, told=told, version=told)
        self.followed[place] = replace(known, version=stream.version)
        return known.version < stream.version

    def note_all(self, stream: Stream) -> None:
        """Note for everybody who follows the stream's world how far it is."""
        for name, (cursor, _) in self.cursors.items():
            if stream.world in cursor.worlds:
                self.note(name, stream)

    def keep_words(self, stream: Stream, attempt: Attempt, recording: Recording) -> None:
        """Words belong to no version until an agent has heard them."""
        for i, text in enumerate(recording.texts):
            memory = Memory(
                id=transitions.command_memory(stream.name, attempt.n, i),
                owner=recording.person or stream.owner,
                agent="",
                text=text,
                speaker=recording.seat,
                at=moment(attempt.at),
            )
            self.memories[memory.id] = Stored(memory=memory, stream=stream.name, version=None)

    def take(self, stream: Stream, lease: Lease, now: int) -> Claim | None:
        """Claim the stream's next work and store that it is held."""
        kind = transitions.work(stream, now)
        if kind is None:
            return None
        if kind == "wake":
            attempt = transitions.book_wake(stream)
        else:
            head = self.head(stream.name)
            assert head is not None
            attempt = head
        attempt = replace(attempt, tries=attempt.tries + 1)
        if not transitions.suspect(attempt):
            self.attempts[stream.name][attempt.n] = attempt
        token = transitions.hold(stream, lease)
        self.keep(stream)
        stored = self.answers.get((stream.name, attempt.n), {})
        return Claim(
            stream=copy(stream),
            attempt=attempt,
            token=token,
            answers=tuple(stored[n] for n in sorted(stored)),
        )

    def check_unique(self, stream: Stream, changes: Sequence[tuple[int, Change]]) -> None:
        """Refuse, before anything is written, a value that a unique column holds already."""
        if stream.parent is not None:
            return
        after = {name: dict(self.rows[name]) for name in {change.table for _, change in changes}}
        for version, change in changes:
            self._change(after[change.table], stream.name, version, change)
        for name, rows in after.items():
            for unique in self.tables[name].unique:
                self._check_unique(unique, rows, stream.name)

    def _check_unique(self, unique: Unique, rows: Mapping[RowKey, Row], stream: str) -> None:
        seen: dict[tuple[Any, ...], RowKey] = {}
        for key, row in rows.items():
            value = tuple(row.get(column) for column in unique.columns)
            if None in value or (key[0] != stream and self.streams[key[0]].parent is not None):
                continue
            if value in seen and stream in (key[0], seen[value][0]):
                raise Refused(unique.refusal)
            seen[value] = key

    def check_rows(self, stream: Stream, changes: Sequence[tuple[int, Change]]) -> None:
        """Refuse, before anything is written, what a table cannot hold or holds already.

        Raises:
            Malformed: a row does not fit its table.
            Refused: a unique column holds one of the values already.
        """
        for _, change in changes:
            check_change(self.tables, change)
        self.check_unique(stream, changes)

    def change(self, stream: str, version: int, change: Change) -> None:
        self._change(self.rows[change.table], stream, version, change)

    def _change(self, rows: dict[RowKey, Row], stream: str, version: int, change: Change) -> None:
        table = self.tables[change.table]
        match change:
            case Put(_, values):
                blank = {column.name: None for column in table.columns}
                rows[row_key(table, stream, values)] = {**blank, **_kept(table, values), "version": version}
            case Patch(_, key, values):
                if (found := row_key(table, stream, key)) in rows:
                    rows[found] = {**rows[found], **_kept(table, values), "version": version}
            case Drop(_, key):
                rows.pop(row_key(table, stream, key), None)


def _kept(table: Table, values: Mapping[str, Any]) -> Row:
    """Values as every back-end gives them back: a whole number in a real column is one with a fraction."""
    real = {column.name for column in table.columns if column.kind == "real"}
    row = plain_row(values)
    return {name: float(value) if name in real and value is not None else value for name, value in row.items()}


def row_key(table: Table, stream: str, values: Mapping[str, Any]) -> RowKey:
    return (stream, *(plain(values[name]) for name in table.key))
