"""The open database: its connections, its writer, and what only PostgreSQL does its own way."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg

from greenroom.adapters.postgres.connection import Pool, PooledConnection
from greenroom.adapters.postgres.notifier import PostgresNotifier
from greenroom.adapters.postgres.unit import CachedRow, PostgresUnitOfWork, look_up
from greenroom.adapters.postgres.writer import MISFITS, PostgresWriter, clash_of, write_alone
from greenroom.adapters.sql.deciding import Watched
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.removal import OF_PERSON, OF_STREAM
from greenroom.adapters.sql.rows import storable
from greenroom.adapters.sql.store import Act, Clash, Job, Look, SqlStore, T, Transaction
from greenroom.kernel.errors import BackendError, Conflict, Locked

#: How long forgetting waits for whoever reads a table that is to be written anew.
_LOCK_SECONDS = 10.0
#: PostgreSQL cuts longer names.
_MOST_NAME = 63


class PostgresTransaction(PooledConnection, PostgresUnitOfWork, Transaction):
    """A transaction in progress with the streams it holds."""

    def __init__(self, connection: PooledConnection, secret: bytes) -> None:
        PooledConnection.__init__(self, connection.raw)
        self._seen: dict[str, CachedRow] = {}
        PostgresUnitOfWork.__init__(self, self._seen, lambda: self._number)
        self._secret = secret
        self._number = 0

    async def hold(self, names: Sequence[str], keys: Mapping[str, str]) -> None:
        """Nobody else writes these streams until the end."""
        held = "SELECT 1 FROM streams WHERE name = ANY($1::text[]) ORDER BY sid FOR NO KEY UPDATE"
        if wanted := [name for name in names if storable(name)]:
            await self.all(held, wanted)
            self._seen |= await look_up(self, self._secret, wanted, keys)
        if any(row.stream is None for row in self._seen.values()):
            self._number = await self.value("SELECT nextval(pg_get_serial_sequence('streams', 'sid'))")


class PostgresStore(SqlStore):
    """One PostgreSQL database in use."""

    world_tables = (
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
        "WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace "
        "AND a.attname IN ('sid', 'version', 'root') GROUP BY c.relname HAVING count(*) = 3 ORDER BY c.relname"
    )
    most_held = 1000
    most_loaded = 60_000
    threaded = False

    def __init__(self, url: str, projections: Mapping[str, Projection], secret: bytes, watched: Watched) -> None:
        self.pool = Pool(url)
        super().__init__(self.pool.name, projections, secret, watched)
        self.notifier: PostgresNotifier = PostgresNotifier(url)
        self.writer = PostgresWriter(self.pool, secret, projections, self.notifier.notify)

    # reading

    async def read(self, look: Look[T]) -> T:
        return await look(self.pool)

    async def moment(self, look: Look[T]) -> T:
        async with self.pool.moment() as connection:
            return await look(connection)

    # writing

    async def write(self, job: Job) -> Any:
        return await self.writer.write(job)

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
        async with self.pool.transaction() as connection:
            unit = PostgresTransaction(connection, self.secret)
            await unit.hold(streams, keys or {})
            done = await act(unit)
            stamp = await write_alone(connection, unit, self.projections) if unit.writes else None
            if unit.writes and stamp is None:
                raise Conflict("somebody else was faster; nothing was written, try again")
        if stamp is not None:
            self.writer.remember(unit.cached_after(stamp))
        if not quiet:
            self.notifier.notify()
        return done

    def clash(self, error: BackendError) -> Clash | None:
        return clash_of(error.__cause__) if isinstance(error.__cause__, MISFITS) else None

    def constraint(self, table: str, columns: Sequence[str]) -> str:
        return f"uq_{table}_{'_'.join(columns)}"[:_MOST_NAME]

    def to_vector(self, floats: Sequence[float]) -> list[float]:
        return list(map(float, floats))

    def from_vector(self, stored: Any) -> bytes:
        return array("f", stored).tobytes()

    # looking after it

    async def touch(self) -> None:
        async with self.pool.transaction() as connection:
            await connection.value("SELECT pg_current_xact_id()::text")

    async def scrub(self) -> None:
        """Write the tables anew, without the old copies of deleted rows; the server's log rolls over by itself."""
        try:
            async with self.pool.one_connection() as connection:
                await connection.run(f"SET lock_timeout = {int(_LOCK_SECONDS * 1000)}")
                tables = (*OF_STREAM, "vectors", "streams", "tickets", "ledger", "forgotten", *OF_PERSON)
                for table in (*tables, *(name for (name,) in await connection.all(self.world_tables))):
                    await connection.run(f"VACUUM (FULL, ANALYZE) {table}")
                await connection.run("RESET lock_timeout")
        except BackendError as error:
            if not isinstance(error.__cause__, asyncpg.LockNotAvailableError):
                raise
            raise Locked(
                f"{self.name}: the person is removed, but somebody still reads the old rows; forget again"
            ) from error

    async def close(self) -> None:
        await self.writer.close()
        await self.notifier.close()
        await self.pool.close()
