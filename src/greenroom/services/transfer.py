"""Streams from files, and to them: a file is believed only after everything in it was recomputed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import msgspec

from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Snapshot, Step, Stream
from greenroom.journal.sums import GENESIS, fold_sum, history_sum
from greenroom.kernel.codec import Codec
from greenroom.kernel.errors import CorruptHistory, Malformed
from greenroom.kernel.tables import Put
from greenroom.kernel.times import micros
from greenroom.ports import Backend
from greenroom.services import records
from greenroom.services.export import export, export_person
from greenroom.services.records import (
    FORMAT,
    FORMAT_VERSION,
    AnyRecord,
    AttemptRecord,
    Footer,
    Header,
    LetterRecord,
    MemoryRecord,
    RowRecord,
    SnapshotRecord,
    StepRecord,
)
from greenroom.services.requests import digest
from greenroom.services.states import Codecs, codec_of, told
from greenroom.services.tables import Rows
from greenroom.services.turns import writing

_MOST_NAME = 200
#: SQLite, PostgreSQL and JavaScript agree on numbers up to here; moments go to the year 9000.
_MOST_NUMBER = 2**53 - 1
_LAST = micros(datetime(9000, 1, 1, tzinfo=UTC))


async def import_(backend: Backend, codecs: Codecs, lines: AsyncIterable[bytes] | Iterable[bytes]) -> Stream:
    """Take in a stream from the lines of its file, as it was when it left.

    Sums, folds and rows are recomputed and must agree. Letters that were not sent come in held. Requests are
    known again by their keys. A child comes in as a stream by itself.

    Raises:
        Malformed: names the first line that is wrong; nothing was written.
        Unknown: its world is not in this house.
        Conflict: a stream of that name, or one with some of the same memories, is here already.
        Forgotten: a stream of that name was removed here.
        Refused: a unique column of this house holds one of its values already.
    """
    given = [line async for line in lines] if isinstance(lines, AsyncIterable) else lines
    # Beside the loop: a long history takes its time, and others are served meanwhile.
    return await _stored(backend, await asyncio.to_thread(_believed, codecs, given))


def _believed(codecs: Codecs, lines: Iterable[bytes]) -> _Checked:
    parcel = _opened(lines)
    return _Checked(codec_of(codecs, parcel.header.world), parcel)


async def _stored(backend: Backend, checked: _Checked) -> Stream:
    stream, parcel = checked.stream(), checked.parcel
    await backend.upkeep.adopt(
        stream,
        attempts=checked.attempts(backend.secret),
        steps=[step for _, step in parcel.steps],
        snapshots=checked.snapshots(),
        memories=[records.to_stored(record, stream.name) for _, record in parcel.memories],
        letters=[records.to_letter(record, stream.name) for _, record in parcel.letters],
        changes=tuple(checked.rows.puts()),
    )
    return await backend.streams.get(stream.name)


def _wrong(line: int, sentence: str) -> Malformed:
    return Malformed(f"line {line}: {sentence}")


# the file


@dataclass(slots=True)
class _Parcel:
    """A file's records with their line numbers."""

    header: Header
    attempts: list[tuple[int, AttemptRecord]] = field(default_factory=list)
    steps: list[tuple[int, Step]] = field(default_factory=list)
    snapshot: tuple[int, Snapshot] | None = None
    memories: list[tuple[int, MemoryRecord]] = field(default_factory=list)
    letters: list[tuple[int, LetterRecord]] = field(default_factory=list)
    rows: list[tuple[int, RowRecord]] = field(default_factory=list)
    #: Number of the last line.
    end: int = 1

    def add(self, n: int, record: AnyRecord) -> None:
        match record:
            case AttemptRecord():
                self.attempts.append((n, record))
            case StepRecord():
                self.steps.append((n, _step(n, record)))
            case SnapshotRecord() if self.snapshot is None:
                self.snapshot = (n, records.to_snapshot(record))
            case MemoryRecord():
                self.memories.append((n, record))
            case LetterRecord():
                self.letters.append((n, record))
            case RowRecord():
                self.rows.append((n, record))
            case _:
                raise _wrong(n, f"a record {records.kind_of(record)!r} does not belong here")


