"""A follower's process killed with SIGKILL at random moments beside processes that write."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.counts import count, report


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
def test_every_settled_step_is_told_in_order_whatever_dies(backend: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.followers.storm", backend, str(tmp_path), str(count(3, soak=100))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    report(f"a follower killed again and again beside writers, {backend}: {json.dumps(found)}")
    assert found["steps"] > 100, found
    assert found["late"] == 4, found
    assert found["missing"] == found["skipped"] == found["behind"] == 0, found
