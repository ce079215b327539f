"""Looks for words of messages where they must not be: in every table of a house but the memory bank's own."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from greenroom.adapters.sqlite.file import reading
from greenroom.worlds.phantom.rules.sentences import RUN, runs, tokens

#: The bank's tables, and what SQLite keeps for itself.
BANK = re.compile(r"^(memories|memory_|vectors|embeddings|sqlite_)")

#: A text inside JSON, and what stands there for the end of a line.
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\[nrt]")

Run: TypeAlias = tuple[str, ...]


def bodies(file: Path) -> list[str]:
    """Every message that the bank of a house holds."""
    with reading(file) as connection:
        found = connection.execute("SELECT text FROM memories WHERE kind = 'message' AND text IS NOT NULL")
        return [row[0] for row in found]


def found_outside(file: Path, said: Iterable[str]) -> list[str]:
    """Places outside the bank that hold a body, or five words in a row of one: ``table.column: the words``.

    A body of fewer words counts where it is all that a column, or a text inside it, says.
    """
    bodies = tuple(said)
    wanted = set[Run]().union(*map(runs, bodies))
    whole = {" ".join(tokens(body)) for body in bodies if len(tokens(body)) < RUN}
    found: dict[str, None] = {}
    with reading(file) as connection:
        for table in _tables(connection):
            for column, text in _texts(connection, table):
                for words in (*_shared(text, wanted), *_whole(text, whole)):
                    found[f"{table}.{column}: {words}"] = None
    return list(found)


def _shared(text: str, wanted: set[Run]) -> Iterator[str]:
    words = tokens(_ESCAPED.sub(" ", text))
    for i in range(len(words) - RUN + 1):
        run = tuple(words[i : i + RUN])
        if run in wanted:
            yield " ".join(run)


def _whole(text: str, wanted: set[str]) -> Iterator[str]:
    parts = (" ".join(tokens(_ESCAPED.sub(" ", part))) for part in (text, *_QUOTED.findall(text)))
    return (part for part in parts if part in wanted)


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
