"""What the ports need of an open database, whichever it is: rows as they stand, and units of work.

Statements are written once, as PostgreSQL takes them; SQLite's dialect says what it calls otherwise. Ports are written
once too, as coroutines: on PostgreSQL they wait for the server; on SQLite nothing they await ever waits, so that a
whole look, or unit of work, runs straight through wherever it is put, on a reader's thread or inside a transaction.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.deciding import Watched
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.unit import UnitOfWork
from greenroom.journal.records import Stream
from greenroom.kernel.errors import BackendError, Forgotten, GreenroomError, Unknown
from greenroom.ports import Notifier

T = TypeVar("T")

#: A stream and its ancestors by name, child to root, each with its number.
Chain = Mapping[str, tuple[int, Stream]]

_STREAM = f"SELECT {rows.STREAM} FROM streams WHERE name = $1"
_LINEAGE = f"""
WITH RECURSIVE line (depth, {rows.STREAM}) AS (
    SELECT 0, {rows.STREAM} FROM streams WHERE name = $1
    UNION ALL SELECT l.depth + 1, {rows.of("s", rows.STREAM)} FROM line l JOIN streams s ON s.name = l.parent
) SELECT {rows.STREAM} FROM line ORDER BY depth
"""
#: The attempt that used a key in the past that a branch shares, with the name of the stream that has it.
INHERITED = f"""
WITH RECURSIVE line (depth, sid, name, parent, forked_at, upto) AS (
    SELECT 1, p.sid, p.name, p.parent, p.forked_at, s.forked_at FROM streams s JOIN streams p ON p.name = s.parent
    WHERE s.sid = $1
    UNION ALL
    SELECT l.depth + 1, p.sid, p.name, p.parent, p.forked_at, least(l.upto, l.forked_at)
    FROM line l JOIN streams p ON p.name = l.parent
)
SELECT l.name, {rows.of("a", rows.ATTEMPT)} FROM line l JOIN attempts a ON a.sid = l.sid AND a.key = $2
WHERE a.version <= l.upto ORDER BY l.depth LIMIT 1
"""


class Reader(ABC):
    """Reads rows. A list among the values is an array: ``= ANY($1::bigint[])``."""

    @abstractmethod
    async def all(self, statement: str, *values: Any) -> list[tuple[Any, ...]]: ...

    async def one(self, statement: str, *values: Any) -> tuple[Any, ...] | None:
        found = await self.all(statement, *values)
        return found[0] if found else None

    async def value(self, statement: str, *values: Any) -> Any:
        """The first value of the first row; None if there is no row."""
        found = await self.all(statement, *values)
        return found[0][0] if found else None

    async def stamp(self) -> tuple[int, int] | None:
        """Who looks, and a number that stays while nobody writes; None where that cannot be told."""
        return None


class Executor(Reader):
    """Reads rows and runs statements."""

    @abstractmethod
    async def run(self, statement: str, *values: Any) -> int:
        """Run a statement; how many rows it wrote."""

    @abstractmethod
    async def run_all(self, statement: str, lines: Iterable[Row]) -> None:
        """The same statement for many rows."""


class Transaction(UnitOfWork, Executor):
    """A unit of work that also runs statements of its own, at once and before the rows that were put."""


class Clash(NamedTuple):
    """What a table says of rows that it does not take."""

    reason: str
    constraint: str | None


class Job(Struct, frozen=True):
    """Something to be written along with others. It decides everything before anything is written."""

    #: Checks, puts what is to be written on the unit, and returns the result. It may be asked again.
    decide: Callable[[UnitOfWork], Any]
    #: The streams it touches.
    streams: Sequence[str]
    #: The idempotency key it asks about, by stream; a fresh one was used by nobody.
    keys: Mapping[str, str] = {}
    fresh: bool = False
    #: Whether it waits to be written however long that takes: what was paid for is not thrown away.
    patient: bool = False
    #: What to write when a table does not take the rows; None to write nothing.
    instead: Callable[[Clash], Job | None] | None = None
    #: Whether it must have a transaction's attention to itself, and may take longer than a loop can wait.
    alone: bool = False
    heavy: bool = False


@dataclass(slots=True, eq=False)
class Waiting:
    """Somebody who waits for what is written."""

    future: asyncio.Future[Any]
    result: Any = field(default=None, kw_only=True)
    error: BaseException | None = field(default=None, kw_only=True)

    def tell(self) -> None:
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)

    def fail(self, error: BaseException) -> None:
        self.error = error
        self.tell()


@dataclass(slots=True, eq=False)
class QueuedJob(Waiting):
    """A job on its way to the disk."""

    job: Job
    #: How often the connection was lost under it.
    lost: int = 0


def told(error: BaseException, name: str) -> GreenroomError:
    """What a caller hears of a writer that failed."""
    if isinstance(error, GreenroomError):
        return error
    failed = BackendError(f"{name}: the writer failed ({type(error).__name__})")
    failed.__cause__ = error  # its text may quote what was to be written
    return failed


#: What one job's own values can raise besides the driver's errors; anything else is everybody's trouble.
MISFITS = (LookupError, OverflowError, TypeError, ValueError)


Look = Callable[[Reader], Coroutine[Any, Any, T]]
Act = Callable[[Transaction], Coroutine[Any, Any, T]]


class SqlStore(ABC):
    """One database in use, and what it is asked differently."""

    #: Names of all world tables, also of worlds that are not loaded.
    world_tables: str
    #: Rows that one statement may hold while others wait for them.
    most_held: int
    #: Memories in all scopes that recall holds: at 3 KB each, half of it the vector.
    most_loaded: int
    #: Whether looks run on threads.
    threaded: bool
    notifier: Notifier

    def __init__(self, name: str, projections: Mapping[str, Projection], secret: bytes, watched: Watched) -> None:
        #: Path or address, for messages to people.
        self.name = name
        self.projections = projections
        self.secret = secret
        #: Who follows which world, as far as this process knows.
        self.watched = watched
        #: The sentence of each unique constraint of a world table, by its name.
        self.refusals = {
            self.constraint(table, unique.columns): unique.refusal
            for table, projection in projections.items()
            for unique in projection.table.unique
        }

    # reading

    @abstractmethod
    async def read(self, look: Look[T]) -> T:
        """Run a short look; on PostgreSQL every statement of it sees its own moment."""

    async def glance(self, look: Look[T]) -> T:
        """The same for a row or two that are found by their key."""
        return await self.read(look)

    async def moment(self, look: Look[T]) -> T:
        """The same for several statements that must see one moment."""
        return await self.read(look)

    async def all(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self.read(lambda reader: reader.all(statement, *values))

    async def value(self, statement: str, *values: Any) -> Any:
        return await self.read(lambda reader: reader.value(statement, *values))

    async def stream(self, reader: Reader, name: str) -> tuple[int, Stream]:
        """The row of a stream with its number.

        Raises:
            Unknown: no such stream.
            Forgotten: there was such a stream.
        """
        row = await reader.one(_STREAM, name)
        if row is not None:
            return row[0], rows.to_stream(row)
        if not rows.storable(name):
            raise Unknown(f"there is no stream {name!a}")
        if await reader.one("SELECT 1 FROM tombstones WHERE digest = $1", rows.tombstone(self.secret, name)):
            raise Forgotten(f"stream {name} was removed")
        raise Unknown(f"there is no stream {name}")

    async def of_stream(self, name: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a stream that is there, by its number."""

        async def look(reader: Reader) -> list[tuple[Any, ...]]:
            sid, _ = await self.stream(reader, name)
            return await reader.all(statement, sid, *values)

        return await self.read(look)

    async def chain(self, reader: Reader, name: str) -> Chain:
        sid, stream = await self.stream(reader, name)
        found = {name: (sid, stream)}
        if stream.parent is not None:
            for row in await reader.all(_LINEAGE, stream.parent):
                found[row[1]] = (row[0], rows.to_stream(row))
        return found

    # writing

    @abstractmethod
    def write(self, job: Job) -> Awaitable[Any]:
        """Write a job along with others; whoever awaits the result has it when it is on the disk."""

    @abstractmethod
    async def act(
        self,
        act: Act[T],
        streams: Sequence[str] = (),
        keys: Mapping[str, str] | None = None,
        *,
        heavy: bool = False,
        patient: bool = False,
        quiet: bool = False,
    ) -> T:
        """A unit of work of its own, for what is rare: the streams are held from the look to the end.

        A quiet one rings no bell where that is left to us.

        Raises:
            BackendError: it cannot be written; whether it was committed is not known if the server was lost at the end.
        """

    @abstractmethod
    def clash(self, error: BackendError) -> Clash | None:
        """What a table said, if that is why a unit of work could not be written.

        A constraint is told by its name, anything else without the value.
        """

    @abstractmethod
    def constraint(self, table: str, columns: Sequence[str]) -> str:
        """How a unique constraint is named when it is broken."""

    @abstractmethod
    def to_vector(self, floats: Sequence[float]) -> Any: ...

    @abstractmethod
    def from_vector(self, stored: Any) -> bytes: ...

    # looking after it

    @abstractmethod
    async def touch(self) -> None: ...

    async def damage(self) -> tuple[Sequence[str], bool]:
        """What is wrong below the rows, and whether rows can be counted all the same."""
        return (), True

    @abstractmethod
    async def scrub(self) -> None:
        """Leave no old copy of a deleted row."""

    async def backups_with(self, owner: str) -> Sequence[str]:
        """Copies that Greenroom made and that hold something of a person."""
        return ()

    @abstractmethod
    async def close(self) -> None: ...


class SqlPort:
    """A port on one database."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
