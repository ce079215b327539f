"""Writing a batch of jobs inside one transaction: decide for all, then write for all, and harm no neighbour."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from greenroom.adapters.sqlite.known import Known
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.kernel.errors import BackendError, GreenroomError

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

    @property
    def patient(self) -> bool:
        """Whether it waits for the pen however long that takes: what was paid for is not thrown away."""

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


MakeSheet: TypeAlias = Callable[[sqlite3.Connection, Known], Sheet]


class Filler:
    """Fills transactions on one connection."""

    def __init__(self, path: Path, connection: sqlite3.Connection, make_sheet: MakeSheet) -> None:
        self._path = path
        self._connection = connection
        self._make_sheet = make_sheet
        #: Dropped by the writer when a transaction does not end in a commit.
        self.known = Known(connection)

    def fill(self, batch: Sequence[Waiting]) -> None:
        """Put a whole batch into the transaction that is open."""
        self.known.refresh()
        try:
            for names, group in _rounds(batch):
                self._write_round(names, group)
        except MISFITS:
            self._connection.execute("ROLLBACK")
            self._connection.execute("BEGIN IMMEDIATE")
            self.known.drop()
            self._one_by_one(batch)
            self.known.drop()
        if any(waiting.job.heavy for waiting in batch):
            self.known.drop()  # those remove and rebuild by statements of their own

    def _write_round(self, names: Iterable[str], group: Sequence[Waiting]) -> None:
        """Decide for all, then write for all; ``names`` are the streams that they touch."""
        sheet = self._make_sheet(self._connection, self.known)
        sheet.look_up(names, [key for waiting in group for key in waiting.job.keys])
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
                self._write_round(waiting.job.streams, [waiting])
            except MISFITS as clash:
                self._connection.execute("ROLLBACK TO job")
                self.known.drop()
                self._write_instead(waiting, _reason(clash))
            self._connection.execute("RELEASE job")

    def _write_instead(self, waiting: Waiting, clash: str) -> None:
        other = waiting.job.instead(clash)
        if other is not None:
            waiting.job = other
            try:
                self._write_round(other.streams, [waiting])
            except MISFITS as again:
                self._connection.execute("ROLLBACK TO job")
                self.known.drop()
                clash = _reason(again)
            else:
                return
        waiting.error = BackendError(f"{self._path}: {clash}")


def _reason(clash: Exception) -> str:
    """What may be told of it: a constraint by its name, anything else without the value."""
    return (
        str(clash)
        if isinstance(clash, sqlite3.IntegrityError)
        else f"a value cannot be stored ({type(clash).__name__})"
    )


def _rounds(batch: Sequence[Waiting]) -> list[tuple[set[str], list[Waiting]]]:
    """Split a batch so that no round touches a stream twice; order per stream is kept. Each with its streams."""
    rounds: list[tuple[set[str], list[Waiting]]] = []
    seen: set[str] = set()
    group: list[Waiting] = []
    alone = True
    for waiting in batch:
        names = waiting.job.streams
        if alone or not names or not seen.isdisjoint(names):
            seen, group = set(), []
            rounds.append((seen, group))
        seen.update(names)
        group.append(waiting)
        alone = not names
    return rounds
