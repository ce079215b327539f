"""Every program in ``examples`` runs as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"
PROGRAMS = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_program_runs_and_says_something(program: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(program)],
        env={**os.environ, "GREENROOM_HOME": str(tmp_path), "GREENROOM_RECALL": "words"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


def test_the_page_names_every_program() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert len(PROGRAMS) == 5
    assert all(f"[{program.name}]({program.name})" in page for program in PROGRAMS)
