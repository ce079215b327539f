"""A server that is killed in the middle of an evening, as a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.counts import count, report


@pytest.mark.sqlite
def test_a_server_killed_in_the_middle_of_an_evening_changes_nothing_that_any_guest_sees(tmp_path: Path) -> None:
    """Restart equals no restart, for real: SIGKILL in a turn, at a request, after an answer, and on the clock."""
    kills = count(4, soak=40)
    command = [sys.executable, "-m", "tests.worlds.bar.killing", str(tmp_path), str(kills), "11"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert found["answers_that_differ"] == [], found
    assert found["guests_that_see_something_else"] == [], found
    assert found["problems"] == [], found
    assert found["kills"] == kills, found
    assert min(found[name] for name in ("in_turn", "warnings", "kicked", "crises")) > 0, found
    report(f"bar: kill -9 in the middle of an evening: {json.dumps(found)}")
