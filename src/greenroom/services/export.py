"""Streams to files: one JSON line per record, a footer that proves the file whole."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from greenroom.journal.lineage import Segment, segments
from greenroom.journal.records import Attempt, Stored, Stream
from greenroom.journal.sums import GENESIS
from greenroom.kernel.codec import Codec
from greenroom.kernel.errors import Conflict, CorruptHistory, Malformed, NotInstalled, Refused
from greenroom.ports import Backend
from greenroom.services import records
from greenroom.services.records import ExportRecord, Footer, Header, KeptRecord, PersonHeader, RowRecord, SpentRecord
from greenroom.services.states import Codecs, check_history


async def export(backend: Backend, codecs: Codecs, stream: str) -> AsyncIterator[bytes]:
    """The lines of a file that holds one stream whole.

    A branch leaves as a root stream of its name, with the past it shares; its memories keep their ids.
    Unsent letters leave as held. Nothing is promised before the last line came. Where the world is not installed, its
    table rows stay behind: they follow from the events.

    Raises:
        Unknown: no such stream.
        Refused: the stream has open attempts.
        CorruptHistory: the stored events do not match their sums.
        Conflict: the stream was played on meanwhile; export it again.
    """
    row = await backend.streams.get(stream)
    if row.open:
        raise Refused(
            f"stream {stream} has {row.open} open attempts; export it when they are settled, or cancel them first"
        )
    async for line in _closed(_whole(backend, codecs.get(row.world), row)):
        yield line


async def export_person(backend: Backend, codecs: Codecs, owner: str) -> AsyncIterator[bytes]:
    """The lines of a file with everything that forgetting this person would delete, for the person to read.

    Every stream that would go stands there with its own records only, table rows and ledger among them;
    then come the person's memories in streams of others, and what agents of other frameworks keep of them.
    Answers of turns in progress are not told.
    """
    async for line in _closed(_person(backend, codecs, owner)):
        yield line


async def _closed(found: AsyncIterator[ExportRecord]) -> AsyncIterator[bytes]:
    """Lines with a footer that counts and sums them."""
    digest, counts = sha256(), Counter[str]()
    async for record in found:
        line = records.to_line(record)
        digest.update(line)
        if not isinstance(record, (Header, PersonHeader)):
            counts[records.kind_of(record)] += 1
        yield line
    yield records.to_line(Footer(counts=dict(counts), sha256=digest.hexdigest()))


# one stream, whole


async def _whole(backend: Backend, codec: Codec[Any, Any, Any] | None, row: Stream) -> AsyncIterator[ExportRecord]:
    chain = await backend.streams.lineage(row.name)
    mark = next((s.mark for s in chain if s.mark > s.forked_at), 0)
    shape = codec.world.shape if codec else await _last_shape(backend, row)
    yield _header(row, shape, mark)
    if mark:
        yield await _mark(backend, row, mark)
    for attempt in await _attempts(backend, chain):
        yield records.from_attempt(attempt)
    async for record in _steps(backend, row, mark):
        yield record
    async for record in _said(backend, row, await _memories(backend, chain)):
        yield record
    if row.mark == mark != 0:  # some of its rows were written by steps that are gone
        async for record in _rows(backend, codec, row):
            yield record
    after = await backend.streams.get(row.name)
    if (after.version, after.recorded, after.mark) != (row.version, row.recorded, row.mark):
        raise Conflict(f"stream {row.name} was played on while it was exported; export it again")


async def _last_shape(backend: Backend, row: Stream) -> int:
    """The shape of the state that the last step led to."""
    async for step in backend.history.steps(row.name, row.version - 1, row.version):
        return step.shape
    return 1


def _header(s: Stream, shape: int, mark: int) -> Header:
    outcome = None if s.outcome is None else s.outcome.decode()
    return records.told_as(Header, s, shape=shape, mark=mark, outcome=outcome)


async def _mark(backend: Backend, row: Stream, mark: int) -> ExportRecord:
    snapshot = (await backend.history.load(row.name, mark)).snapshot
    if snapshot is None or snapshot.version != mark:
        raise CorruptHistory(f"stream {row.name}: the snapshot at version {mark}, in place of pruned steps, is missing")
    return records.from_snapshot(snapshot, row.name)


async def _attempts(backend: Backend, chain: Sequence[Stream]) -> list[Attempt]:
    """The attempts of a lineage, oldest first: of an ancestor those that the branch shares."""
    found = await _own_attempts(backend, chain[0].name)
    upto = chain[0].forked_at
    for stream in chain[1:]:
        shared = [_shared(attempt, upto) for attempt in await _own_attempts(backend, stream.name)]
        # Numbers go on across a fork; what the parent recorded after it is none of the branch's.
        below = found[0].n if found else None
        found[:0] = [attempt for attempt in shared if attempt and (below is None or attempt.n < below)]
        upto = min(upto, stream.forked_at)
    return found


def _shared(attempt: Attempt, upto: int) -> Attempt | None:
    """The part of an ancestor's attempt that a branch shares.

    A branch may begin in the middle of a turn. It has that turn's first steps, but its key is free there.
    """
    if attempt.base is None or attempt.version is None:
        return None
    if attempt.version <= upto:
        return attempt
    return replace(attempt, version=upto, key=f"greenroom.cut/{attempt.n}") if attempt.base < upto else None


async def _own_attempts(backend: Backend, stream: str) -> list[Attempt]:
    found: list[Attempt] = []
    while page := await backend.streams.attempts(stream, after=found[-1].n if found else 0):
        found.extend(page)
    return found


async def _steps(backend: Backend, row: Stream, mark: int) -> AsyncIterator[ExportRecord]:
    history = GENESIS
    async for step in backend.history.steps(row.name, max(mark - 1, 0), row.version):
        if step.version != mark:
            check_history(row.name, history, step)
        history = step.history
        yield records.from_step(step, row.name)


async def _memories(backend: Backend, chain: Sequence[Stream]) -> list[Stored]:
    past: dict[str, Segment] = {segment.stream: segment for segment in segments(chain, chain[0].version)}
    found: list[Stored] = []
    for stream in chain:
        for stored in await backend.bank.of_stream(stream.name):
            own = stream is chain[0]
            segment = past.get(stream.name)
            if own or (segment is not None and stored.version is not None and stored.version <= segment.upto):
                found.append(stored)
    return found


async def _said(backend: Backend, row: Stream, memories: Sequence[Stored]) -> AsyncIterator[ExportRecord]:
    for stored in sorted(memories, key=lambda stored: stored.memory.id):
        yield records.from_stored(stored)
    for letter in await backend.outbox.list(stream=row.name):
        yield records.from_letter(letter)


async def _rows(backend: Backend, codec: Codec[Any, Any, Any] | None, row: Stream) -> AsyncIterator[ExportRecord]:
    if codec is None:
        raise NotInstalled(f"stream {row.name} was shortened, and its table rows cannot be read without its world")
    for table in codec.world.tables:
        for values in await backend.tables.rows(row.name, table):
            kept = {name: value for name, value in values.items() if name != "version"}
            yield RowRecord(table=table.name, version=values["version"], values=kept)


# one person


async def _person(backend: Backend, codecs: Codecs, owner: str) -> AsyncIterator[ExportRecord]:
    if not owner.strip():
        raise Malformed("whose? give the id of a person")
    going = (await backend.upkeep.belongings(owner)).streams
    yield PersonHeader(owner=owner, streams=list(going))
    for name in going:
        async for record in _own(backend, codecs, await backend.streams.get(name)):
            yield record
    gone = set(going)
    for stored in await backend.upkeep.memories(owner):
        if stored.stream not in gone:
            yield records.from_stored(stored, stream=stored.stream)
    for table, values in await backend.upkeep.kept_by_agents(owner):
        yield KeptRecord(table=table, values={name: _told(value) for name, value in values.items()})


def _told(value: Any) -> Any:
    """A value of a row as JSON has it; bytes by the letters that mail uses for them."""
    return b64encode(value).decode() if isinstance(value, bytes) else value


async def _own(backend: Backend, codecs: Codecs, row: Stream) -> AsyncIterator[ExportRecord]:
    codec = codecs.get(row.world)
    yield _header(row, codec.world.shape if codec else 0, row.mark)
    for attempt in await _own_attempts(backend, row.name):
        yield records.from_attempt(attempt)
    async for step in backend.history.steps(row.name, max(row.forked_at, row.mark - 1), row.version):
        yield records.from_step(step, row.name)
    async for record in _said(backend, row, await backend.bank.of_stream(row.name)):
        yield record
    if codec is not None:
        async for record in _rows(backend, codec, row):
            yield record
    for n, entry in await backend.streams.ledger(row.name):
        yield records.told_as(SpentRecord, entry, n=n)
