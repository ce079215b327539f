"""Columns written as array literals come back from the server as they were."""

from __future__ import annotations

from typing import Any

import asyncpg
import pytest

from greenroom.adapters.postgres.literals import literal, read
from tests.postgres.databases import Databases

TEXTS = [
    "", " ", "NULL", "null", "plain", 'say "this"', "back\\slash", '\\"', "{a,b}", "a,b", "line\nbreak", "tab\t",
    "nul\x00here", "\x00", "\uf8fe", "\uf8fe0", "\uf8fe\x00", "ünïcödé 🙂", "' or 1=1 --", "\\x00", "trailing\\",
]  # fmt: skip
COLUMNS: list[tuple[str, list[Any]]] = [
    ("text", TEXTS),
    ("text", [None, *TEXTS, None]),
    ("text", ["one"]),
    ("bigint", [0, -1, 1 << 62, -(1 << 63), (1 << 63) - 1]),
    ("bigint", [None, 5, None]),
    ("smallint", [True, False, 3]),
    ("bytea", [b"", b"\x00\xff", b'"\\', bytes(range(256)), None]),
    ("boolean", [True, False, None]),
    ("float8", [0.1, -1e300, 5, None, float("inf")]),
]


@pytest.mark.parametrize(("type_", "column"), COLUMNS)
async def test_every_value_comes_back_as_it_was(type_: str, column: list[Any], databases: Databases) -> None:
    connection = await asyncpg.connect(databases.url)
    try:
        statement = f"SELECT v FROM unnest($1::text::{type_}[]) WITH ORDINALITY u (v, n) ORDER BY n"
        found = [read(row)[0] for row in await connection.fetch(statement, literal(column, type_))]
    finally:
        await connection.close()
    assert found == column


@pytest.mark.parametrize(
    ("type_", "value"),
    [("bigint", "5"), ("bigint", 1.5), ("text", 5), ("text", b"x"), ("bytea", "x"), ("boolean", "t"), ("float8", "x")],
)
def test_a_value_of_another_kind_is_refused_before_it_is_sent(type_: str, value: Any) -> None:
    with pytest.raises((TypeError, LookupError, ValueError)):
        literal([value], type_)
