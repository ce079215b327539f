"""What a connection does to values, and to the program around it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from greenroom.adapters.sqlite.connection import connect

_PROGRAM = """
import sqlite3

def mine(value):
    return "mine"

sqlite3.register_adapter(bool, mine)
import greenroom.adapters.sqlite.connection
assert sqlite3.adapters[bool, sqlite3.PrepareProtocol] is mine
assert sqlite3.connect(":memory:").execute("SELECT ?", (True,)).fetchone() == ("mine",)
"""


@pytest.mark.parametrize("value", [None, b"", b"\x00\xff", True, False, 0, -1, 0.5, "", "é"])
def test_a_value_comes_back_as_it_was(tmp_path: Path, value: object) -> None:
    connection = connect(tmp_path / "values.db", writes=True)
    try:
        ((kind, back),) = connection.execute("SELECT typeof(?), ?", (value, value))
    finally:
        connection.close()
    assert back == value
    assert kind == {type(None): "null", bytes: "blob", float: "real", str: "text"}.get(type(value), "integer")


def test_what_a_program_adapts_by_itself_stays_so() -> None:
    subprocess.run([sys.executable, "-c", _PROGRAM], check=True, timeout=60)
