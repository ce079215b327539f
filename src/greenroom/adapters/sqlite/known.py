"""Rows of streams as the writer last saw them, so that a turn does not read again what the one before wrote."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import TypeAlias

from greenroom.journal.records import Stream

#: A row with its number.
Numbered: TypeAlias = tuple[int, Stream]

#: Rows kept at most; past that all are read anew.
MOST_ROWS = 4096


class Known:
    """Good as long as nobody else has written: SQLite's ``data_version`` tells."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version: int | None = None
        self._rows: dict[str, Numbered] = {}

    def refresh(self) -> None:
        """Drop everything if another connection has committed. For the beginning of a transaction."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version or len(self._rows) > MOST_ROWS:
            self._rows.clear()
        self._version = version

    def get(self, name: str) -> Numbered | None:
        return self._rows.get(name)

    def keep(self, rows: Mapping[str, Numbered]) -> None:
        self._rows.update(rows)

    def drop(self) -> None:
        """Nothing is known any more: a transaction failed, or rows were changed past the sheet."""
        self._rows.clear()
