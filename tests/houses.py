"""Where the houses of tests are: where each test says, or, on ``--backend postgres``, in databases of one server.

A test names a file, a folder for a program, or memory. On PostgreSQL each of these stands for a database of its own,
and the test need not know: this is the only place where that is decided.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from greenroom import bootstrap
from greenroom.adapters.inmem import Shelf
from greenroom.adapters.sql.addresses import is_url, shown
from greenroom.bootstrap import backends
from greenroom.bootstrap.worlds import AnyWorld
from greenroom.kernel.tables import Table
from greenroom.ports import Backend
from greenroom.services.house import House
from tests.postgres.databases import Databases, asked, whole

#: What a house was opened at before it was known where houses are.
Place = Path | str | Shelf


@dataclass(slots=True)
class Houses:
    """Every house that was opened, and the database that stands for it, if houses are on PostgreSQL."""

    on_postgres: bool = False
    _databases: Databases | None = None
    _files: dict[Path, str] = field(default_factory=dict)
    #: With the shelves themselves, so that none of them gives its place to another.
    _shelves: list[tuple[Shelf, str]] = field(default_factory=list)

    @property
    def databases(self) -> Databases:
        """The server, started when somebody first asks for it."""
        self._databases = self._databases or Databases()
        return self._databases

    def move_to_postgres(self) -> None:
        """From now on every house that this process opens is on PostgreSQL."""
        self.on_postgres = True
        given = bootstrap.backend

        def backend(where: Place, worlds: Sequence[AnyWorld], **more: Any) -> Backend:
            return given(self._url(where, lambda: bootstrap.tables_of(worlds)), worlds, **more)

        bootstrap.backend = backends.backend = backend

    def begin_as_copies(self, copy: Callable[[Sequence[Table], Path], None]) -> None:
        """From now on a house in a file that is not there yet begins as a copy: making one outlasts most tests."""
        given = bootstrap.backend

        def backend(where: Place, worlds: Sequence[AnyWorld], **more: Any) -> Backend:
            if not (isinstance(where, Shelf) or is_url(where)):
                path = Path(where)
                if path.parent.is_dir() and not path.exists():
                    copy(bootstrap.tables_of(worlds), path)
            return given(where, worlds, **more)

        bootstrap.backend = backends.backend = backend

    def _url(self, where: Place, tables: Callable[[], Sequence[Table]]) -> str:
        if is_url(where):
            return str(where)
        if isinstance(where, Shelf):
            found = next((url for shelf, url in self._shelves if shelf is where), None)
            if found is None:
                found = self.databases.new(tables())
                self._shelves.append((where, found))
            return found
        path = Path(where).absolute()
        if path not in self._files:
            self._files[path] = self.databases.new(tables())
        return self._files[path]

    def environment(self, home: Path) -> dict[str, str]:
        """What a program has to be told beside its folder, to find the house of that folder."""
        return {"GREENROOM_DATABASE_URL": self._url(home / "house.db", _shipped)} if self.on_postgres else {}

    @contextmanager
    def at(self, home: Path) -> Iterator[None]:
        """Commands that are run in this block, in this process, are told the same."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self.environment(home).items():
                patch.setenv(name, value)
            yield

    def name(self, home: Path) -> str:
        """What the house of this folder calls itself."""
        return shown(self._url(home / "house.db", _shipped)) if self.on_postgres else str(home / "house.db")

    def execute(self, home: Path, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Look into the house of this folder, or damage it, behind its back; values are ``$1``, ``$2``, …"""
        if self.on_postgres:
            return asked(self._url(home / "house.db", _shipped), statement, *values)
        with closing(sqlite3.connect(home / "house.db")) as connection, connection:
            return connection.execute(statement.replace("$", "?"), values).fetchall()

    def contents(self, home: Path) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table of the house of this folder; opened once, since a test looks often."""
        if self.on_postgres:
            return whole(self._url(home / "house.db", _shipped), _TABLES["postgres"])
        with closing(sqlite3.connect(home / "house.db")) as connection, connection:
            names = [str(name) for (name,) in connection.execute(_TABLES["sqlite"])]
            return {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}

    def bare(self, home: Path) -> None:
        """There is no house in this folder yet, and in no database either."""
        if self.on_postgres:
            self._files[(home / "house.db").absolute()] = self.databases.empty()

    def copied(self, home: Path, target: Path) -> Path:
        """The folder again in another place, with the house in it."""
        shutil.copytree(home, target)
        if self.on_postgres:
            house = self._files[(home / "house.db").absolute()]
            self._files[(target / "house.db").absolute()] = self.databases.copy(house)
        return target

    def strike(self, folder: Path) -> None:
        """Take back every house in memory and every house in this folder."""
        gone = [path for path in self._files if path.is_relative_to(folder)]
        urls = [*(url for _, url in self._shelves), *(self._files.pop(path) for path in gone)]
        self._shelves.clear()
        if urls:
            self.databases.strike(urls)

    def close(self) -> None:
        if self._databases is not None:
            self._databases.close()
            self._databases = None


@cache
def shipped_tables() -> tuple[Table, ...]:
    """Of the worlds that are installed where the tests run."""
    return bootstrap.tables_of(bootstrap.installed_worlds())


def _shipped() -> Sequence[Table]:
    return bootstrap.tables_of(bootstrap.installed_worlds())


_TABLES = {
    "postgres": "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table'",
}
HOUSES = Houses()


def writer_of(house: House) -> Any:
    """What writes the file of a house on SQLite."""
    return house.backend.history._store.writer  # type: ignore[attr-defined]
