"""The writer of a process: gathers what is waiting and sends it as one statement, many turns to a commit.

A job is first decided on what this process knows of its streams, which costs one round trip if it is right. If it is
not, or the job refuses, its streams are looked up and it is decided again: only what was looked up is believed.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

import asyncpg

from greenroom.adapters.postgres.connection import ANSWER_SECONDS, CROSSED, LOST, Pool, PooledConnection
from greenroom.adapters.postgres.statement import alone, compose
from greenroom.adapters.postgres.unit import CachedRow, PostgresUnitOfWork, Unseen, look_up
from greenroom.adapters.sql import store
from greenroom.adapters.sql.changes import changed, line_of
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.store import Clash, Job, QueuedJob, told
from greenroom.adapters.sql.writes import Kind
from greenroom.kernel.errors import BackendError, Conflict, GreenroomError

#: Jobs that share one statement at most, and statements under way at once.
MOST_JOBS = 256
LANES = 2
#: So many are worth a statement of their own.
FEWEST_JOBS = 8
#: How often a job is decided anew because somebody else was faster.
MOST_ROUNDS = 50
#: Streams whose rows are remembered.
MOST_CACHED = 50_000
#: Numbers for new streams, fetched at once.
NUMBERS = 64

#: What one job's own values can raise; anything else is the server's trouble, and everybody's.
MISFITS = (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError, *store.MISFITS)


#: A job with the unit it wants written.
Decided: TypeAlias = tuple[QueuedJob, PostgresUnitOfWork]
Projections: TypeAlias = Mapping[str, Projection]


class PostgresWriter:
    """Writes jobs, many to a statement, in the order they came for any one stream."""

    def __init__(self, pool: Pool, secret: bytes, projections: Projections, ring: Callable[[], None]) -> None:
        self._pool = pool
        self._secret = secret
        self._projections = projections
        self._ring = ring
        self._queue: deque[QueuedJob] = deque()
        self._busy: set[str] = set()
        self._lanes: set[asyncio.Task[None]] = set()
        self._pumping = False
        self._closed = False
        self._cache: OrderedDict[str, CachedRow] = OrderedDict()
        self._numbers: list[int] = []
        #: Statements sent so far that wrote something.
        self.commits = 0

    # callers

    async def write(self, job: Job) -> Any:
        """Write a job and wait until it is committed."""
        if self._closed:
            raise BackendError(f"{self._pool.name}: the house is closed")
        loop = asyncio.get_running_loop()
        waiting = QueuedJob(loop.create_future(), job)
        self._queue.append(waiting)
        if not self._pumping:
            self._pumping = True
            # Not at once: whoever else is about to write in this round of the loop shares the statement.
            loop.call_soon(self._pump)
        return await waiting.future

    async def close(self) -> None:
        """Write what is waiting, then stop."""
        self._closed = True
        while self._lanes or self._queue:
            if self._lanes:
                await asyncio.wait(self._lanes)
            else:
                await asyncio.sleep(0)

    def remember(self, cached: Mapping[str, CachedRow]) -> None:
        """Remember rows as they stand, for jobs to be decided on."""
        for name, row in cached.items():
            if row.stream is None:
                self._cache.pop(name, None)
            else:
                self._cache[name] = CachedRow(row.sid, row.stamp, row.stream)
                self._cache.move_to_end(name)
        while len(self._cache) > MOST_CACHED:
            self._cache.popitem(last=False)

    # batches

    def _pump(self) -> None:
        """Begin as many batches as there are lanes for."""
        self._pumping = False
        while self._queue and (free := LANES - len(self._lanes)):
            # Shared among the lanes: while the server writes one half, this process works on the turns of the other.
            batch = self._next_batch(min(MOST_JOBS, max(FEWEST_JOBS, -(-len(self._queue) // free))))
            if not batch:
                return
            lane = asyncio.get_running_loop().create_task(self._run(batch), name="greenroom lane")
            self._lanes.add(lane)
            lane.add_done_callback(self._lane_done)

    def _lane_done(self, lane: asyncio.Task[None]) -> None:
        self._lanes.discard(lane)
        if not self._pumping:
            self._pump()

    def _next_batch(self, most: int) -> list[QueuedJob]:
        """The next jobs, no stream twice and none that is under way; what must wait keeps its place."""
        batch: list[QueuedJob] = []
        kept: deque[QueuedJob] = deque()
        taken = set(self._busy)
        while self._queue and len(batch) < most:
            waiting = self._queue.popleft()
            names = waiting.job.streams
            if taken.isdisjoint(names):
                batch.append(waiting)
                self._busy.update(names)
            else:
                kept.append(waiting)
            taken.update(names)
        kept.extend(self._queue)
        self._queue = kept
        return batch

    async def _run(self, batch: list[QueuedJob]) -> None:
        try:
            await self._rounds(batch)
        except BaseException as error:  # noqa: BLE001  whoever waits must hear of it, whatever it was
            for waiting in batch:
                waiting.fail(told(error, self._pool.name))
        finally:
            for waiting in batch:
                self._busy.difference_update(waiting.job.streams)

    async def _rounds(self, batch: list[QueuedJob]) -> None:
        left = await self._round(batch, self._cache, sure=False)
        for _ in range(MOST_ROUNDS):
            if not left:
                return
            left = await self._round(left, await self._look(left), sure=True)
        for waiting in left:
            waiting.fail(Conflict(f"stream {waiting.job.streams[0]} is written by too many at once; try again"))

    async def _look(self, batch: Sequence[QueuedJob]) -> Mapping[str, CachedRow]:
        if len(self._numbers) < len(batch):
            await self._fetch_numbers(len(batch))
        names = [name for waiting in batch for name in waiting.job.streams]
        keys = {name: key for waiting in batch for name, key in waiting.job.keys.items()}
        cached = await look_up(self._pool, self._secret, names, keys)
        self.remember(cached)
        return cached

    async def _fetch_numbers(self, count: int) -> None:
        """New streams are numbered here, so that all rows of a birth go down with it; gaps do no harm."""
        found = await self._pool.all(
            "SELECT nextval(pg_get_serial_sequence('streams', 'sid')) FROM generate_series(1, $1)", max(count, NUMBERS)
        )
        self._numbers.extend(row[0] for row in found)

    def _new_number(self) -> int:
        if not self._numbers:
            raise Unseen
        return self._numbers.pop()

    # one round

    async def _round(
        self, batch: Sequence[QueuedJob], cached: Mapping[str, CachedRow], *, sure: bool
    ) -> list[QueuedJob]:
        """Decide for all, write for all; returns the jobs that must be decided again."""
        left: list[QueuedJob] = []
        decided: list[Decided] = []
        for waiting in batch:
            unit = PostgresUnitOfWork(cached, self._new_number)
            try:
                waiting.result = waiting.job.decide(unit)
            except Unseen:
                left.append(waiting)
            except GreenroomError as refusal:
                if sure:
                    waiting.fail(refusal)
                else:
                    left.append(waiting)
            else:
                if unit.writes:
                    decided.append((waiting, unit))
                elif sure:
                    waiting.tell()
                else:
                    left.append(waiting)
        return left + await self._send_all(decided)

    async def _send_all(self, decided: Sequence[Decided]) -> list[QueuedJob]:
        if not decided:
            return []
        try:
            return await self._send(decided)
        except MISFITS:
            if len(decided) == 1:
                return await self._in_order(decided[0])
        left = []
        for job in decided:  # one of them does not fit: find it, and let the others pass
            left += await self._send_all([job])
        return left

    async def _send(self, decided: Sequence[Decided]) -> list[QueuedJob]:
        units = [unit for _, unit in decided]
        lines = _lines(units, self._projections)
        try:
            async with self._pool.one_connection() as connection:
                through = await _through(connection, units, lines)
        except BackendError as error:
            return self._lost(decided, error)
        return self._tell(decided, through)

    def _tell(self, decided: Sequence[Decided], through: Mapping[int, int]) -> list[QueuedJob]:
        left = []
        for number, (waiting, unit) in enumerate(decided):
            stamp = through.get(number)
            if stamp is None:
                left.append(waiting)
            else:
                self.remember(unit.cached_after(stamp))
                waiting.tell()
        if through:
            self.commits += 1
            self._ring()
        return left

    def _lost(self, decided: Sequence[Decided], error: BackendError) -> list[QueuedJob]:
        """The connection was cut, or two rounds stood in each other's way: look what came of it, once.

        What was committed all the same is found so: the key is used, or the lease is gone.
        """
        cause = error.__cause__
        if isinstance(cause, MISFITS):
            raise cause
        again = isinstance(cause, CROSSED) or (isinstance(cause, LOST) and not isinstance(cause, TimeoutError))
        if isinstance(cause, LOST):
            # Another server may answer next, one that never had the last commits and gives their numbers anew.
            self._cache.clear()
        left = []
        for waiting, _ in decided:
            waiting.lost += not isinstance(cause, CROSSED)
            if again and waiting.lost <= 1:
                left.append(waiting)
            else:
                waiting.fail(error)
        return left

    # a job whose rows do not fit

    async def _in_order(self, job: Decided) -> list[QueuedJob]:
        """Write one job by itself, its row changes one after another: within a turn a value may move between rows."""
        try:
            async with self._pool.transaction() as connection:
                stamp = await write_alone(connection, job[1], self._projections)
        except MISFITS as clash:
            return await self._instead(job, clash)
        except BackendError as error:
            if isinstance(error.__cause__, MISFITS):
                return await self._instead(job, error.__cause__)
            return self._lost([job], error)
        return self._tell([job], {} if stamp is None else {0: stamp})

    async def _instead(self, decided: Decided, error: BaseException) -> list[QueuedJob]:
        clash, (waiting, _) = clash_of(error), decided
        job = waiting.job
        other = None if job.instead is None else job.instead(clash)
        if other is None:
            waiting.fail(BackendError(f"{self._pool.name}: {clash.reason}"))
            return []
        waiting.job = other
        return [waiting]


def _lines(units: Sequence[PostgresUnitOfWork], projections: Projections | None) -> dict[Kind, list[Sequence[Any]]]:
    """What a round writes, by kind, each line with its unit's number; without tables, not what changes them."""
    lines: dict[Kind, list[Sequence[Any]]] = {}
    for number, unit in enumerate(units):
        tables = () if projections is None else changed(projections, unit.changes)
        for kind, own in chain(unit.written().items(), tables):
            lines.setdefault(kind, []).extend([(number, *line) for line in own])
    return lines


