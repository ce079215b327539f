"""A house on a real file that holds one den with a past, and ways to look at the file from outside."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.adapters.sqlite.witness import forget_sums
from greenroom.bootstrap import installed_worlds, open_house, tables_of
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.services.verify import check_house
from tests.conftest import NewFile
from tests.hardening.world import Add, Say, den

#: Columns that say who holds a stream: they may change although nothing happened.
_HELD = {"holder", "busy_until", "token"}


@pytest.fixture
def path(new_file: NewFile) -> Path:
    """A house file with the tables of the den, and nothing else in it."""
    return new_file(tables_of((*installed_worlds(), den())))


def opened(path: Path, *, work: bool = False, world: Any = None, **more: Any) -> AbstractAsyncContextManager[House]:
    """A house on the file; a model answers ``mm``."""
    models = more.pop("models", None) or ScriptedModels(lambda ask, _: "mm")
    return open_house(path, worlds=[world or den()], models=models, work=work, **more)


async def furnish(house: House, name: str = "den", *, adds: int = 3) -> None:
    """A stream with a line and some sums: ``adds + 2`` versions."""
    await house.start("den", {}, owner="ada", name=name, seed=1)
    await house.send(name, Say(Words("hello")), seat="guest", key="hello")
    for i in range(adds):
        await house.send(name, Add(i + 1), seat="guest", key=f"add{i}")


@pytest.fixture
async def house(path: Path) -> AsyncIterator[House]:
    async with opened(path) as house:
        await furnish(house)
        yield house


def dump(path: Path) -> dict[str, list[Any]]:
    """Everything that is stored, except who holds what."""
    connection = sqlite3.connect(path)
    try:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: _rows(connection, name) for name in sorted(names)}
    finally:
        connection.close()


def _rows(connection: sqlite3.Connection, table: str) -> list[Any]:
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    chosen = ", ".join(f'"{name}"' for name in columns if name not in _HELD)
    return sorted(connection.execute(f'SELECT {chosen} FROM "{table}"'), key=repr)


def execute(path: Path, statement: str, *values: Any) -> Any:
    """One statement behind the back of the house; the rows it gives.

    What lies beside the file would tell at once that a page has changed; these tests are about what the journal tells.
    """
    forget_sums(path)
    connection = sqlite3.connect(path)
    try:
        found = connection.execute(statement, values).fetchall()
        connection.commit()
        return found
    finally:
        connection.close()


def flip(path: Path, place: str, stream: str, version: int, *, old: bytes, new: bytes) -> None:
    """Change some bytes of one stored value; the place is a table and its column."""
    table, column = place.split(".")
    where = "sid = (SELECT sid FROM streams WHERE name = ?) AND version = ?"
    ((data,),) = execute(path, f"SELECT {column} FROM {table} WHERE {where}", stream, version)
    assert old in data
    execute(path, f"UPDATE {table} SET {column} = ? WHERE {where}", data.replace(old, new, 1), stream, version)


async def assert_sound(house: House) -> None:
    assert (await check_house(house.backend, house.codecs)).problems == ()


class Heard(logging.Handler):
    """What the runtime said in its log."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    @property
    def sentences(self) -> list[str]:
        return [record.getMessage() for record in self.records if record.levelno >= logging.WARNING]


@pytest.fixture
def heard() -> Iterator[Heard]:
    log, handler = logging.getLogger("greenroom"), Heard()
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)
