"""Two worker processes on one database: killed, cut off, and the server restarted under them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.counts import SOAK, count, report


def test_every_attempt_is_settled_once_whatever_dies(tmp_path: Path) -> None:
    turns, streams, kills = count(40, soak=2000), count(12, soak=200), count(3, soak=24)
    slowest = 0.2 if SOAK else 0.02
    began = time.monotonic()
    command = [sys.executable, "-m", "tests.postgres.storm", tmp_path, turns, streams, kills, slowest]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    report(f"a storm on postgres, two workers, {time.monotonic() - began:.0f} s: {json.dumps(found)}")
    assert found["acknowledged"] == turns, found
    assert found["missing"] == found["unsettled"] == found["settled_twice"] == found["failed"] == 0, found
    assert found["out_of_order"] == found["asked_again"] == found["left_behind"] == 0, found
    assert found["repeats"] <= found["in_flight"], found
    assert found["problems"] == [], found
    assert found["acts"]["restart"] == 1
