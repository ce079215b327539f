"""The one writer of a process: gathers what is waiting and commits it together.

Many turns share one commit, so that durability is not bought with speed. Statements run on the loop's
own thread, where they cost microseconds and no other thread wants the interpreter; what may take
milliseconds (waiting for the pen, the commit with its sync) runs on a thread of its own. Between
processes a file lock hands the pen around; SQLite's own busy handler starves whoever is unlucky.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from greenroom.adapters.sqlite.connection import connect, our_errors, ours
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.kernel.errors import BackendError, GreenroomError

T = TypeVar("T")

#: Jobs that share one commit at most.
MOST_JOBS = 256

#: What one job's own values can raise; anything else is the storage's trouble, and everybody's.
MISFITS = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    LookupError,
    OverflowError,
    TypeError,
    ValueError,
)


class Job(Protocol):
    """Something to be written. It decides everything before it writes anything."""

    @property
    def streams(self) -> Sequence[str]:
        """Names of the streams it touches; empty for a job that must run by itself."""

    @property
    def keys(self) -> Sequence[tuple[str, str]]:
        """Idempotency keys it asks about, each with its stream."""

    @property
    def heavy(self) -> bool:
        """Whether it may take long enough to be run off the loop's thread."""

    def decide(self, sheet: Sheet) -> Any:
        """Check, put what is to be written on the sheet, and return the result."""

    def instead(self, clash: str) -> Job | None:
        """What to write when a table does not take the rows; None to write nothing."""


@dataclass(slots=True, eq=False)
class Waiting:
    job: Job
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None

    def tell(self) -> None:
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class Writer:
    """Writes jobs, many to a commit, in the order they came for any one stream."""

    def __init__(self, path: Path, make_sheet: Callable[[sqlite3.Connection], Sheet]) -> None:
        self._path = path
        self._make_sheet = make_sheet
        self._queue: deque[Waiting] = deque()
        self._task: asyncio.Task[None] | None = None
        self._pen = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="greenroom writer")
        self._lock_file = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o644)
        self._connection = connect(path, writes=True)
        self._closed = False
        #: Commits so far.
        self.commits = 0

    # callers

    async def write(self, job: Job) -> Any:
        """Write a job and wait until it is on the disk."""
        if self._closed:
            raise BackendError(f"{self._path}: the house is closed")
        waiting = Waiting(job, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="greenroom writer")
        return await waiting.future

    async def alone(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """Run something that no transaction may hold, with the pen in hand and nobody else writing."""
        async with self._pen:
            return await self._on_thread(self._alone, act)

    def _alone(self, act: Callable[[sqlite3.Connection], T]) -> T:
        self._take_pen()
        try:
            with our_errors(self._path):
                return act(self._connection)
        finally:
            self._lay_down_pen()

    async def close(self) -> None:
        """Write what is waiting, then stop."""
        self._closed = True
        if self._task is not None:
            await self._task
        self._thread.shutdown(wait=True)
        self._connection.close()
        os.close(self._lock_file)

    # writing

    async def _run(self) -> None:
        batch: list[Waiting] = []
        try:
            while self._queue:
                async with self._pen:
                    batch = [self._queue.popleft() for _ in range(min(len(self._queue), MOST_JOBS))]
                    await self._write_batch(batch)
                for waiting in batch:
                    waiting.tell()
        except BaseException as death:
            # Whoever waits must hear of it, whatever it was.
            for waiting in (*batch, *self._queue):
                waiting.error = BackendError(f"{self._path}: the writer failed: {death!r}")
                waiting.tell()
            self._queue.clear()
            self._undo()
            raise
        finally:
            self._task = None

    async def _write_batch(self, batch: list[Waiting]) -> None:
        try:
            if not self._begin_at_once():
                await self._on_thread(self._begin)
            if any(waiting.job.heavy for waiting in batch):
                await self._on_thread(self._fill, batch)
            else:
                self._fill(batch)
            await self._on_thread(self._connection.execute, "COMMIT")
            self.commits += 1
        except sqlite3.Error as error:
            self._undo()
            for waiting in batch:
                waiting.error = ours(error, self._path)
        finally:
            self._lay_down_pen()

    async def _on_thread(self, act: Callable[..., T], *args: Any) -> T:
        """Finish what was begun even if the waiting task is cancelled: the file must not be left half-way."""
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, act, *args))

    def _begin_at_once(self) -> bool:
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        self._connection.execute("BEGIN IMMEDIATE")
        return True

    def _begin(self) -> None:
        self._take_pen()
        self._connection.execute("BEGIN IMMEDIATE")

    def _take_pen(self) -> None:
        fcntl.flock(self._lock_file, fcntl.LOCK_EX)

    def _lay_down_pen(self) -> None:
        fcntl.flock(self._lock_file, fcntl.LOCK_UN)

    def _fill(self, batch: list[Waiting]) -> None:
        try:
            for group in _rounds(batch):
                self._write_round(group)
        except MISFITS:
            self._connection.execute("ROLLBACK")
            self._connection.execute("BEGIN IMMEDIATE")
            self._one_by_one(batch)

    def _write_round(self, group: Sequence[Waiting]) -> None:
        """Decide for all, then write for all."""
        sheet = self._make_sheet(self._connection)
        sheet.look_up(
            [name for waiting in group for name in waiting.job.streams],
            [key for waiting in group for key in waiting.job.keys],
        )
        for waiting in group:
            waiting.error = None
            try:
                waiting.result = waiting.job.decide(sheet)
            except GreenroomError as refusal:
                sheet.tear_off()
                waiting.error = refusal
            else:
                sheet.keep()
        sheet.flush()

    def _one_by_one(self, batch: Sequence[Waiting]) -> None:
        """A neighbour's rows broke a constraint, or cannot be written at all: find it, and let the others pass."""
        for waiting in batch:
            self._connection.execute("SAVEPOINT job")
            try:
                self._write_round([waiting])
            except MISFITS as clash:
                self._connection.execute("ROLLBACK TO job")
                self._write_instead(waiting, _reason(clash))
            self._connection.execute("RELEASE job")

    def _write_instead(self, waiting: Waiting, clash: str) -> None:
        other = waiting.job.instead(clash)
        if other is not None:
            waiting.job = other
            try:
                self._write_round([waiting])
            except MISFITS as again:
                self._connection.execute("ROLLBACK TO job")
                clash = _reason(again)
            else:
                return
        waiting.error = BackendError(f"{self._path}: {clash}")

    def _undo(self) -> None:
        if self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except sqlite3.Error:
                self._connection.close()
                self._connection = connect(self._path, writes=True)


def _reason(clash: Exception) -> str:
    """What may be told of it: a constraint by its name, anything else without the value."""
    return str(clash) if isinstance(clash, sqlite3.IntegrityError) else f"a value cannot be stored ({type(clash).__name__})"


def _rounds(batch: Sequence[Waiting]) -> list[list[Waiting]]:
    """Split a batch so that no round touches a stream twice; order per stream is kept."""
    rounds: list[list[Waiting]] = []
    seen: set[str] = set()
    for waiting in batch:
        names = waiting.job.streams
        if not names:
            rounds.append([waiting])
            seen = set()
            rounds.append([])
            continue
        if not rounds or any(name in seen for name in names):
            rounds.append([])
            seen = set()
        seen.update(names)
        rounds[-1].append(waiting)
    return [group for group in rounds if group]
