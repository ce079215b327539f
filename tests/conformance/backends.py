"""The back-ends that every suite is run on, as fixtures to mix in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from greenroom.adapters.inmem import Shelf, inmem_backend
from greenroom.adapters.postgres import postgres_backend
from greenroom.adapters.sqlite import sqlite_backend
from greenroom.kernel.tables import Table
from greenroom.ports import Backend
from greenroom.testing.contract import Reopen
from greenroom.testing.records import TABLES
from tests.conftest import NewDatabase, NewFile

Open = Callable[[Sequence[Table]], Backend]


@dataclass(slots=True)
class Door:
    """A house that can be closed and opened again."""

    open: Open
    backend: Backend

    async def again(self, tables: Sequence[Table] = TABLES) -> Backend:
        await self.backend.close()
        self.backend = self.open(tables)
        return self.backend


def on_shelf(shelf: Shelf) -> Open:
    def open_(tables: Sequence[Table]) -> Backend:
        shelf.tables = {table.name: table for table in tables}
        return inmem_backend(shelf)

    return open_


def in_file(path: Path) -> Open:
    return lambda tables: sqlite_backend(path, tables)


class Behind:
    """Fixtures made from a door."""

    @pytest.fixture
    async def backend(self, door: Door) -> AsyncIterator[Backend]:
        yield door.backend
        await door.backend.close()

    @pytest.fixture
    def reopen(self, door: Door, backend: Backend) -> Reopen:
        return door.again


class Inmem(Behind):
    @pytest.fixture
    async def door(self) -> Door:
        open_ = on_shelf(Shelf())
        return Door(open_, open_(TABLES))


class Sqlite(Behind):
    @pytest.fixture
    async def door(self, new_file: NewFile) -> Door:
        open_ = in_file(new_file(TABLES))
        return Door(open_, open_(TABLES))


class Postgres(Behind):
    @pytest.fixture
    async def door(self, new_database: NewDatabase) -> Door:
        url = new_database(TABLES)

        def open_(tables: Sequence[Table]) -> Backend:
            return postgres_backend(url, tables)

        return Door(open_, open_(TABLES))
