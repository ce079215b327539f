"""The programs of docs/integrations.md run as they stand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_examples import BLOCK, ROOT

pytest.importorskip("google.adk", reason="the programs of docs/integrations.md: run 'make interop'")
pytest.importorskip("pettingzoo", reason="the programs of docs/integrations.md: run 'make interop'")

PROGRAMS = BLOCK.findall((ROOT / "docs" / "integrations.md").read_text(encoding="utf-8"))
TOLD = ["You said: Still here.", "'winners':", "player_7 "]


def test_there_is_a_program_for_each_integration() -> None:
    assert len(PROGRAMS) == len(TOLD)


@pytest.mark.parametrize("n", range(len(TOLD)), ids=["sessions", "a seat", "pettingzoo"])
def test_a_program_of_the_page_runs(n: int, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAMS[n], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "program.py"],
        env={**os.environ, "GREENROOM_HOME": str(tmp_path / "home")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert TOLD[n] in done.stdout
