"""What is written in one statement is stored as it was given, however its values are handed over."""

import sqlite3

import pytest

from greenroom.adapters.sql.writes import Kind
from greenroom.adapters.sqlite.statement import write

KIND = Kind("t", ("n", "body", "flag", "note"), ("bigint", "bytea", "boolean", "text"))
CHANGE = Kind("t", ("n", "note"), ("bigint", "text"), update="UPDATE t SET note = v.note FROM v WHERE t.n = v.n")


@pytest.fixture
def connection() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (n, body, flag, note)")
    return connection


def stored(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT n, body, flag, note FROM t ORDER BY n").fetchall()


@pytest.mark.parametrize("count", [1, 2, 9, 70])
def test_empty_columns_bytes_and_booleans_are_stored_as_they_are(connection: sqlite3.Connection, count: int) -> None:
    lines = [(n, b"\x00%d" % n, n % 2 == 0, None) for n in range(count)]
    write(connection, KIND, lines)
    assert stored(connection) == lines
    kinds = connection.execute("SELECT DISTINCT typeof(body), typeof(flag), typeof(note) FROM t").fetchall()
    assert kinds == [("blob", "integer", "null")]


def test_a_column_may_be_empty_in_some_lines(connection: sqlite3.Connection) -> None:
    lines = [(0, None, None, "a"), (1, b"", True, None), (2, b"b", None, "c")]
    write(connection, KIND, lines)
    assert stored(connection) == lines


def test_a_change_may_empty_a_column_of_every_line(connection: sqlite3.Connection) -> None:
    write(connection, KIND, [(n, b"", False, "said") for n in range(3)])
    write(connection, CHANGE, [(0, None), (2, None)])
    assert [row[3] for row in stored(connection)] == [None, "said", None]
