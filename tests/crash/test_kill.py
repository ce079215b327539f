"""Workers killed with SIGKILL at random moments, in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from greenroom.bootstrap import tables_of
from tests.conftest import NewFile
from tests.counts import count, report
from tests.crash.world import WORLDS


@pytest.fixture
def folder(new_file: NewFile) -> Path:
    """A folder with a house in it, and nothing in that: no program need make one."""
    return new_file(tables_of(WORLDS)).parent


def _zygote(*args: object) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.crash.zygote", *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _storm(folder: Path, *, kills: int, workers: int, seed: int) -> dict[str, Any]:
    found = _zygote(folder, kills, workers, seed)
    report(f"kill -9, {workers} worker process(es) beside a recording client: {json.dumps(found)}")
    return found


def _check(found: dict[str, Any]) -> None:
    assert found["acknowledged"] > 10
    assert found["missing"] == found["unsettled"] == found["settled_twice"] == found["failed"] == 0, found
    assert found["asked_again"] == found["left_behind"] == 0, found
    assert found["repeats"] <= found["in_flight"], found
    assert found["problems"] == [], found


def test_a_killed_worker_loses_nothing_and_settles_everything_once(folder: Path) -> None:
    _check(_storm(folder, kills=count(3, soak=200), workers=1, seed=1))


def test_two_workers_share_a_file_and_one_is_killed_again_and_again(folder: Path) -> None:
    found = _storm(folder, kills=count(2, soak=50), workers=2, seed=2)
    _check(found)


@pytest.mark.alone
def test_a_record_beside_a_saturating_writer_does_not_starve(folder: Path) -> None:
    found = _zygote("neighbours", folder, count(100, soak=2000))
    report(f"two processes on one file, one saturating: {json.dumps(found)}")
    # Small runs have other tests beside them, which can hold up the one or two of a hundred that the last centile is.
    assert found["record_p50_ms"] <= 100, found
    assert found["record_p99_ms"] <= count(5_000, soak=100), found
    assert found["writer_turns_per_second"] > 100, found
