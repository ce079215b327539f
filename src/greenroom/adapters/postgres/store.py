"""The open database: its connections, its writer and what every port needs of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from greenroom.adapters.postgres.connection import Link, Links
from greenroom.adapters.postgres.lookup import look_up, of
from greenroom.adapters.postgres.notifier import PostgresNotifier
from greenroom.adapters.postgres.page import Page, Sight, tombstone
from greenroom.adapters.postgres.projecting import Projector
from greenroom.adapters.postgres.statement import compose
from greenroom.adapters.postgres.text import findable, storable
from greenroom.adapters.postgres.writer import Job, Writer
from greenroom.adapters.sql import rows
from greenroom.adapters.sql.deciding import Watched
from greenroom.adapters.sql.projections import Projection
from greenroom.journal.records import Stream
from greenroom.kernel.errors import Conflict, Forgotten, Unknown

#: A stream and its ancestors, child to root.
LINEAGE = f"""
WITH RECURSIVE line (depth, {rows.STREAM}) AS (
    SELECT 0, {rows.STREAM} FROM streams WHERE name = $1
    UNION ALL
    SELECT l.depth + 1, {of("s", rows.STREAM)} FROM line l JOIN streams s ON s.name = l.parent
)"""

Chain = Mapping[str, tuple[int, Stream]]


class Writing:
    """A transaction in progress with the streams it holds."""

    def __init__(self, link: Link, page: Page, projector: Projector) -> None:
        self.link = link
        self.page = page
        self._projector = projector

    async def flush(self) -> int | None:
        """Write the page; returns the transaction's number, None if there was nothing to write.

        Raises:
            Conflict: a stream of that name was made in the meantime.
        """
        self.page.finish()
        if not self.page.writes:
            return None
        lines = {kind: [(0, *line) for line in own] for kind, own in self.page.lines.items()}
        seen = [(0, *row) for row in self.page.seen()]
        statement, values = compose([(0, len(seen) + self.page.births)], seen, lines)
        through = await self.link.raw.fetch(statement, *values)
        if not through:
            raise Conflict("somebody else was faster; nothing was written, try again")
        for change, row in self._projector.one_by_one(self.page.changes):
            await self.link.run(change, *row)
        stamp: int = through[0][1]
        return stamp


class Store:
    """One PostgreSQL database in use."""

    def __init__(self, url: str, projections: Mapping[str, Projection], secret: bytes) -> None:
        self.links = Links(url)
        self.name = self.links.name
        self.projections = projections
        self.secret = secret
        #: Who follows which world, as far as this process knows.
        self.watched: Watched = {}
        self.notifier = PostgresNotifier(url)
        self._projector = Projector(projections)
        self.writer = Writer(self.links, secret, self._projector, self.notifier.notify)

    async def write(self, job: Job) -> Any:
        return await self.writer.write(job)

    @asynccontextmanager
    async def act(self, names: Sequence[str] = (), keys: Mapping[str, str] | None = None) -> AsyncIterator[Writing]:
        """A transaction of its own, for what is rare: the streams are held from the look to the end of the block.

        Raises:
            BackendError: the server cannot be reached; whether it was committed is not known if it was lost at the end.
        """
        async with self.links.transaction() as link:
            sights = await self._hold(link, names, keys or {})
            number = await link.value("SELECT nextval(pg_get_serial_sequence('streams', 'sid'))")
            act = Writing(link, Page(sights, lambda: number), self._projector)
            yield act
            stamp = await act.flush()
        if stamp is not None:
            self.writer.know(act.page.known_after(stamp))
        self.notifier.notify()

    async def _hold(self, link: Link, names: Sequence[str], keys: Mapping[str, str]) -> Mapping[str, Sight]:
        wanted = [name for name in names if storable(name)]
        if not wanted:
            return {}
        await link.fetch("SELECT 1 FROM streams WHERE name = ANY($1::text[]) ORDER BY sid FOR NO KEY UPDATE", wanted)
        return await look_up(link, self.secret, wanted, keys)

    async def close(self) -> None:
        await self.writer.close()
        await self.notifier.close()
        await self.links.close()

    # look-ups for readers

    async def stream(self, name: str) -> tuple[int, Stream]:
        """The row of a stream with its number.

        Raises:
            Unknown: no such stream.
            Forgotten: there was such a stream.
        """
        if not storable(name):
            raise Unknown(f"there is no stream {name!a}")
        row = await self.links.row(f"SELECT {rows.STREAM} FROM streams WHERE name = $1", name)
        if row is None:
            await self.refuse_removed(name)
            raise Unknown(f"there is no stream {name}")
        return row[0], rows.to_stream(row)

    async def refuse_removed(self, name: str) -> None:
        if await self.links.row("SELECT 1 FROM tombstones WHERE digest = $1", tombstone(self.secret, name)):
            raise Forgotten(f"stream {name} was removed")

    async def chain(self, name: str) -> dict[str, tuple[int, Stream]]:
        """The stream and its ancestors by name, child to root."""
        found = await self.links.fetch(f"{LINEAGE} SELECT {rows.STREAM} FROM line ORDER BY depth", findable(name))
        if not found:
            await self.stream(name)
        return {row[1]: (row[0], rows.to_stream(row)) for row in found}
