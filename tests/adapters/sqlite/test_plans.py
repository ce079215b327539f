"""What a worker asks at every bell is found by an index, whatever else lies in the file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from greenroom.adapters.sql import attempts
from greenroom.adapters.sqlite.dialect import given, translated
from greenroom.adapters.sqlite.opening import prepare


@pytest.mark.parametrize(
    ("statement", "values"),
    [(attempts._ready(["bar", "dice"])[0], (9, 9, 32, "bar", "dice")), (attempts._NEXT_OF, (9, ["bar", "dice"]))],
    ids=("claim", "next"),
)
def test_streams_of_worlds_that_nobody_has_are_not_looked_through(
    tmp_path: Path, statement: str, values: tuple[object, ...]
) -> None:
    prepare(path := tmp_path / "house.db", ())
    text, order = translated(statement)
    with closing(sqlite3.connect(path)) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", given(values, order))]
    looks = [step for step in plan if "streams" in step or " s " in step]
    assert any("ix_streams_ready_by_world (world=?" in step for step in looks)
    assert not any(step.startswith("SCAN") for step in looks)
