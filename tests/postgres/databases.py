"""Databases for tests: on a server of this session's own, or on the one that ``GREENROOM_TEST_POSTGRES_URL`` names."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from greenroom.adapters.postgres import postgres_backend
from greenroom.kernel.tables import Table
from tests.postgres.local import HASTY, LocalServer

T = TypeVar("T")

VARIABLE = "GREENROOM_TEST_POSTGRES_URL"
#: Seconds that a server may take to come back after a crash.
PATIENCE = 30
#: What is raised when it has crashed, or is gone for another reason.
LOST = (asyncpg.PostgresConnectionError, asyncpg.InterfaceError, asyncpg.CrashShutdownError, ConnectionError)
#: Connections that are kept for cleaning.
_MOST_LINKS = 16


class Databases:
    """Gives out databases that are as new, made from templates that were migrated once, and leaves none behind."""

    def __init__(self) -> None:
        given = os.environ.get(VARIABLE)
        self._server = None if given else LocalServer(HASTY)
        self.url = given or self._server.url()  # type: ignore[union-attr]
        self._run = secrets.token_hex(4)
        self._templates: dict[str, str] = {}
        self._made = 0
        self._names: list[str] = []
        #: Databases that were given out, and those that were cleaned, with what they were made from.
        self._given: dict[str, str | None] = {}
        self._clean: dict[str, list[str]] = defaultdict(list)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="databases", daemon=True)
        self._thread.start()
        self._admin = self._do(lambda: _connected(self.url))
        self._links: dict[str, Any] = {}
        self._declared: dict[str, Sequence[asyncpg.Record]] = {}

    def _do(self, act: Callable[[], Awaitable[T]]) -> T:
        """Run something beside whatever loop may be running here."""

        async def wait() -> T:
            return await act()

        return asyncio.run_coroutine_threadsafe(wait(), self._loop).result(60)

    def _execute(self, statement: str) -> None:
        self._do(lambda: self._told(statement))

    async def _told(self, statement: str, *values: Any) -> None:
        """Say it over the one connection for that; over another, where a crash of the server has taken it away."""
        try:
            await self._admin.execute(statement, *values)
        except LOST:
            self._admin = await _connected(self.url)
            with suppress(asyncpg.DuplicateDatabaseError):  # it was done before the connection was lost
                await self._admin.execute(statement, *values)

    def at(self, database: str) -> str:
        """The address of one database."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc, f"/{database}", parts.query, ""))

    def new(self, tables: Sequence[Table] = ()) -> str:
        """The address of a house with nothing in it, and these tables, all of them whole."""
        template = self._template(tables)
        name = self._clean[template].pop() if self._clean[template] else self._make(f"TEMPLATE {template}")
        self._given[name] = template
        return self.at(name)

    def empty(self) -> str:
        """The address of a database without any table."""
        name = self._make("TEMPLATE template0")
        self._given[name] = None
        return self.at(name)

    def copy(self, url: str) -> str:
        """The address of another database with the same in it; nobody may be using the first."""
        source = _name(url)
        self._unlink(source)
        name = self._make(f"TEMPLATE {source}")
        self._given[name] = None
        return self.at(name)

    def _make(self, how: str) -> str:
        self._made += 1
        name = f"greenroom_{self._run}_{self._made}"
        self._execute(f"CREATE DATABASE {name} {how}")
        self._names.append(name)
        return name

    def _template(self, tables: Sequence[Table]) -> str:
        key = repr(tables)
        if key not in self._templates:
            name = self._make("TEMPLATE template0")
            self._declared[name] = self._do(lambda: _furnish(self.at(name), tables))
            self._templates[key] = name
        return self._templates[key]

    def strike(self, urls: Iterable[str] | None = None) -> None:
        """Take back what was given out: these, or all."""
        for name in tuple(self._given) if urls is None else [_name(url) for url in urls]:
            template = self._given.pop(name)
            if template is not None and self._do(partial(self._cleaned, name, template)):
                self._clean[template].append(name)
            else:
                self._drop(name)

    async def _cleaned(self, name: str, template: str) -> bool:
        """Empty the tables; whether the database is as new."""
        try:
            link = await self._link(name)
            others = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            await self._told(f"{others} AND pid <> {link.get_server_pid()}")
            if await link.fetch(_DECLARED) != self._declared[template]:
                return False
            await link.execute(_CLEAN)
        except LOST:  # in the middle of it: whoever comes next is given another
            return False
        if len(self._links) > _MOST_LINKS:
            await self._links.pop(name).close()
        return True

    async def _link(self, name: str) -> Any:
        if name not in self._links or self._links[name].is_closed():
            self._links[name] = await _connected(self.at(name))
        return self._links[name]

    def _unlink(self, name: str) -> None:
        if (link := self._links.pop(name, None)) is not None:
            self._do(link.close)

    def _drop(self, name: str) -> None:
        self._unlink(name)
        self._execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._names.remove(name)

    def close(self) -> None:
        """Leave nothing behind, also when something was interrupted."""
        if self._server is not None:
            self._server.close()
        else:
            for name in self._names:
                asked(self.url, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        for link in (self._admin, *self._links.values()):
            self._loop.call_soon_threadsafe(link.terminate)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _connected(url: str) -> Any:
    """A connection, as soon as the server gives one: after a crash it takes it a moment."""
    for _ in range(PATIENCE * 10):
        try:
            return await asyncpg.connect(url)
        except (asyncpg.CannotConnectNowError, *LOST):
            await asyncio.sleep(0.1)
    return await asyncpg.connect(url)


def _name(url: str) -> str:
    return urlsplit(url).path.removeprefix("/")


_DECLARED = "SELECT name, digest FROM projections ORDER BY name"
#: Empties every table but those that say what the database is.
_CLEAN = """
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
        AND relname NOT IN ('alembic_version', 'house', 'projections', 'schema_versions')
    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
END $$
"""


async def _furnish(url: str, tables: Sequence[Table]) -> Sequence[asyncpg.Record]:
    backend = postgres_backend(url, tables)
    for name in tuple(backend.tables.stale):
        await backend.tables.rebuilt(name)
    await backend.close()
    return await execute(url, _DECLARED)


async def execute(url: str, statement: str, *values: Any) -> Sequence[asyncpg.Record]:
    """Look into a database, or damage it, behind Greenroom's back."""
    connection = await _connected(url)
    try:
        found: Sequence[asyncpg.Record] = await connection.fetch(statement, *values)
        return found
    finally:
        await connection.close()


def asked(url: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """The same from where no loop may wait."""
    return [tuple(row) for row in _elsewhere(lambda: execute(url, statement, *values))]


def whole(url: str, tables: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of each table that this statement names, over one connection."""
    return _elsewhere(lambda: _whole(url, tables))


async def _whole(url: str, tables: str) -> dict[str, list[tuple[Any, ...]]]:
    connection = await _connected(url)
    try:
        names = [str(name) for (name,) in await connection.fetch(tables)]
        return {name: [tuple(row) for row in await connection.fetch(f'SELECT * FROM "{name}"')] for name in names}
    finally:
        await connection.close()


def _elsewhere(act: Callable[[], Coroutine[Any, Any, T]]) -> T:
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(lambda: asyncio.run(act())).result()
