"""A run that is killed again and again comes to the lineage of one that was not, with any number of workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from greenroom.kernel.chance import Chance
from tests.counts import count, report

GENERATIONS = count(1, soak=30)
MANY = count(2, soak=8)
ISLANDS = count(1, soak=2)
COMMAND = (
    sys.executable, "-m", "greenroom.entrypoints.cli", "arena", "evolve", "--scenario", "harbour", "--seed", "7",
    "--islands", str(ISLANDS),
)  # fmt: skip


def begun(home: Path, workers: int) -> subprocess.Popen[str]:
    command = [*COMMAND, "--generations", str(GENERATIONS), "--workers", str(workers), "--home", str(home), "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def result(home: Path, workers: int) -> dict[str, Any]:
    process = begun(home, workers)
    out, err = process.communicate(timeout=900)
    assert process.returncode == 0, err[-2000:]
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.sqlite
def test_one_worker_many_workers_and_a_run_killed_again_and_again_have_one_lineage(tmp_path: Path) -> None:
    alone, many = result(tmp_path / "alone", 1), result(tmp_path / "many", MANY)
    kills, chance = count(2, soak=30), Chance("kills")
    took = max(2.0, alone["speed"]["seconds"])
    done = 0
    for i in range(kills):
        process = begun(tmp_path / "killed", 1 + i % 2)
        assert process.stderr is not None
        process.stderr.readline()  # it is about to play
        time.sleep(0.2 + took / kills * chance.below(1000) / 700)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            done += 1
        process.communicate()
    killed = result(tmp_path / "killed", 1)
    assert done >= kills // 2
    assert alone["lineage"] == many["lineage"] == killed["lineage"]
    assert alone["proof"] == many["proof"] == killed["proof"]
    report(
        f"arena: {GENERATIONS} generations, one lineage sum alone, by {MANY} workers and after {done} times kill -9; "
        f"{alone['speed']['turns_per_second']:.0f} turns/s alone, {many['speed']['turns_per_second']:.0f} by {MANY}"
    )
