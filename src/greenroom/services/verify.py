"""Whether what is stored is what was written: sums, folds, snapshots, tables, counters. Damage is told, not raised."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from greenroom.journal.records import Step, Stream
from greenroom.journal.sums import GENESIS, fold_sum, history_sum
from greenroom.kernel.codec import Codec
from greenroom.kernel.errors import BackendError, CorruptHistory, Forgotten, Malformed, OutOfRange, Unknown
from greenroom.ports import Backend
from greenroom.services.states import Codecs, missing, told, unfold
from greenroom.services.tables import Rows, every_stream, first_own

#: Called with the versions checked so far and the versions there are.
Progress: TypeAlias = Callable[[int, int], None]

#: A stream that is played on while it is checked is checked again, this often at most.
_LOOKS = 5
_EVERY = 500
#: Rows of one table that are told one by one.
_MOST_ROWS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found in one stream."""

    stream: str
    #: Versions checked.
    versions: int
    #: Sentences that name the stream and the version; empty when all is well.
    problems: tuple[str, ...] = ()
    #: Which package is missing, where only the history sums could be checked; that is no damage.
    missing: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseVerdict:
    """What was found in the whole house."""

    streams: int
    versions: int
    problems: tuple[str, ...] = ()
    #: Worlds whose packages are not here: of their streams only the history sums were checked. That is no damage.
    missing: tuple[str, ...] = ()


async def verify(backend: Backend, codecs: Codecs, stream: str, *, progress: Progress | None = None) -> Verdict:
    """Check one stream with all of its past: recompute what can be recomputed, compare with what is stored.

    Raises:
        Unknown: no such stream.
        Forgotten: there was such a stream.
    """
    verdict = await _verify(backend, codecs, stream, progress, whole=True)
    counted = await _counted(backend, stream)
    return replace(verdict, problems=(*verdict.problems, *counted))


async def check_house(backend: Backend, codecs: Codecs, *, progress: Progress | None = None) -> HouseVerdict:
    """Check the storage and every stream; the past that a branch shares is checked once, with its parent.

    ``progress`` counts streams.
    """
    problems = [*await _counted(backend, None)]
    names: list[str] = []
    versions, absent = 0, dict[str, None]()
    try:
        names.extend([stream.name async for stream in every_stream(backend)])
    except CorruptHistory as error:
        problems.append(str(error))
    for done, name in enumerate(names, 1):
        verdict = await _one(backend, codecs, name)
        versions += verdict.versions
        problems.extend(verdict.problems)
        absent.update({} if verdict.missing is None else {verdict.missing: None})
        if progress is not None:
            progress(done, len(names))
    told_once = tuple(dict.fromkeys(problems))
    return HouseVerdict(streams=len(names), versions=versions, problems=told_once, missing=tuple(absent))


async def _one(backend: Backend, codecs: Codecs, name: str) -> Verdict:
    try:
        return await _verify(backend, codecs, name, None, whole=False)
    except CorruptHistory as error:
        return Verdict(stream=name, versions=0, problems=(str(error),))
    except (Unknown, Forgotten):
        return Verdict(stream=name, versions=0)  # removed in the meantime


async def _counted(backend: Backend, stream: str | None) -> Sequence[str]:
    try:
        return await backend.upkeep.check(stream)
    except CorruptHistory as error:
        return (str(error),)


async def _verify(backend: Backend, codecs: Codecs, name: str, progress: Progress | None, *, whole: bool) -> Verdict:
    looks = 0
    while True:
        stream = await backend.streams.get(name)
        look = _Look(backend, codecs.get(stream.world), stream, progress)
        await look.take(whole=whole)
        after, looks = await backend.streams.get(name), looks + 1
        moved = (after.version, after.mark) != (stream.version, stream.mark)
        if not look.problems or not moved or looks == _LOOKS:
            absent = missing(codecs, stream.world) if look.codec is None else None
            return Verdict(stream=name, versions=look.checked, problems=tuple(look.problems), missing=absent)


@dataclass(slots=True)
class _Run:
    """Consecutive versions with the same complaint, told in one sentence."""

    complaint: str
    first: int
    last: int


