"""Writing a batch of jobs inside one transaction: decide for all, then write for all, and harm no neighbour."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from greenroom.adapters.sql.store import Clash, Job
from greenroom.adapters.sqlite.unit import RowCache, SqliteUnitOfWork
from greenroom.kernel.errors import BackendError, GreenroomError

_UNIQUE = "UNIQUE constraint failed: "
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


@dataclass(slots=True, eq=False)
class QueuedJob:
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


MakeUnit: TypeAlias = Callable[[sqlite3.Connection, RowCache], SqliteUnitOfWork]


class Filler:
    """Fills transactions on one connection."""

    def __init__(self, path: Path, connection: sqlite3.Connection, make_unit: MakeUnit) -> None:
        self._path = path
        self._connection = connection
        self._make_unit = make_unit
        #: To be forgotten whenever a transaction does not end in a commit.
        self.cached = RowCache(connection)

    def fill(self, batch: Sequence[QueuedJob]) -> None:
        """Put a whole batch into the transaction that is open."""
        self.cached.refresh()
        try:
            for names, group in _rounds(batch):
                self._write_round(names, group)
        except MISFITS:
            self._connection.execute("ROLLBACK")
            self._connection.execute("BEGIN IMMEDIATE")
            self._one_by_one(batch)
            self.cached.clear()

    def _write_round(self, names: Iterable[str], group: Sequence[QueuedJob]) -> None:
        """Decide for all, then write for all; ``names`` are the streams that they touch."""
        unit = self._make_unit(self._connection, self.cached)
        unit.look_up(names, [key for waiting in group if not waiting.job.fresh for key in waiting.job.keys.items()])
        for waiting in group:
            waiting.error = None
            try:
                waiting.result = waiting.job.decide(unit)
            except GreenroomError as refusal:
                unit.tear_off()
                waiting.error = refusal
            else:
                unit.keep()
        unit.flush()

    def _one_by_one(self, batch: Sequence[QueuedJob]) -> None:
        """A neighbour's rows broke a constraint, or cannot be written at all: find it, and let the others pass."""
        for waiting in batch:
            self._connection.execute("SAVEPOINT job")
            self.cached.clear()
            try:
                self._write_round(waiting.job.streams, [waiting])
            except MISFITS as clash:
                self._connection.execute("ROLLBACK TO job")
                self._write_instead(waiting, clash)
            self._connection.execute("RELEASE job")

    def _write_instead(self, waiting: QueuedJob, clash: Exception) -> None:
        job = waiting.job
        other = None if job.instead is None else job.instead(clash_of(clash))
        if other is not None:
            waiting.job = other
            self.cached.clear()
            try:
                self._write_round(other.streams, [waiting])
            except MISFITS as again:
                self._connection.execute("ROLLBACK TO job")
                clash = again
            else:
                return
        waiting.error = BackendError(f"{self._path}: {clash_of(clash).reason}")
        waiting.error.__cause__ = clash


def clash_of(error: BaseException) -> Clash:
    """What may be told of it: a constraint by its name, anything else without the value."""
    if not isinstance(error, sqlite3.IntegrityError):
        return Clash(f"a value cannot be stored ({type(error).__name__})", None)
    reason = str(error)
    return Clash(reason, reason.removeprefix(_UNIQUE))


def _rounds(batch: Sequence[QueuedJob]) -> list[tuple[set[str], list[QueuedJob]]]:
    """Split a batch so that no round touches a stream twice; order per stream is kept. Each with its streams."""
    rounds: list[tuple[set[str], list[QueuedJob]]] = []
    seen: set[str] = set()
    group: list[QueuedJob] = []
    alone = True
    for waiting in batch:
        names = waiting.job.streams
        if alone or waiting.job.alone or not seen.isdisjoint(names):
            seen, group = set(), []
            rounds.append((seen, group))
        seen.update(names)
        group.append(waiting)
        alone = waiting.job.alone
    return rounds
