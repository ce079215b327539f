"""Connections to the server: a few, shared, made when they are wanted; errors in our own words."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeAlias

import asyncpg

from greenroom.adapters.postgres.literals import read, sought, written
from greenroom.adapters.sql.addresses import shown
from greenroom.adapters.sql.store import Executor, Reader
from greenroom.kernel.errors import BackendError, DiskFull, GreenroomError, Malformed, ReadOnly

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

#: How long a server may take to let us in, and to answer one statement of a turn.
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 30.0

#: Planning the one statement of a turn takes longer than running it: once is enough. A plan that was made while the
#: tables were small must do for large ones, so everything is found by its index, however few rows there are.
_SESSION = {
    "jit": "off",
    "timezone": "UTC",
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}

#: The connection is gone, or the server is: nothing is wrong with what was asked.
LOST = (
    OSError,
    TimeoutError,
    EOFError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
#: Two transactions stood in each other's way; one of them was undone and may try again.
CROSSED = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)

_SENTENCES: tuple[tuple[type[BaseException], type[GreenroomError], str], ...] = (
    (asyncpg.DiskFullError, DiskFull, "the server's disk is full; free some space – nothing acknowledged was lost"),
    (asyncpg.ReadOnlySQLTransactionError, ReadOnly, "the database may not be written; name the primary server"),
    (asyncpg.InvalidCatalogNameError, BackendError, "there is no such database; create it first"),
    (asyncpg.InvalidAuthorizationSpecificationError, BackendError, "the server does not let this user in"),
    (asyncpg.InsufficientPrivilegeError, BackendError, "this user may not do that here; it needs its own schema"),
)


@contextmanager
def our_errors(name: str) -> Iterator[None]:
    """Turn the driver's errors into ours, naming the database."""
    try:
        yield
    except (*LOST, asyncpg.PostgresError) as error:
        raise ours(error, name) from error


def ours(error: BaseException, name: str) -> GreenroomError:
    """What a caller hears of it; never the values of a statement."""
    for known, kind, sentence in _SENTENCES:
        if isinstance(error, known):
            return kind(f"{name}: {sentence}")
    if isinstance(error, LOST):
        return BackendError(
            f"{name}: the database cannot be reached ({type(error).__name__}); nothing acknowledged was lost"
        )
    return BackendError(f"{name}: the database refused a statement ({type(error).__name__})")


async def connect(url: str, *, purpose: str = "greenroom") -> Connection:
    """A connection as this house uses it; what is committed on it is on the disk.

    Raises:
        BackendError: the server cannot be reached or does not let us in.
    """
    name = shown(url)
    with our_errors(name):
        try:
            return await asyncpg.connect(
                url,
                timeout=CONNECT_SECONDS,
                # One statement writes whatever a turn leads to: there are as many texts as there are sets of tables.
                statement_cache_size=256,
                max_cacheable_statement_size=0,
                server_settings={"application_name": purpose, **_SESSION},
            )
        except (asyncpg.ClientConfigurationError, ValueError) as error:
            raise Malformed(f"{name}: the address of the database cannot be used ({error})") from None


class PooledConnection(Executor):
    """A connection whose rows and parameters are as Greenroom has them."""

    def __init__(self, connection: Connection) -> None:
        self.raw = connection

    async def all(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        found = await self.raw.fetch(statement, *map(sought, values), timeout=ANSWER_SECONDS)
        return [read(row) for row in found]

    async def cursor(self, statement: str, page: int) -> AsyncIterator[tuple[Any, ...]]:
        """Rows of a result of any length, so many fetched at a time; in a transaction only."""
        async for row in self.raw.cursor(statement, prefetch=page):
            yield read(row)

    async def copy(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows as fast as the server takes them."""
        sent = [tuple(map(written, row)) for row in rows]
        await self.raw.copy_records_to_table(table, records=sent, columns=list(columns))

    async def run(self, statement: str, *values: Any) -> int:
        """Run a statement, however long it takes; how many rows it wrote."""
        status = await self.raw.execute(statement, *map(written, values))
        count = status.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    async def run_all(self, statement: str, lines: Iterable[Sequence[Any]]) -> None:
        await self.raw.executemany(statement, [tuple(map(written, line)) for line in lines])


class Pool(Reader):
    """The connections of one process, at most so many at once. What is read here is read in one round trip each."""

    def __init__(self, url: str, most: int = 8) -> None:
        self._url = url
        self.name = shown(url)
        self._free: list[PooledConnection] = []
        self._room = asyncio.Semaphore(most)
        self._closed = False

    @asynccontextmanager
    async def one_connection(self) -> AsyncIterator[PooledConnection]:
        """A connection for the length of the block.

        Raises:
            BackendError: the server cannot be reached, or the connection was lost on the way.
        """
        if self._closed:
            raise BackendError(f"{self.name}: the house is closed")
        async with self._room:
            connection = await self._take()
            try:
                with our_errors(self.name):
                    yield connection
            except BaseException as error:
                if not isinstance(error, GreenroomError) or isinstance(error.__cause__, LOST):
                    connection.raw.terminate()
                raise
            finally:
                self._give_back(connection)

    async def _take(self) -> PooledConnection:
        while self._free:
            connection = self._free.pop()
            if not connection.raw.is_closed():
                return connection
        return PooledConnection(await connect(self._url))

    def _give_back(self, connection: PooledConnection) -> None:
        if self._closed:
            connection.raw.terminate()
        elif not connection.raw.is_closed():
            self._free.append(connection)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[PooledConnection]:
        async with self.one_connection() as connection, connection.raw.transaction():
            yield connection

    @asynccontextmanager
    async def moment(self) -> AsyncIterator[PooledConnection]:
        """Several reads of one moment."""
        async with (
            self.one_connection() as connection,
            connection.raw.transaction(isolation="repeatable_read", readonly=True),
        ):
            yield connection

    async def all(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Read in one round trip. What is read twice because the connection was cut harms nobody."""
        try:
            return await self._all(statement, values)
        except BackendError as error:
            if not isinstance(error.__cause__, LOST) or isinstance(error.__cause__, TimeoutError):
                raise
        self._drop_all()
        return await self._all(statement, values)

    def _drop_all(self) -> None:
        """One was cut: the others probably were too, and it is quicker to make new ones than to find out."""
        while self._free:
            self._free.pop().raw.terminate()

    async def _all(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        async with self.one_connection() as connection:
            return await connection.all(statement, *values)

    async def close(self) -> None:
        self._closed = True
        while self._free:
            connection = self._free.pop()
            try:
                await connection.raw.close(timeout=2)
            except LOST:
                connection.raw.terminate()
