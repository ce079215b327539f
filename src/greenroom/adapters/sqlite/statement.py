"""Lines of many turns, written in one statement each.

That is what group commit is worth: the work per turn shrinks with the crowd, and the interpreter's lock changes hands a
few times a round.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.writes import Kind, quoted

#: Rows of one statement: the first number, a smaller multiple of the second, or fewer than the second.
_MOST_ROWS, _FEW_ROWS = 64, 8


def write(connection: sqlite3.Connection, kind: Kind, lines: Sequence[Row]) -> None:
    if kind.drops:
        connection.executemany(_drop(kind), lines)
    elif len(lines) == 1:
        connection.execute(_text(kind, 1), lines[0])
    else:
        start = 0
        for count in _parts(len(lines)):
            values: list[Any] = []
            for line in lines[start : start + count]:
                values += line
            connection.execute(_text(kind, count), values)
            start += count


@lru_cache(maxsize=1024)
def _parts(count: int) -> tuple[int, ...]:
    """How many rows each statement takes: one of a few numbers, or most statements would have to be prepared anew."""
    whole, rest = divmod(count, _MOST_ROWS)
    few = rest % _FEW_ROWS
    return tuple(part for part in (*[_MOST_ROWS] * whole, rest - few, few) if part)


@lru_cache(maxsize=4096)
def _text(kind: Kind, count: int) -> str:
    # OR FAIL: whoever hears of a broken constraint rolls back the batch or the job, so SQLite need not be able to undo
    # the statement alone, for which it would copy every page before it is changed.
    columns = quoted(kind.columns)
    values = ", ".join([f"({', '.join('?' * len(kind.columns))})"] * count)
    if kind.update:
        return f"WITH v ({columns}) AS (VALUES {values}) {kind.update.replace('UPDATE', 'UPDATE OR FAIL', 1)}"
    return f"INSERT OR FAIL INTO {kind.table} ({columns}) VALUES {values} {kind.conflict}"


@lru_cache(maxsize=256)
def _drop(kind: Kind) -> str:
    same = (f'"{name}" {how} ?' for name, how in zip(kind.columns, kind.drops, strict=True))
    return f"DELETE FROM {kind.table} WHERE {' AND '.join(same)}"
