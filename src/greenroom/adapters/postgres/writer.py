"""The writer of a process: gathers what is waiting and sends it as one statement, many turns to a commit.

A job is first decided on what this process knows of its streams, which costs one round trip if it is right. If it is
not, or the job refuses, its streams are looked up and it is decided again: only what was looked up is believed.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import asyncpg

from greenroom.adapters.postgres.connection import ANSWER_SECONDS, CROSSED, LOST, Link, Links
from greenroom.adapters.postgres.lookup import look_up
from greenroom.adapters.postgres.page import Page, Sight, Unseen
from greenroom.adapters.postgres.projecting import Projector
from greenroom.adapters.postgres.statement import Kind, compose
from greenroom.adapters.sql.rows import Row
from greenroom.kernel.errors import BackendError, Conflict, GreenroomError

#: Jobs that share one statement at most, and statements under way at once.
MOST_JOBS = 256
LANES = 2
#: So many are worth a statement of their own.
FEWEST_JOBS = 8
#: How often a job is decided anew because somebody else was faster.
MOST_ROUNDS = 50
#: Streams whose rows are remembered.
MOST_KNOWN = 50_000
#: Numbers for new streams, fetched at once.
NUMBERS = 64

#: What one job's own values can raise; anything else is the server's trouble, and everybody's.
MISFITS = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.DataError,
    LookupError,
    OverflowError,
    TypeError,
    ValueError,
)


class Job(Protocol):
    """Something to be written. It decides everything before it writes anything, and may be asked to decide again."""

    @property
    def streams(self) -> Sequence[str]:
        """Names of the streams it touches."""

    @property
    def keys(self) -> Mapping[str, str]:
        """The idempotency key it asks about, by stream."""

    def decide(self, page: Page) -> Any:
        """Check, put what is to be written on the page, and return the result."""

    def instead(self, clash: str, constraint: str | None) -> Job | None:
        """What to write when a table does not take the rows; None to write nothing."""


@dataclass(slots=True, eq=False)
class Waiting:
    job: Job
    future: asyncio.Future[Any]
    #: How often the connection was lost under it.
    lost: int = 0

    def tell(self, result: Any) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: BaseException) -> None:
        if not self.future.done():
            self.future.set_exception(error)


@dataclass(frozen=True, slots=True)
class Decided:
    """A job with the page it wants written."""

    waiting: Waiting
    page: Page
    result: Any


class Writer:
    """Writes jobs, many to a statement, in the order they came for any one stream."""

    def __init__(self, links: Links, secret: bytes, projector: Projector, ring: Callable[[], None]) -> None:
        self._links = links
        self._secret = secret
        self._projector = projector
        self._ring = ring
        self._queue: deque[Waiting] = deque()
        self._busy: set[str] = set()
        self._lanes: set[asyncio.Task[None]] = set()
        self._pumping = False
        self._closed = False
        self._known: OrderedDict[str, Sight] = OrderedDict()
        self._numbers: list[int] = []
        #: Statements sent so far that wrote something.
        self.commits = 0

    # callers

    async def write(self, job: Job) -> Any:
        """Write a job and wait until it is committed."""
        if self._closed:
            raise BackendError(f"{self._links.name}: the house is closed")
        loop = asyncio.get_running_loop()
        waiting = Waiting(job, loop.create_future())
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

    def know(self, sights: Mapping[str, Sight]) -> None:
        """Remember rows as they stand, for jobs to be decided on."""
        for name, sight in sights.items():
            if sight.stream is None:
                self._known.pop(name, None)
            else:
                self._known[name] = Sight(sight.sid, sight.stamp, sight.stream)
                self._known.move_to_end(name)
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def known(self, name: str) -> Sight | None:
        return self._known.get(name)

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

    def _next_batch(self, most: int) -> list[Waiting]:
        """The next jobs, no stream twice and none that is under way; what must wait keeps its place."""
        batch: list[Waiting] = []
        kept: deque[Waiting] = deque()
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

    async def _run(self, batch: list[Waiting]) -> None:
        try:
            await self._rounds(batch)
        except BaseException as error:  # noqa: BLE001  whoever waits must hear of it, whatever it was
            told = error if isinstance(error, GreenroomError) else self._failed(error)
            for waiting in batch:
                waiting.fail(told)
        finally:
            for waiting in batch:
                self._busy.difference_update(waiting.job.streams)

    def _failed(self, error: BaseException) -> BackendError:
        failed = BackendError(f"{self._links.name}: the writer failed ({type(error).__name__})")
        failed.__cause__ = error  # its text may quote what was to be written
        return failed

    async def _rounds(self, batch: list[Waiting]) -> None:
        left = await self._round(batch, self._known, sure=False)
        for _ in range(MOST_ROUNDS):
            if not left:
                return
            left = await self._round(left, await self._look(left), sure=True)
        for waiting in left:
            waiting.fail(Conflict(f"stream {waiting.job.streams[0]} is written by too many at once; try again"))

    async def _look(self, batch: Sequence[Waiting]) -> Mapping[str, Sight]:
        if len(self._numbers) < len(batch):
            await self._fetch_numbers(len(batch))
        names = [name for waiting in batch for name in waiting.job.streams]
        keys = {name: key for waiting in batch for name, key in waiting.job.keys.items()}
        sights = await look_up(self._links, self._secret, names, keys)
        self.know(sights)
        return sights

    async def _fetch_numbers(self, count: int) -> None:
        """New streams are numbered here, so that all rows of a birth go down with it; gaps do no harm."""
        found = await self._links.fetch(
            "SELECT nextval(pg_get_serial_sequence('streams', 'sid')) FROM generate_series(1, $1)", max(count, NUMBERS)
        )
        self._numbers.extend(row[0] for row in found)

    def _new_number(self) -> int:
        if not self._numbers:
            raise Unseen
        return self._numbers.pop()

    # one round

    async def _round(self, batch: Sequence[Waiting], sights: Mapping[str, Sight], *, sure: bool) -> list[Waiting]:
        """Decide for all, write for all; returns the jobs that must be decided again."""
        left: list[Waiting] = []
        decided: list[Decided] = []
        for waiting in batch:
            page = Page(sights, self._new_number)
            try:
                result = waiting.job.decide(page)
            except Unseen:
                left.append(waiting)
            except GreenroomError as refusal:
                if sure:
                    waiting.fail(refusal)
                else:
                    left.append(waiting)
            else:
                self._sort(Decided(waiting, page, result), decided, left, sure=sure)
        return left + await self._send_all(decided)

    def _sort(self, job: Decided, decided: list[Decided], left: list[Waiting], *, sure: bool) -> None:
        job.page.finish()
        if job.page.writes:
            decided.append(job)
        elif sure:
            job.waiting.tell(job.result)
        else:
            left.append(job.waiting)

    async def _send_all(self, decided: Sequence[Decided]) -> list[Waiting]:
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

    async def _send(self, decided: Sequence[Decided]) -> list[Waiting]:
        lines = self._lines(decided)
        try:
            async with self._links.one() as link:
                through = await _through(link, decided, lines)
        except BackendError as error:
            return self._lost(decided, error)
        return self._tell(decided, through)

    def _lines(self, decided: Sequence[Decided]) -> dict[Kind, list[Row]]:
        lines: dict[Kind, list[Row]] = {}
        for number, job in enumerate(decided):
            for kind, own in job.page.lines.items():
                lines.setdefault(kind, []).extend([(number, *line) for line in own])
            for kind, rows in self._projector.lines(job.page.changes):
                lines.setdefault(kind, []).extend([(number, *row) for row in rows])
        return lines

    def _tell(self, decided: Sequence[Decided], through: Mapping[int, int]) -> list[Waiting]:
        left = []
        for number, job in enumerate(decided):
            stamp = through.get(number)
            if stamp is None:
                left.append(job.waiting)
            else:
                self.know(job.page.known_after(stamp))
                job.waiting.tell(job.result)
        if through:
            self.commits += 1
            self._ring()
        return left

    def _lost(self, decided: Sequence[Decided], error: BackendError) -> list[Waiting]:
        """The connection was cut, or two rounds stood in each other's way: look what came of it, once.

        What was committed all the same is found so: the key is used, or the lease is gone.
        """
        cause = error.__cause__
        if isinstance(cause, MISFITS):
            raise cause
        again = isinstance(cause, CROSSED) or (isinstance(cause, LOST) and not isinstance(cause, TimeoutError))
        if isinstance(cause, LOST):
            # Another server may answer next, one that never had the last commits and gives their numbers anew.
            self._known.clear()
        left = []
        for job in decided:
            job.waiting.lost += not isinstance(cause, CROSSED)
            if again and job.waiting.lost <= 1:
                left.append(job.waiting)
            else:
                job.waiting.fail(error)
        return left

    # a job whose rows do not fit

    async def _in_order(self, job: Decided) -> list[Waiting]:
        """Write one job by itself, its row changes one after another: within a turn a value may move between rows."""
        try:
            async with self._links.transaction() as link:
                plain = {kind: [(0, *line) for line in own] for kind, own in job.page.lines.items()}
                through = await _through(link, [job], plain)
                if through:
                    for change, row in self._projector.one_by_one(job.page.changes):
                        await link.run(change, *row)
        except MISFITS as clash:
            return await self._instead(job, clash)
        except BackendError as error:
            if isinstance(error.__cause__, MISFITS):
                return await self._instead(job, error.__cause__)
            return self._lost([job], error)
        return self._tell([job], through)

    async def _instead(self, job: Decided, clash: BaseException) -> list[Waiting]:
        reason = reason_of(clash)
        other = job.waiting.job.instead(reason, getattr(clash, "constraint_name", None))
        if other is None:
            job.waiting.fail(BackendError(f"{self._links.name}: {reason}"))
            return []
        job.waiting.job = other
        return [job.waiting]


async def _through(link: Link, decided: Sequence[Decided], lines: Mapping[Kind, Sequence[Row]]) -> dict[int, int]:
    """Send a round; the numbers of the jobs that went through, with the transaction's own."""
    seen = [(number, *row) for number, job in enumerate(decided) for row in job.page.seen()]
    counts: dict[int, int] = {number: job.page.births for number, job in enumerate(decided)}
    for number, *_ in seen:
        counts[number] += 1
    statement, values = compose(list(counts.items()), seen, lines)
    return dict(await link.raw.fetch(statement, *values, timeout=ANSWER_SECONDS))


def reason_of(clash: BaseException) -> str:
    """What may be told of it: a constraint by its name, anything else without the value."""
    if isinstance(clash, asyncpg.IntegrityConstraintViolationError):
        return str(clash.args[0])
    return f"a value cannot be stored ({type(clash).__name__})"
