"""What SQLite calls otherwise than PostgreSQL, in whose SQL the statements are written."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Coroutine, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from greenroom.adapters.sql import store
from greenroom.adapters.sql.rows import Row, storable
from greenroom.adapters.sql.store import Clash, Executor

T = TypeVar("T")

#: What is written another way, in this order.
_OTHERWISE = (
    (r"= ANY\((\$\d+)::\w+\[\]\)", r"IN (SELECT value FROM json_each(\1))"),
    (r"unnest\((\$\d+)::\w+\[\]\) AS (\w+) \(value\)", r"json_each(\1) AS \2"),
    (r"::\w+(\[\])?", ""),
    (r' COLLATE "C"', ""),
    (r"\bgreatest\(", "max("),
    (r"\bleast\(", "min("),
    # There is one writer: it holds every row.
    (r"\bFOR (NO KEY |KEY )?(UPDATE|SHARE)( OF \w+)?( SKIP LOCKED)?", ""),
)
#: What one job's own values can raise; anything else is the storage's trouble, and everybody's.
MISFITS = (
    *(sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError),
    *store.MISFITS,
)
_UNIQUE = "UNIQUE constraint failed: "
_PLACE = re.compile(r"\$(\d+)")
#: Stands for a text that cannot be stored: it is equal to none and comes after all.
_NOWHERE = b""


@lru_cache(maxsize=4096)
def translated(statement: str) -> tuple[str, tuple[int, ...]]:
    """A statement in SQLite's words, and which value stands at each of its places.

    Places have no numbers: some versions of Python take a numbered one for a named one and warn of it.
    """
    for pattern, instead in _OTHERWISE:
        statement = re.sub(pattern, instead, statement)
    order = tuple(int(n) - 1 for n in _PLACE.findall(statement))
    return _PLACE.sub("?", statement), order


def given(values: Sequence[Any], order: Sequence[int]) -> Sequence[Any]:
    """Values as SQLite takes them, in the order of their places: arrays as JSON."""
    return [json.dumps(value) if type(value := values[i]) is list else value for i in order]


def straight(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits, here and now."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        found: T = done.value
        return found
    coroutine.close()
    raise RuntimeError("a look at a file waited for something")


def clash_of(error: BaseException) -> Clash:
    """What may be told of a misfit: a constraint by its name, anything else without the value."""
    if not isinstance(error, sqlite3.IntegrityError):
        return Clash(f"a value cannot be stored ({type(error).__name__})", None)
    reason = str(error)
    return Clash(reason, reason.removeprefix(_UNIQUE))


class SqliteExecutor(Executor):
    """One connection; nothing here ever waits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def execute(self, statement: str, values: Sequence[Any]) -> sqlite3.Cursor:
        text, order = translated(statement)
        found = given(values, order)
        try:
            return self.connection.execute(text, found)
        except UnicodeEncodeError:
            found = [_NOWHERE if isinstance(value, str) and not storable(value) else value for value in found]
            return self.connection.execute(text, found)

    async def all(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.execute(statement, values).fetchall()

    async def run(self, statement: str, *values: Any) -> int:
        return self.execute(statement, values).rowcount

    async def run_all(self, statement: str, lines: Iterable[Row]) -> None:
        text, order = translated(statement)
        self.connection.executemany(text, (given(line, order) for line in lines))

    async def stamp(self) -> tuple[int, int]:
        (written,) = self.connection.execute("PRAGMA data_version").fetchone()
        return id(self.connection), written