@dataclass(slots=True)
class _Look:
    """One walk through a stream."""

    backend: Backend
    codec: Codec[Any, Any, Any] | None
    stream: Stream
    progress: Progress | None
    problems: list[str] = field(default_factory=list)
    checked: int = 0
    #: The state after the last step; meaningless once ``readable`` is False.
    state: Any = None
    readable: bool = True
    _runs: dict[str, _Run] = field(default_factory=dict)

    async def take(self, *, whole: bool) -> None:
        try:
            await self._take(whole=whole)
        except (CorruptHistory, Malformed, OutOfRange, BackendError) as error:
            if type(error) not in (CorruptHistory, Malformed, OutOfRange, BackendError):
                raise  # the outside failed: that says nothing about the stream
            self._say(str(error))
        for complaint in list(self._runs):
            self._end(complaint)

    async def _take(self, *, whole: bool) -> None:
        if self.codec is None:
            self.readable = False
        since = first_own(self.stream)
        rows = Rows(
            () if self.codec is None else self.codec.world.tables, lost_past=self.stream.mark > self.stream.forked_at
        )
        snapshots = set(await self.backend.upkeep.snapshots(self.stream.name))
        start = await self._begin(whole=whole)
        async for step in self._steps(start):
            self._fold(step, rows, since)
            if step.version in snapshots:
                await self._check_snapshot(step)
        if self.readable:
            await self._check_tables(rows, since)

    # the journal

    async def _begin(self, *, whole: bool) -> int:
        """Stand where the walk begins, and return that version: nothing, the mark, or a branch's fork."""
        chain = await self.backend.streams.lineage(self.stream.name)
        mark = next((s.mark for s in chain if s.mark > s.forked_at), 0)
        start = mark if whole else max(mark, self.stream.forked_at)
        if self.codec is not None:
            self.state = self.codec.world.blank
            if start:
                await self._stand(self.codec, start)
        return start

    async def _stand(self, codec: Codec[Any, Any, Any], version: int) -> None:
        try:
            loaded = await self.backend.history.load(self.stream.name, version)
            self.state = unfold(codec, loaded).state
        except CorruptHistory as error:
            self._say(str(error))
            self.readable = False

    async def _steps(self, start: int) -> AsyncIterator[Step]:
        """The steps after ``start``, each checked against the one before. Where the sum breaks, it begins anew."""
        stream, expected = self.stream, start + 1
        history = GENESIS
        async for step in self.backend.history.steps(stream.name, max(start - 1, 0), stream.version):
            if step.version <= start:
                history = step.history
                continue
            if step.version != expected:
                self._say(f"versions {expected} to {step.version - 1} are missing")
                self.readable = False
            elif _history(history, step) != step.history:
                self._complain(_HISTORY, step.version)
            history, expected = step.history, step.version + 1
            self._count(step.version - start, stream.version - start)
            yield step
        if expected != stream.version + 1:
            self._say(f"versions {expected} to {stream.version} are missing")
            self.readable = False

    def _fold(self, step: Step, rows: Rows, since: int) -> None:
        if not self.readable or self.codec is None:
            return
        world = self.codec.world
        try:
            for event in told(self.codec, self.stream.name, step):
                self.state = world.evolve(self.state, event)
                if step.version > since:
                    for change in world.rows(self.state, event):
                        rows.apply(step.version, change)
            data = self.codec.state(self.state)
        except Exception as error:  # noqa: BLE001  damaged events may lead a world's rules anywhere
            self._say(str(error) if isinstance(error, CorruptHistory) else _unfoldable(step, error))
            self.readable = False
            return
        if step.shape == world.shape and fold_sum(step.shape, data) != step.fold:
            self._complain(_FOLD, step.version)

    async def _check_snapshot(self, step: Step) -> None:
        try:
            snapshot = (await self.backend.history.load(self.stream.name, step.version)).snapshot
        except CorruptHistory as error:
            self._say(str(error))
            return
        if snapshot is None or snapshot.version != step.version:
            return
        codec = self.codec
        if self.readable and codec is not None and snapshot.shape == codec.world.shape:
            sound = codec.state(self.state) == snapshot.state
        else:
            sound = snapshot.shape != step.shape or fold_sum(snapshot.shape, snapshot.state) == step.fold
        if not sound:
            self._complain(_SNAPSHOT, step.version)

    # tables

    async def _check_tables(self, rows: Rows, since: int) -> None:
        assert self.codec is not None
        for table in self.codec.world.tables:
            where = f"stream {self.stream.name}, table {table.name}"
            try:
                stored = await self.backend.tables.rows(self.stream.name, table)
            except (CorruptHistory, Malformed) as error:
                self.problems.append(f"{where}: its rows cannot be read ({error})")
                continue
            found = list(rows.differences(table, stored, since=since))
            self.problems.extend(f"{where}: {sentence}" for sentence in found[:_MOST_ROWS])
            if len(found) > _MOST_ROWS:
                self.problems.append(f"{where}: {len(found) - _MOST_ROWS} more rows differ")

    # telling

    def _say(self, sentence: str) -> None:
        named = f"stream {self.stream.name}"
        self.problems.append(sentence if sentence.startswith(named) else f"{named}: {sentence}")

    def _complain(self, complaint: str, version: int) -> None:
        run = self._runs.get(complaint)
        if run is not None and run.last == version - 1:
            run.last = version
            return
        if run is not None:
            self._end(complaint)
        self._runs[complaint] = _Run(complaint, version, version)

    def _end(self, complaint: str) -> None:
        run = self._runs.pop(complaint)
        versions = f"version {run.first}" if run.first == run.last else f"versions {run.first} to {run.last}"
        self.problems.append(f"stream {self.stream.name}, {versions}: {run.complaint}")

    def _count(self, done: int, total: int) -> None:
        self.checked = done
        if self.progress is not None and (done % _EVERY == 0 or done == total):
            self.progress(done, total)


_HISTORY = "the stored events do not match their history sum"
_FOLD = "the events lead to another state than when they were written"
_SNAPSHOT = "the stored snapshot is not the state that the events lead to"


def _history(previous: bytes, step: Step) -> bytes:
    return history_sum(previous, version=step.version, at=step.at, n=step.n, events=step.events)


def _unfoldable(step: Step, error: Exception) -> str:
    return f"version {step.version}: its events cannot be folded ({type(error).__name__})"
