"""The program where only a process of its own can show it: a disk that is full, a file that may not be written."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from greenroom.adapters.content import packaged
from greenroom.adapters.sqlite import connection
from greenroom.bootstrap import open_house
from greenroom.kernel.words import Words
from greenroom.worlds.lighthouse.outside import content as lighthouse_content
from greenroom.worlds.lighthouse.rules.commands import Say
from tests.entrypoints.cli.conftest import run_at
from tests.hardening.conftest import assert_sound, dump, execute, opened
from tests.hardening.cramped import DENS, ROUNDS
from tests.hours import Shared

ROOT = Path(__file__).parents[2]
MEGABYTE = json.dumps({"text": "x" * 1_000_000})


def run(*args: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"GREENROOM_HOME": str(home)} if home else {})}
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


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """A house with one visit, made once."""

    def begin(home: Path) -> None:
        assert run_at(home, "start", "lighthouse", "--name", "evening", "--owner", "ada", "--seed", 7).code == 0

    return Shared(tmp_path_factory, begin)


@pytest.fixture
def home(begun: Shared, tmp_path: Path) -> Path:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    shutil.copytree(begun.home, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_the_program_ends_with_5_on_a_full_disk_and_nothing_is_changed(home: Path) -> None:
    before, path = dump(home / "house.db"), home / "house.db"
    done = run("-m", "tests.hardening.full", "33000", "send", "evening", "climb", home=home)
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == (
        f"greenroom: {path}: the disk cannot be written (full, or failing); nothing acknowledged was lost\n"
    )
    assert dump(path) == before
    assert run_at(home, "send", "evening", "climb").code == 0
    assert run_at(home, "db", "check").code == 0


def test_no_house_is_half_made_on_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    done = run("-m", "tests.hardening.full", "20000", "start", "lighthouse", home=tmp_path)
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
    assert nothing.stderr == (
        f"greenroom: {path}: the database may not be written; check the permissions of the file and its folder\n"
    )
    only_lock = run(confined, f"{path}.lock", "--", "send", "evening", "climb", "--json", home=home)
    assert (only_lock.returncode, only_lock.stderr) == (5, "")
    told = json.loads(only_lock.stdout)["error"]
    assert told["kind"] == "ReadOnly"
    assert told["message"].startswith(f"{path}: the database ")
    assert dump(path) == before
    assert run_at(home, "send", "evening", "climb").code == 0
    assert run_at(home, "db", "check").code == 0


# in this process


MISTAKES: list[tuple[tuple[str, ...], str | None, str, str]] = [
    (("send", "evening", "say", '{"text": "hm", "txt": 1}'), None, "Malformed", "unknown field 'txt'; it has text"),
    (("send", "evening", "climb", "--key", ""), None, "Malformed", "a key has 1 to 200 characters; this one has 0"),
    (("send", "evening", "climb", "--key", "wake/1"), None, "Malformed", "the house's own"),
    (("send", "evening", "climb", "--seat", "a\x1b[2J"), None, "Malformed", "a seat is text of 1 to 200 characters"),
    (("send", "evening", "greenroom.wake"), None, "Malformed", "climb, correct, leave, say, write"),
    (("start", "lighthouse", '{"keper": "x"}'), None, "Malformed", "lighthouse config: unknown field 'keper'"),
    (("start", "lighthouse", "--name", ""), None, "Malformed", "a stream name is text of 1 to 200 characters"),
    (("start", "lighthouse", "--owner", "a\x9bb"), None, "Malformed", "an owner is text"),
    (("send", "evening", "say", "-"), '{"text": "\\ud800"}', "Malformed", "JSON"),
    (("send", "evening", "say", "-"), MEGABYTE[:-2], "Malformed", "not JSON"),
]


@pytest.mark.parametrize(("args", "typed", "kind", "fragment"), MISTAKES, ids=lambda value: str(value)[:30])
def test_a_callers_mistake_ends_with_2_and_changes_nothing(
    home: Path, args: tuple[str, ...], typed: str | None, kind: str, fragment: str
) -> None:
    before = dump(home / "house.db")
    told = run_at(home, *args, typed=typed)
    assert told.code == 2
    assert fragment.removeprefix("an ").removeprefix("a ") in told.sentence
    as_json = run_at(home, *args, "--json", typed=typed).object["error"]
    assert as_json["kind"] == kind
    assert dump(home / "house.db") == before


def test_a_megabyte_of_words_is_refused_by_the_rules_and_the_visit_goes_on(home: Path) -> None:
    told = run_at(home, "send", "evening", "say", "-", typed=MEGABYTE)
    assert told.code == 2
    assert len(told.sentence) < 200
    assert run_at(home, "send", "evening", "climb").code == 0
    assert run_at(home, "db", "check").code == 0


async def said(home: Path, lines: int) -> None:
    """So much is said in one opened house that a snapshot was due."""
    async with open_house(home / "house.db", recall="words") as house:
        for i in range(lines):
            await house.send("evening", Say(text=Words(f"line {i}")), seat="visitor")


def test_a_damaged_snapshot_is_said_beside_the_answer(home: Path) -> None:
    asyncio.run(said(home, 20))
    ((version,),) = execute(home / "house.db", "SELECT max(version) FROM snapshots")
    execute(home / "house.db", "UPDATE snapshots SET state = x'7b7d' WHERE version = ?", version)
    told = run("-m", "greenroom.entrypoints.cli", "show", "evening", "--version", str(version), "--json", home=home)
    assert (told.returncode, json.loads(told.stdout)["version"]) == (0, version)
    (sentence,) = told.stderr.splitlines()
    assert sentence.startswith(f"greenroom: stream evening, snapshot at version {version}: ")
    assert sentence.endswith("; it was rebuilt from the events")
    assert run_at(home, "show", "evening", "--version", str(version)).err == ""
    assert run_at(home, "db", "check").code == 0


def test_a_database_that_another_program_holds_ends_with_5(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_MILLISECONDS", 50)
    path = home / "house.db"
    before = dump(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    told = run_at(home, "send", "evening", "climb")
    other.close()
    assert (told.code, told.sentence) == (
        5,
        f"{path}: another program holds the database; close it or wait, then try again",
    )
    assert dump(path) == before
    assert run_at(home, "send", "evening", "climb").code == 0


def test_a_malformed_content_file_ends_with_2_and_names_file_and_line(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = packaged("greenroom.worlds.lighthouse", "content/lighthouse.yaml")
    bad = tmp_path / "lighthouse.yaml"
    bad.write_text(f"colour: red\n{good.read_text()}")
    before = dump(home / "house.db")
    monkeypatch.setattr("greenroom.worlds.lighthouse.outside.packaged", lambda *_: bad)
    lighthouse_content.cache_clear()  # a program reads it once; this process may have
    told = run_at(home, "streams")
    assert told.code == 2
    assert told.sentence.startswith(f"{bad}:1: ")
    assert "colour" in told.sentence
    assert dump(home / "house.db") == before
