"""Writing a batch of jobs inside one transaction: decide for all, then write for all, and harm no neighbour."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.store import QueuedJob
from greenroom.adapters.sqlite.dialect import MISFITS, clash_of
from greenroom.adapters.sqlite.unit import Round, RowCache, SqliteUnitOfWork
from greenroom.kernel.errors import BackendError, GreenroomError


class Filler:
    """Fills transactions on one connection."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, projections: Mapping[str, Projection], secret: bytes
    ) -> None:
        self._path = path
        self._connection = connection
        self._projections = projections
        self._secret = secret
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
        found = Round(self._connection, self.cached, self._projections, self._secret)
        found.look_up(names, [key for waiting in group if not waiting.job.fresh for key in waiting.job.keys.items()])
        units: list[SqliteUnitOfWork] = []
        for waiting in group:
            waiting.error, unit = None, SqliteUnitOfWork(found)
            try:
                waiting.result = waiting.job.decide(unit)
            except GreenroomError as refusal:
                unit.tear_off()
                waiting.error = refusal
            else:
                unit.keep()
                units.append(unit)
        found.write(units)

    def _one_by_one(self, batch: Sequence[QueuedJob]) -> None:
        """A neighbour's rows broke a constraint, or cannot be written at all: find it, and let the others pass."""
        for waiting in batch:
            self._connection.execute("SAVEPOINT job")
            clash = self._write_alone(waiting)
            other = None if clash is None or waiting.job.instead is None else waiting.job.instead(clash_of(clash))
            if other is not None:
                waiting.job = other
                clash = self._write_alone(waiting)
            if clash is not None:
                waiting.error = BackendError(f"{self._path}: {clash_of(clash).reason}")
                waiting.error.__cause__ = clash
            self._connection.execute("RELEASE job")

    def _write_alone(self, waiting: QueuedJob) -> Exception | None:
        """Write one job; if that cannot be, leave nothing of it, and say why."""
        self.cached.clear()
        try:
            self._write_round(waiting.job.streams, [waiting])
        except MISFITS as clash:
            self._connection.execute("ROLLBACK TO job")
            return clash
        return None


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
