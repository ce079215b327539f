"""What one job reads of the streams it touches, and what it wants written: nothing is, before it has decided."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from msgspec.structs import replace

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.changes import Placed
from greenroom.adapters.sql.rows import Row
from greenroom.journal.records import Attempt, Recording, Stream
from greenroom.kernel.errors import Forgotten, Unknown
from greenroom.kernel.script import Answer
from greenroom.kernel.tables import Change


class UnitOfWork(ABC):
    """A job's own: where it is refused, it is dropped with all that it wanted written."""

    def __init__(self) -> None:
        #: Streams as they will stand, which of them are new, and the numbers of all that were asked for.
        self.after: dict[str, Stream] = {}
        self.born: set[str] = set()
        self._sids: dict[str, int] = {}
        #: Streams that were read to be written.
        self.used: set[str] = set()
        #: Rows to insert, and values of changes to rows, by kind.
        self.lines: dict[str, list[Row]] = {}
        self.changes: list[Placed] = []
        self._attempts: dict[tuple[int, int], Row] = {}

    # reading

    @abstractmethod
    def row(self, name: str) -> tuple[int, Stream] | None:
        """A stream as it stands, with its number; None where there is none."""

    @abstractmethod
    def removed(self, name: str) -> bool:
        """Whether there was such a stream."""

    @abstractmethod
    def new_sid(self) -> int: ...

    @abstractmethod
    def prior(self, recording: Recording) -> Attempt | None:
        """The attempt that used this key, here or in the shared past."""

    @abstractmethod
    def head(self, name: str, besides: int | None = None) -> Attempt | None:
        """The open attempt whose turn it is."""

    @abstractmethod
    def answers(self, attempt: Attempt) -> tuple[Answer, ...]:
        """What is stored of an open attempt, in order."""

    def stream(self, name: str) -> Stream:
        """A copy of the row: changed freely, stored by ``put_stream``."""
        there = self.after.get(name)
        if there is None:
            row = self.row(name)
            if row is None:
                self.refuse_removed(name)
                raise Unknown(f"there is no stream {name}")
            self.used.add(name)
            self._sids[name], there = row
        return replace(there)

    def found(self, name: str) -> Stream | None:
        """A stream that this unit will not write; None if it was removed.

        Raises:
            Unknown: there never was one.
        """
        row = self.row(name)
        if row is not None:
            return replace(row[1])
        if not self.removed(name):
            raise Unknown(f"there is no stream {name}")
        return None

    def knows(self, name: str) -> bool:
        return name in self.after or self.row(name) is not None

    def refuse_removed(self, name: str) -> None:
        if self.removed(name):
            raise Forgotten(f"stream {name} was removed")

    def sid(self, name: str) -> int:
        if name not in self._sids:
            row = self.row(name)
            assert row is not None
            self._sids[name] = row[0]
        return self._sids[name]

    # writing

    def put(self, kind: str, row: Row) -> None:
        """A row to insert, or the values of a change to one."""
        self.lines.setdefault(kind, []).append(row)

    def put_all(self, kind: str, lines: Iterable[Row]) -> None:
        for row in lines:
            self.put(kind, row)

    def put_stream(self, stream: Stream) -> None:
        name = stream.name
        if name not in self._sids:
            row = self.row(name)
            if row is None:
                self.born.add(name)
            self._sids[name] = self.new_sid() if row is None else row[0]
        self.after[name] = stream

    def book(self, attempt: Attempt) -> None:
        """An attempt that is not stored yet: no row of it has to be looked for."""
        self.put("booked", rows.attempt_row(self.sid(attempt.stream), attempt))

    def put_attempt(self, attempt: Attempt) -> None:
        """An attempt written twice goes down once, as it was last."""
        row = rows.attempt_row(self.sid(attempt.stream), attempt)
        self._attempts[row[0], row[1]] = row

    def change_all(self, stream: Stream, changes: Iterable[tuple[int, Change]]) -> None:
        """Changes of world tables, each with the version that makes it."""
        sid, root = self.sid(stream.name), stream.parent is None
        self.changes += [(sid, root, version, change) for version, change in changes]

    def finish(self) -> None:
        """Put down what was kept back because it could have changed again."""
        if self._attempts:
            self.lines["attempts"] = [*self.lines.get("attempts", ()), *self._attempts.values()]
            self._attempts = {}
