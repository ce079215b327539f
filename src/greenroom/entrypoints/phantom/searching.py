"""Looks for words of messages where they must not be: in every table of a house but the memory bank's own."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from greenroom.worlds.phantom.sentences import RUN, runs, tokens

#: The bank's tables, and what SQLite keeps for itself.
BANK = re.compile(r"^(memories|memory_|vectors|embeddings|sqlite_)")


def bodies(file: Path) -> list[str]:
    """Every message that the bank of a house holds."""
    with _reading(file) as connection:
        found = connection.execute("SELECT text FROM memories WHERE kind = 'message' AND text IS NOT NULL")
        return [row[0] for row in found]


def found_outside(file: Path, said: Iterable[str]) -> list[str]:
    """Places outside the bank that hold a body, or five words in a row of one: ``table.column: the words``."""
    wanted: set[tuple[str, ...]] = set()
    for body in said:
        wanted |= runs(body)
    found: dict[str, None] = {}
    with _reading(file) as connection:
        for table in _tables(connection):
            for column, text in _texts(connection, table):
                for run in _shared(text, wanted):
                    found[f"{table}.{column}: {' '.join(run)}"] = None
    return list(found)


def _shared(text: str, wanted: set[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    words = tokens(text)
    for i in range(len(words) - RUN + 1):
        run = tuple(words[i : i + RUN])
        if run in wanted:
            yield run


def _reading(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{file}?mode=ro", uri=True)


def _tables(connection: sqlite3.Connection) -> list[str]:
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return [name for (name,) in names if not BANK.match(name)]


def _texts(connection: sqlite3.Connection, table: str) -> Iterator[tuple[str, str]]:
    cursor = connection.execute(f'SELECT * FROM "{table}"')
    columns = [one[0] for one in cursor.description]
    for row in cursor:
        for column, value in zip(columns, row, strict=True):
            if isinstance(value, bytes):
                yield column, value.decode("utf-8", "ignore")
            elif isinstance(value, str):
                yield column, value
