"""A worker that is killed in the middle of a player's message, as a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.counts import count, report


@pytest.mark.sqlite
def test_a_worker_killed_in_the_middle_of_a_message_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    kills = count(2, soak=60)
    command = [sys.executable, "-m", "tests.worlds.phantom.killing", str(tmp_path), str(kills), "7"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    report(f"phantom: kill -9 in the middle of a message: {json.dumps(found)}")
    assert found["acknowledged"] == found["settled"] == kills, found
    assert found["settled_twice"] == found["failed"] == 0, found
    assert found["asked_again"] == 0, found
    assert 0 < found["repeats"] <= found["in_flight"], found
    # one that follows at once may be answered together with the one before, and some by nothing: the story says why
    assert 2 * kills >= found["letters"] == found["delivered"] >= kills, found
    assert found["letters_left"] == 0, found
    assert found["problems"] == [], found
