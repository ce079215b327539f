"""The floor: plain ``sqlite3`` writing the rows that a real run left, 64 turns a transaction, same pragmas."""

from __future__ import annotations

import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.loop import Sample
from greenroom.adapters.sqlite.connection import connect

TURNS_A_TRANSACTION = 64

#: What every turn changes in its stream's row.
_MOVE = "UPDATE streams SET version = ?, recorded = ?, recorded_at = ?, last_at = ? WHERE sid = ?"

Row = tuple[Any, ...]
#: The rows of a transaction by statement.
Batch = Sequence[tuple[str, Sequence[Row]]]


@dataclass(frozen=True, slots=True)
class Score:
    """A run to be played again: what stood before, and its turns in batches."""

    before: Batch
    batches: Sequence[Batch]
    turns: int
    #: Rows a turn writes, by table.
    tables: dict[str, float] = field(default_factory=dict)


def dump(path: Path) -> Score:
    """Every row a run left in the file, grouped by turn, in the order the turns were recorded."""
    connection = sqlite3.connect(path)
    try:
        return _dump(connection)
    finally:
        connection.close()


#: A turn as statements with their rows.
_Turn = dict[str, list[Row]]


@dataclass(slots=True)
class _Hand:
    """The turns of a run, each with the rows it wrote so far."""

    before: _Turn = field(default_factory=lambda: defaultdict(list))
    turns: list[_Turn] = field(default_factory=list)
    by_n: dict[tuple[int, int], _Turn] = field(default_factory=dict)
    by_version: dict[tuple[int, int], _Turn] = field(default_factory=dict)

    def open(self, sid: int, n: int, version: int, at: int) -> None:
        turn = self.before if n == 1 else defaultdict(list)
        self.by_n[sid, n] = self.by_version[sid, version] = turn
        if n > 1:
            self.turns.append(turn)
            turn[_MOVE].append((version, n, at, at, sid))

    def turn_of(self, table: _Kind, row: Row) -> _Turn:
        place = dict(zip(table.columns, row, strict=True))
        if table.name == "streams":
            return self.before
        if "n" in place:
            return self.by_n[place["sid"], place["n"]]
        return self.by_version[place["sid"], place["version"]]


def _dump(connection: sqlite3.Connection) -> Score:
    hand = _Hand()
    for sid, n, version, at in connection.execute("SELECT sid, n, version, at FROM attempts ORDER BY at, sid, n"):
        hand.open(sid, n, version, at)
    counts = {}
    for table in _tables(connection):
        lines = 0
        for row in connection.execute(f"SELECT {table.named} FROM {table.name}"):
            turn = hand.turn_of(table, row)
            turn[table.insert].append(row)
            lines += turn is not hand.before
        counts[table.name] = lines / max(len(hand.turns), 1)
    size = TURNS_A_TRANSACTION
    batches = [_merged(hand.turns[i : i + size]) for i in range(0, len(hand.turns), size)]
    return Score(before=list(hand.before.items()), batches=batches, turns=len(hand.turns), tables=counts)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A table with rows of streams. A number that SQLite gives by itself is left to it."""

    name: str
    columns: tuple[str, ...]

    @property
    def named(self) -> str:
        return ", ".join(f'"{column}"' for column in self.columns)

    @property
    def insert(self) -> str:
        return f"INSERT INTO {self.name} ({self.named}) VALUES ({', '.join('?' * len(self.columns))})"


def _tables(connection: sqlite3.Connection) -> list[_Kind]:
    found = []
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        info = connection.execute(f"PRAGMA table_info({name})").fetchall()
        keys = [column for column in info if column[5]]
        alias = len(keys) == 1 and keys[0][2].upper() == "INTEGER" and name != "streams"
        columns = tuple(column[1] for column in info if not (alias and column[5]))
        if "sid" in columns:
            found.append(_Kind(name, columns))
    return found


def _merged(turns: Sequence[dict[str, list[Row]]]) -> Batch:
    merged: dict[str, list[Row]] = defaultdict(list)
    for turn in turns:
        for statement, lines in turn.items():
            merged[statement].extend(lines)
    return list(merged.items())


def replay(score: Score, fresh: Callable[[], Path], *, seconds: float) -> Sample:
    """Play a run into fresh files until enough time was measured. Only the transactions are timed."""
    sample = Sample()
    while sample.seconds < seconds and score.turns:
        path = fresh()
        connection = connect(path, writes=True)
        try:
            _write(connection, score.before)
            begun = time.perf_counter()
            for batch in score.batches:
                _write(connection, batch)
            sample.seconds += time.perf_counter() - begun
            sample.count += score.turns
        finally:
            connection.close()
    return sample


def _write(connection: sqlite3.Connection, batch: Batch) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement, lines in batch:
        connection.executemany(statement, lines)
    connection.execute("COMMIT")