def _step(n: int, record: StepRecord) -> Step:
    try:
        return records.to_step(record)
    except ValueError:
        raise _wrong(n, "a sum is not written in hexadecimal digits") from None


def _opened(lines: Iterable[bytes]) -> _Parcel:
    parcel: _Parcel | None = None
    footer: Footer | None = None
    total, counts, n = sha256(), Counter[str](), 0
    for line in lines:
        n += 1
        if footer is not None:
            raise _wrong(n, "the file goes on after its last record")
        record = _read(n, line)
        check_values(n, record)
        if parcel is None:
            parcel = _Parcel(_header(n, record))
        elif isinstance(record, Footer):
            footer = record
            _check_footer(n, footer, counts, total.hexdigest())
        else:
            parcel.add(n, record)
            counts[records.kind_of(record)] += 1
        total.update(line if line.endswith(b"\n") else line + b"\n")
    if parcel is None or footer is None:
        raise _wrong(n + 1, "the file was cut off: its last record is missing")
    parcel.end = n
    return parcel


def _read(n: int, line: bytes) -> AnyRecord:
    try:
        return records.from_line(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _wrong(n, f"this is no record of an export ({error})") from None
    except RecursionError:
        raise _wrong(n, "this is nested deeper than any record") from None


def _header(n: int, record: AnyRecord) -> Header:
    if not isinstance(record, Header) or record.format != FORMAT:
        raise _wrong(n, f"this is no export of a stream; its first record would have the format {FORMAT!r}")
    if record.format_version != FORMAT_VERSION:
        raise _wrong(
            n, f"the file has format version {record.format_version}; this Greenroom reads version {FORMAT_VERSION}"
        )
    for name in (record.name, record.owner):
        if not name.strip() or len(name) > _MOST_NAME or any(ord(c) < 32 for c in name):
            raise _wrong(n, f"a name has 1 to {_MOST_NAME} characters, not all blank and without control characters")
    return record


def _check_footer(n: int, footer: Footer, counts: Mapping[str, int], total: str) -> None:
    if footer.counts != counts:
        raise _wrong(n, "the records do not add up to what the file says it holds; lines are missing or doubled")
    if footer.sha256 != total:
        raise _wrong(n, "the lines above do not match their sum; the file was altered")


# what the file says


class _Checked:
    """A file whose every claim was recomputed."""

    def __init__(self, codec: Codec[Any, Any, Any], parcel: _Parcel) -> None:
        self._codec = codec
        self.parcel = parcel
        self.rows = Rows(codec.world.tables, lost_past=parcel.header.mark > 0)
        self._check_places()
        self._state = self._start()
        self._walk()
        self._check_end()
        self._check_belongings()
        self.wake_at, self.outcome = self._due()
        if parcel.rows or parcel.header.mark:
            self._take_rows()

    def _start(self) -> Any:
        """The state before the first step that is to be folded."""
        header, snapshot = self.parcel.header, self.parcel.snapshot
        if (snapshot is not None) != (header.mark > 0):
            raise _wrong(self.parcel.end, "a pruned stream comes with the snapshot at its mark, any other without")
        if snapshot is None:
            return self._codec.world.blank
        n, found = snapshot
        if found.version != header.mark:
            raise _wrong(n, f"the snapshot is of version {found.version}, not of the mark {header.mark}")
        try:
            return self._codec.read_state(found.state, found.shape, f"line {n}")
        except (CorruptHistory, msgspec.DecodeError) as error:
            raise Malformed(str(error)) from None
        except RecursionError:
            raise _wrong(n, "the snapshot is nested deeper than any state") from None

    def _walk(self) -> None:
        mark = self.parcel.header.mark
        expected, history, last_at = max(mark, 1), GENESIS, 0
        for n, step in self.parcel.steps:
            if step.version != expected or step.at < last_at:
                raise _wrong(n, f"version {step.version} does not follow; {expected} is next, and time goes forward")
            if step.version == mark:
                self._check_mark(step)
            else:
                self._check_history(n, history, step)
                self._fold(n, step)
            expected, history, last_at = expected + 1, step.history, step.at

    @staticmethod
    def _check_history(n: int, previous: bytes, step: Step) -> None:
        found = history_sum(previous, version=step.version, at=step.at, n=step.n, events=step.events)
        if found != step.history:
            raise _wrong(n, f"the events of version {step.version} do not match their history sum")

    def _check_mark(self, step: Step) -> None:
        assert self.parcel.snapshot is not None
        n, snapshot = self.parcel.snapshot
        if snapshot.shape == step.shape and fold_sum(snapshot.shape, snapshot.state) != step.fold:
            raise _wrong(n, f"the snapshot of version {step.version} does not match its fold sum")

    def _fold(self, n: int, step: Step) -> None:
        world = self._codec.world
        try:
            for event in told(self._codec, self.parcel.header.name, step):
                self._state = world.evolve(self._state, event)
                for change in world.rows(self._state, event):
                    self.rows.apply(step.version, change)
            data = self._codec.state(self._state)
        except Exception as error:  # noqa: BLE001  events from a file may lead a world's rules anywhere
            reason = str(error) if isinstance(error, CorruptHistory) else type(error).__name__
            raise _wrong(n, f"the events of version {step.version} cannot be folded ({reason})") from None
        if step.shape == world.shape and fold_sum(step.shape, data) != step.fold:
            raise _wrong(n, f"the rules of {world.name} lead to another state at version {step.version}")

    def _check_places(self) -> None:
        """Every number in its place, before anything is built on it."""
        last = 0
        for n, attempt in self.parcel.attempts:
            if attempt.status is None:
                raise _wrong(n, f"attempt {attempt.n} is open; only settled ones can travel")
            if attempt.n <= last:
                raise _wrong(n, f"attempt {attempt.n} does not follow")
            last = attempt.n
        attempts = {attempt.n for _, attempt in self.parcel.attempts}
        _once([(n, attempt.key) for n, attempt in self.parcel.attempts], "key")
        _once([(n, memory.id) for n, memory in self.parcel.memories], "memory")
        _once([(n, letter.key) for n, letter in self.parcel.letters], "letter")
        for n, step in self.parcel.steps:
            if step.n not in attempts:
                raise _wrong(n, f"version {step.version} belongs to attempt {step.n}, which is not in the file")

    def _check_end(self) -> None:
        header, steps = self.parcel.header, self.parcel.steps
        last, at = (steps[-1][1].version, steps[-1][1].at) if steps else (0, header.last_at)
        if (last, at) != (header.version, header.last_at):
            raise _wrong(1, f"the stream is said to end with version {header.version}, but the steps end with {last}")

    def _check_belongings(self) -> None:
        """Words of this stream's owner alone, and nothing that names a place the stream has not come to."""
        h = self.parcel.header
        for n, memory in self.parcel.memories:
            if memory.owner != h.owner:
                raise _wrong(n, "a memory belongs to somebody else than the stream; each brings their own")
            _within(n, memory.version, h.version)
        for n, letter in self.parcel.letters:
            _within(n, letter.version, h.version)
        for n, attempt in self.parcel.attempts:
            _within(n, attempt.base, attempt.version if attempt.version is not None else h.version)
            _within(n, attempt.version, h.version)
            if attempt.kept is not None:
                _check_json(n, attempt.kept)

    def _due(self) -> tuple[int | None, bytes | None]:
        """When the stream is to be woken and how it ended: by the rules, whatever the file says."""
        header, world = self.parcel.header, self._codec.world
        said = None if header.outcome is None else header.outcome.encode()
        if not header.version:
            if said is not None or header.wake_at is not None:
                raise _wrong(1, "a stream that has not begun has no outcome and no time to be woken at")
            return None, None
        try:
            wake_at, outcome = writing.due(self._codec, self._state), writing.ended(self._codec, self._state)
        except Exception as error:  # noqa: BLE001  a state from a file may lead a world's rules anywhere
            raise _wrong(1, f"the rules of {world.name} cannot go on from its state ({type(error).__name__})") from None
        if header.shape == world.shape and said != outcome:
            raise _wrong(1, "the outcome is not the one that the rules come to")
        return wake_at, outcome

    def _take_rows(self) -> None:
        """Rows of a pruned stream: those that its steps still tell must agree, the older ones are taken as they are."""
        tables = {table.name: table for table in self._codec.world.tables}
        given = Rows(self._codec.world.tables, lost_past=True)
        for n, row in self.parcel.rows:
            if row.table not in tables or not {c.name for c in tables[row.table].columns} >= set(row.values):
                raise _wrong(n, f"world {self._codec.world.name} has no such table or columns: {row.table}")
            given.apply(row.version, Put(row.table, row.values))
        stored: dict[str, list[dict[str, Any]]] = {name: [] for name in tables}
        for _, row in self.parcel.rows:
            stored[row.table].append({**row.values, "version": row.version})
        for name, table in tables.items():
            for sentence in self.rows.differences(table, stored[name], since=self.parcel.header.mark):
                raise _wrong(self.parcel.end, f"table {name}: {sentence}")
        self.rows = given

    # what is taken in

    def stream(self) -> Stream:
        h = self.parcel.header
        recorded = max((attempt.n for _, attempt in self.parcel.attempts), default=0)
        alone = {"parent": None, "forked_at": 0}  # the past that it shared is its own now
        said = {"wake_at": self.wake_at, "outcome": self.outcome}
        stream = records.told_as(Stream, h, recorded=recorded, **alone, **said)
        transitions.schedule(stream)
        return stream

    def snapshots(self) -> list[Snapshot]:
        kept = {} if self.parcel.snapshot is None else {self.parcel.snapshot[1].version: self.parcel.snapshot[1]}
        version, shape = self.parcel.header.version, self._codec.world.shape
        if version and version not in kept:
            kept[version] = Snapshot(version=version, shape=shape, state=self._codec.state(self._state))
        return [kept[version] for version in sorted(kept)]

    def attempts(self, secret: bytes) -> list[Attempt]:
        texts = {memory.id: memory.text for _, memory in self.parcel.memories}
        name = self.parcel.header.name
        return [
            records.to_attempt(record, name, self._digest(n, record, texts, secret))
            for n, record in self.parcel.attempts
        ]

    def _digest(self, n: int, record: AttemptRecord, texts: Mapping[str, str], secret: bytes) -> bytes:
        """The request's digest under this house's key; nothing fits one whose words or command are gone."""
        if not record.command or not record.rank:
            return b""
        try:
            command = self._codec.read_command(record.command.encode())
        except (CorruptHistory, msgspec.DecodeError, RecursionError):
            raise _wrong(n, f"the command of attempt {record.n} cannot be read") from None
        count = len(self._codec.words_of(command))
        said = [texts.get(transitions.command_memory(record.stream, record.n, i)) for i in range(count)]
        if None in said:
            return b""
        return digest(secret, record.seat, record.command.encode(), [text or "" for text in said])


def check_values(n: int, record: AnyRecord) -> None:
    """Numbers that every storage holds, moments that there are, and texts without what ends them.

    Raises:
        Malformed: names the field that is none of these.
    """
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, bool) or value is None:
            continue
        if isinstance(value, int) and not _fits(name, value):
            raise _wrong(n, f"{name} is {value}, which is out of its range")
        if isinstance(value, str) and "\0" in value:
            raise _wrong(n, f"{name} holds a character that no text has")


def _fits(name: str, value: int) -> bool:
    if name == "seed":
        return -(2**63) <= value < 2**63
    return 0 <= value <= (_LAST if name == "at" or (name.endswith("_at") and name != "forked_at") else _MOST_NUMBER)


def _within(n: int, version: int | None, upto: int) -> None:
    if version is not None and version > upto:
        raise _wrong(n, f"this is said to be of version {version}, but there are {upto}")


def _check_json(n: int, text: str) -> None:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise _wrong(n, "what is kept of this attempt cannot be read") from None


def _once(found: Iterable[tuple[int, str]], what: str) -> None:
    seen: set[str] = set()
    for n, name in found:
        if name in seen:
            raise _wrong(n, f"{what} {name!r} stands in the file twice")
        seen.add(name)


__all__ = ["export", "export_person", "import_"]
