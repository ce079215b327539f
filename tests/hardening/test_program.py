"""The program where only a process of its own can show it: a disk that is full, a file that may not be written."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import run_at
from tests.hardening.conftest import assert_sound, dump, execute, opened
from tests.hardening.cramped import DENS, ROUNDS

ROOT = Path(__file__).parents[2]


def run(*args: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} | ({"GREENROOM_HOME": str(home)} if home else {})
    return subprocess.run(
        [sys.executable, *args], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


async def test_a_disk_that_fills_up_loses_nothing_acknowledged_and_the_same_house_goes_on_when_there_is_room(
    path: Path,
) -> None:
    done = run("-m", "tests.hardening.cramped", str(path))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["problems"] == []
    assert told["acknowledged"], "some turns fitted"
    assert told["refused"], "and some did not"
    assert len(told["acknowledged"]) + len(told["refused"]) == DENS * ROUNDS
    assert all(version == stored for _, _, version, stored in told["acknowledged"])
    assert {kind for _, _, kind, _ in told["refused"]} == {"DiskFull"}
    assert {sentence for _, _, _, sentence in told["refused"]} == {
        f"{path}: the disk cannot be written (full, or failing); nothing acknowledged was lost"
    }
    async with opened(path) as house:
        for i in range(DENS):
            stored = await house.backend.streams.attempts(f"den-{i}", after=1)
            assert sorted(a.key for a in stored) == [f"k{round_}" for round_ in range(ROUNDS)]
            assert {a.status for a in stored} == {"settled"}
        await assert_sound(house)


FULL = (
    "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2); "
    "from greenroom.entrypoints.cli import main; main()"
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    assert run_at(tmp_path, "start", "lighthouse", "--name", "evening", "--owner", "ada", "--seed", 7).code == 0
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    return tmp_path


def test_the_program_ends_with_5_on_a_full_disk_and_nothing_is_changed(home: Path) -> None:
    before, path = dump(home / "house.db"), home / "house.db"
    done = run("-c", FULL, "33000", "send", "evening", "climb", home=home)
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == (
        f"greenroom: {path}: the disk cannot be written (full, or failing); nothing acknowledged was lost\n"
    )
    assert dump(path) == before
    assert run_at(home, "send", "evening", "climb").code == 0
    assert run_at(home, "db", "check").code == 0


def test_no_house_is_half_made_on_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    done = run("-c", FULL, "20000", "start", "lighthouse", home=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (5, "", 1)
    assert done.stderr.startswith(f"greenroom: {path}: the disk cannot be written")
    assert run_at(tmp_path, "start", "lighthouse", "--name", "evening").code == 0
    assert run_at(tmp_path, "db", "check").code == 0


def test_a_file_that_root_may_not_write_either_ends_with_5(home: Path) -> None:
    path = home / "house.db"
    before = dump(path)
    execute(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    confined = str(Path(__file__).parent / "confined.py")
    nothing = run(confined, "--", "send", "evening", "climb", home=home)
    if nothing.returncode == 77:
        pytest.skip("this kernel has no Landlock; the other ways to be read-only are tested everywhere")
    assert (nothing.returncode, nothing.stdout) == (5, "")
    assert nothing.stderr == (f"greenroom: {path}: the lock file beside it cannot be written (Permission denied)\n")
    only_lock = run(confined, f"{path}.lock", "--", "send", "evening", "climb", "--json", home=home)
    assert (only_lock.returncode, only_lock.stderr) == (5, "")
    told = json.loads(only_lock.stdout)["error"]
    assert told["kind"] == "ReadOnly"
    assert told["message"].startswith(f"{path}: the database ")
    assert dump(path) == before
    assert run_at(home, "send", "evening", "climb").code == 0
    assert run_at(home, "db", "check").code == 0
