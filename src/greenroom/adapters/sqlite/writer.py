"""The one writer of a process: gathers what is waiting and commits it together.

Many turns share one commit, so that durability is not bought with speed. Statements run on the loop's
own thread, where they cost microseconds and no other thread wants the interpreter; what may take
milliseconds (waiting for the write lock, a slow commit) runs on a thread of its own. Between processes a file
lock hands the right to write around; SQLite's own busy handler starves whoever is unlucky.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.store import Job, QueuedJob, Waiting, told
from greenroom.adapters.sqlite import connection as connections
from greenroom.adapters.sqlite.connection import connect, ours
from greenroom.adapters.sqlite.file import LOCK_SECONDS, busy, stamp, take
from greenroom.adapters.sqlite.filling import Filler
from greenroom.adapters.sqlite.witness import Anchor, forget_sums
from greenroom.kernel.errors import BackendError, GreenroomError

#: Jobs that share one commit at most.
MOST_JOBS = 256
#: So many are worth a commit of their own.
FEWEST_JOBS = 12
#: With nobody else about, the loop may wait for commits that take less than this on average: handing one to a thread
#: and back takes a third of it, and more where cores are few.
QUICK_SECONDS = 0.001


W = TypeVar("W", bound=Waiting)


@dataclass(slots=True, eq=False)
class Errand(Waiting):
    """Something that no transaction may hold: it gets the connection, with the write lock held."""

    act: Callable[[sqlite3.Connection], object]


class SqliteWriter:
    """Writes jobs, many to a commit, in the order they came for any one stream."""

    def __init__(self, path: Path, projections: Mapping[str, Projection], secret: bytes) -> None:
        self._path = path
        self._projections = projections
        self._secret = secret
        self._queue: deque[QueuedJob] = deque()
        self._errands: deque[Errand] = deque()
        self._writing = False
        self._closed = False
        self._at_rest: asyncio.Event | None = None
        self._quick = 1.0
        self._told = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="greenroom writer")
        self._lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        self._write_queue = os.open(f"{path}.door", os.O_RDWR | os.O_CREAT, 0o600)
        self._open()
        self._untouched = True
        #: How far the house has come, beside the file.
        self.anchor = Anchor(path, self._connection)
        #: Commits so far.
        self.commits = 0

    def _open(self) -> None:
        self._connection = connect(self._path, writes=True)
        self._patience(0)
        self._broken = False
        self._filler = Filler(self._path, self._connection, self._projections, self._secret)

    def _patience(self, milliseconds: int) -> None:
        """How long SQLite waits for a program that does not know our lock file: on the loop not at all."""
        self._connection.execute(f"PRAGMA busy_timeout = {milliseconds}")

    # callers

    def write(self, job: Job) -> asyncio.Future[Any]:
        """Write a job; whoever awaits the result has it when it is on the disk."""
        loop = self._loop()
        return self._wait(loop, self._queue, QueuedJob(loop.create_future(), job))

    async def alone(self, act: Callable[[sqlite3.Connection], object]) -> None:
        """Run something that no transaction may hold, with the write lock held and nobody else writing."""
        loop = self._loop()
        await self._wait(loop, self._errands, Errand(loop.create_future(), act))

    def _wait(self, loop: asyncio.AbstractEventLoop, queue: deque[W], waiting: W) -> asyncio.Future[Any]:
        queue.append(waiting)
        if not self._writing:
            self._writing = True
            # Not at once: whoever else is about to write in this round of the loop shares the commit.
            loop.call_soon(self._next, loop)
        return waiting.future

    def _loop(self) -> asyncio.AbstractEventLoop:
        if self._closed:
            raise BackendError(f"{self._path}: the house is closed")
        return asyncio.get_running_loop()

    async def close(self) -> None:
        """Write what is waiting, then stop."""
        self._closed = True
        if self._writing:
            self._at_rest = asyncio.Event()
            await self._at_rest.wait()
        self._thread.shutdown(wait=True)
        if self.commits and not self._broken:
            self.anchor.cast(self._connection, now=True)
        self._connection.close()
        os.close(self._lock)
        os.close(self._write_queue)

    # one batch after another, on the loop

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin the next batch, or rest."""
        if self._errands:
            self._thread.submit(self._work, loop, [self._errands.popleft()], self._errand)
            return
        if not self._queue:
            self._rest_now()
            return
        batch = [self._queue.popleft() for _ in range(self._share())]
        lone = self._told == len(batch) == 1
        try:
            self._begin_batch(loop, batch, lone=lone)
        except BaseException as error:
            self._end(loop, batch, error)
            if not isinstance(error, sqlite3.Error):
                raise

    def _share(self) -> int:
        """How many jobs the next commit takes: half the crowd, so that one half thinks while the other is written."""
        waiting = len(self._queue)
        half = (waiting + self._told + 1) // 2
        return min(waiting, MOST_JOBS, max(half, FEWEST_JOBS))

    def _begin_batch(self, loop: asyncio.AbstractEventLoop, batch: list[QueuedJob], *, lone: bool) -> None:
        if self._broken or not self._take_lock(wait=False) or not self._begin():
            self._release_lock()  # or whoever stands in the queue would wait for us, and we for the queue
            self._thread.submit(self._work, loop, batch, self._whole)
            return
        if any(waiting.job.heavy for waiting in batch):
            self._thread.submit(self._work, loop, batch, self._rest)
            return
        self._filler.fill(batch)
        if lone and self._quick < QUICK_SECONDS:
            self._commit(batch)
            self._end(loop, batch, None)
        else:
            self._thread.submit(self._work, loop, batch, self._commit)

    def _begin(self) -> bool:
        """Begin a transaction if nobody else is in one."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                return False
            raise
        return True

    def _end(self, loop: asyncio.AbstractEventLoop, batch: Sequence[Waiting], error: BaseException | None) -> None:
        """Release the write lock, tell everybody, and go on."""
        self._finish(error)
        self._told = len(batch) or self._told
        try:
            # Before anybody is told: the next half is written while this one thinks.
            if self._queue or self._errands:
                self._next(loop)
            else:
                self._rest_now()
        finally:
            for waiting in batch:
                if error is not None:
                    waiting.error = _told(error, self._path)
                waiting.tell()

    def _rest_now(self) -> None:
        self._writing = False
        if self._at_rest is not None:
            self._at_rest.set()

    # on the thread

    def _work(self, loop: asyncio.AbstractEventLoop, batch: list[W], act: Callable[[list[W]], None]) -> None:
        error: BaseException | None = None
        try:
            act(batch)
        except BaseException as death:  # noqa: BLE001  whoever waits must hear of it, whatever it was
            error = death
        # Here, not on the loop: the loop itself may be waiting for the write lock, to open another house on this file.
        self._finish(error)
        _call(loop, self._end, loop, batch, error)

    def _whole(self, batch: list[QueuedJob]) -> None:
        while not self._take_lock(wait=True):
            if self._closed or not self._refuse_impatient(batch):
                raise busy(self._path)
        with self._patient():
            self._connection.execute("BEGIN IMMEDIATE")
        # Whoever came while we waited comes along: what overlaps with this commit is another process's thinking.
        while self._queue and len(batch) < MOST_JOBS:
            batch.append(self._queue.popleft())
        self._rest(batch)

    @contextmanager
    def _patient(self) -> Iterator[None]:
        """With the time to wait for a program that does not know our lock file, on a connection that works."""
        if self._broken:
            self._open()
        self._patience(connections.BUSY_MILLISECONDS)
        try:
            yield
        finally:
            self._patience(0)

    def _refuse_impatient(self, batch: list[QueuedJob]) -> bool:
        """Tell those who can do without that nothing was written; whether anybody is left who cannot."""
        while self._queue:
            batch.append(self._queue.popleft())
        refused = [waiting for waiting in batch if not waiting.job.patient]
        batch[:] = [waiting for waiting in batch if waiting.job.patient]
        for waiting in refused if batch else ():
            waiting.error = busy(self._path)
            _call(waiting.future.get_loop(), waiting.tell)
        if not batch:
            batch.extend(refused)
        return bool(batch and batch[0].job.patient)

    def _rest(self, batch: list[QueuedJob]) -> None:
        self._filler.fill(batch)
        self._commit(batch)

    def _commit(self, batch: list[QueuedJob]) -> None:
        began = time.perf_counter()
        if self._untouched:
            self._touch()
        self._connection.execute("COMMIT")
        self.commits += 1
        self.anchor.cast(self._connection, now=any(waiting.job.heavy for waiting in batch))
        if len(batch) == 1:
            self._quick += (time.perf_counter() - began - self._quick) / 8

    def _touch(self) -> None:
        """The file is about to change: what was summed when it was closed does not hold any more."""
        forget_sums(self._path)
        self._untouched = False

    def _errand(self, batch: list[Errand]) -> None:
        if not self._take_lock(wait=True):
            raise busy(self._path)
        with self._patient():
            self._touch()
            self._filler.cached.clear()
            batch[0].act(self._connection)
            self.anchor.cast(self._connection, now=True)

    # the write lock

    def _take_lock(self, *, wait: bool) -> bool:
        """Take the write lock, in turn: whoever waits stands in the queue, a second lock, and nobody passes.

        Without it, a busy process takes the lock again before the one that waits has woken. Whether it was to be had.
        """
        seconds = LOCK_SECONDS if wait else 0
        if not take(self._write_queue, seconds, lock=self._lock):
            return False
        try:
            if not take(self._lock, seconds, lock=self._lock):
                return False
            stamp(self._lock)
            return True
        finally:
            fcntl.flock(self._write_queue, fcntl.LOCK_UN)

    def _release_lock(self) -> None:
        fcntl.flock(self._lock, fcntl.LOCK_UN)

    def _finish(self, error: BaseException | None) -> None:
        """Leave nothing half done, and release the write lock; twice does no harm."""
        if error is not None:
            self._filler.cached.clear()
        if error is not None and not self._broken:
            try:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            except sqlite3.Error:
                # Closing it rolls back too; whoever writes next opens another.
                self._broken = True
                self._connection.close()
        self._release_lock()


def _told(error: BaseException, path: Path) -> GreenroomError:
    return ours(error, path) if isinstance(error, sqlite3.Error) else told(error, str(path))


def _call(loop: asyncio.AbstractEventLoop, act: Callable[..., None], *args: Any) -> None:
    """Go back to the loop; one that is closed has nobody waiting any more."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(act, *args)
