"""Lines of many turns, written in one statement each.

That is what group commit is worth: the work per turn shrinks with the crowd, and the interpreter's lock changes hands a
few times a round.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.writes import Kind, quoted

#: Rows of one statement: the first number, a smaller multiple of the second, or fewer than the second.
_MOST_ROWS, _FEW_ROWS = 64, 8
#: By the type of a column: what a value is given as, and what it becomes.
_BECOME: Mapping[str, tuple[type, Callable[[Any], Any]]] = {"bytea": (bytes, bytearray), "boolean": (bool, int)}


def write(connection: sqlite3.Connection, kind: Kind, lines: Sequence[Row]) -> None:
    if kind.drops:
        connection.executemany(_drop(kind), lines)
        return
    start = 0
    for count in _parts(len(lines)):
        values: list[Any] = []
        for line in lines[start : start + count]:
            values += line
        empty = _made_ready(kind, values) if count > 1 else ()  # a line alone goes as it is
        connection.execute(_text(kind, count, empty), values)
        start += count


def _made_ready(kind: Kind, values: list[Any]) -> tuple[int, ...]:
    """Before it takes a value that is no number, text or bytearray, sqlite3 looks three times for somebody to adapt it.

    So bytes and booleans become what they are stored as, and columns that are empty in every line are left out: these.
    """
    width = len(kind.columns)
    for i, type_ in enumerate(kind.types):
        if type_ in _BECOME:
            given, become = _BECOME[type_]
            values[i::width] = [become(value) if type(value) is given else value for value in values[i::width]]
    empty = tuple(i for i in range(width) if values[i] is None and set(map(type, values[i::width])) == {type(None)})
    for left, i in enumerate(reversed(empty)):
        del values[i :: width - left]
    return empty


@lru_cache(maxsize=1024)
def _parts(count: int) -> tuple[int, ...]:
    """How many rows each statement takes: one of a few numbers, or most statements would have to be prepared anew."""
    whole, rest = divmod(count, _MOST_ROWS)
    few = rest % _FEW_ROWS
    return tuple(part for part in (*[_MOST_ROWS] * whole, rest - few, few) if part)


@lru_cache(maxsize=4096)
def _text(kind: Kind, count: int, empty: tuple[int, ...]) -> str:
    # OR FAIL: whoever hears of a broken constraint rolls back the batch or the job, so SQLite need not be able to undo
    # the statement alone, for which it would copy every page before it is changed.
    columns = quoted(kind.columns)
    places = ", ".join("NULL" if i in empty else "?" for i in range(len(kind.columns)))
    values = ", ".join([f"({places})"] * count)
    if kind.update:
        return f"WITH v ({columns}) AS (VALUES {values}) {kind.update.replace('UPDATE', 'UPDATE OR FAIL', 1)}"
    return f"INSERT OR FAIL INTO {kind.table} ({columns}) VALUES {values} {kind.conflict}"


@lru_cache(maxsize=256)
def _drop(kind: Kind) -> str:
    same = (f'"{name}" {how} ?' for name, how in zip(kind.columns, kind.drops, strict=True))
    return f"DELETE FROM {kind.table} WHERE {' AND '.join(same)}"