async def _through(
    connection: PooledConnection, units: Sequence[PostgresUnitOfWork], lines: Mapping[Kind, Sequence[Sequence[Any]]]
) -> dict[int, int]:
    """Send a round; the numbers of the units that went through, with the transaction's own."""
    seen = [(number, *row) for number, unit in enumerate(units) for row in unit.seen()]
    counts = {number: len(unit.born) for number, unit in enumerate(units)}
    for number, *_ in seen:
        counts[number] += 1
    statement, values = compose(list(counts.items()), seen, lines)
    return dict(await connection.raw.fetch(statement, *values, timeout=ANSWER_SECONDS))


async def write_alone(connection: PooledConnection, unit: PostgresUnitOfWork, projections: Projections) -> int | None:
    """Write one unit by itself, its changes of world tables one after another; the transaction's number if it went."""
    stamp = (await _through(connection, [unit], _lines([unit], None))).get(0)
    for placed in unit.changes if stamp is not None else ():
        statement, row = alone(*line_of(projections, placed))
        await connection.run(statement, *row)
    return stamp


def clash_of(error: BaseException) -> Clash:
    """What may be told of it: a constraint by its name, anything else without the value."""
    if isinstance(error, asyncpg.IntegrityConstraintViolationError):
        return Clash(str(error.args[0]), error.constraint_name)
    return Clash(f"a value cannot be stored ({type(error).__name__})", None)
