"""The tables of runs as files: CSV with what comes with Python, Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from greenroom.kernel.errors import Malformed, UsageError
from greenroom.services.house import House
from greenroom.worlds.arena.rules.retention import FAILURE
from greenroom.worlds.arena.rules.run import Run
from greenroom.worlds.arena.rules.tables import ACTION_LOGS, EPISODES_ARCHIVE, TABLES

SUFFIXES = (".csv", ".parquet")
NAMES = {table.name.removeprefix("arena_"): table for table in (*TABLES, ACTION_LOGS)}


async def rows(house: House, run: str, state: Run, name: str) -> list[dict[str, Any]]:
    """The rows of a run in one of its tables; action logs are those of the episodes that it still has.

    Raises:
        Malformed: there is no such table.
    """
    if name not in NAMES:
        raise Malformed(f"there is no table {name}; there are {', '.join(NAMES)}")
    table = NAMES[name]
    if table is not ACTION_LOGS:
        return [dict(row) for row in await house.rows(run, table)]
    kept = [one.stream for one in state.ledger if one.generation > state.released_upto or one.worst <= FAILURE]
    cold = await house.rows(run, EPISODES_ARCHIVE)
    kept += [row["episode"] for row in cold if min(row["agent_a_score"], row["agent_b_score"]) <= FAILURE]
    return [dict(row) for name in filter(None, kept) for row in await house.rows(name, table)]


def write(file: Path, found: Sequence[Mapping[str, Any]], name: str) -> None:
    """Write rows into a file.

    Raises:
        UsageError: the file is neither CSV nor Parquet, or Parquet cannot be written here.
    """
    columns = [column.name for column in NAMES[name].columns]
    plain = [{column: _plain(row.get(column)) for column in columns} for row in found]
    match file.suffix.lower():
        case ".csv":
            with file.open("w", newline="", encoding="utf-8") as out:
                writer = csv.DictWriter(out, columns)
                writer.writeheader()
                writer.writerows(plain)
        case ".parquet":
            _parquet(file, columns, plain)
        case _:
            raise UsageError(f"an export is a {' or '.join(SUFFIXES)} file, not {file.name}")


def _plain(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value


def _parquet(file: Path, columns: Sequence[str], plain: Sequence[Mapping[str, Any]]) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet needs pyarrow, which is not installed here; write a .csv file instead") from None
    arrays = {column: [row[column] for row in plain] for column in columns}
    pyarrow.parquet.write_table(pyarrow.table(arrays), file)
