"""What lies beside the file: who may touch it, whether its end is there, whether a bit has turned on any page."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.client import LOADED, Line, begin, house_command
from greenroom.adapters.sqlite import witness
from greenroom.bootstrap import open_house
from greenroom.kernel.errors import GreenroomError
from greenroom.kernel.words import Words
from greenroom.services.verify import check_house
from greenroom.worlds.lighthouse.rules.commands import Say
from tests.conftest import NewHome
from tests.counts import count, report
from tests.entrypoints.cli.conftest import run_at

pytestmark = pytest.mark.sqlite


async def lived(path: Path, visits: int = 3, *, lines: int = 3) -> None:
    """A house in which a few people said a few things."""
    async with open_house(path, recall="words") as house:
        for i in range(visits):
            await house.start("lighthouse", {}, owner=f"guest-{i}", name=f"visit-{i}", seat="visitor")
            for n in range(lines):
                said = Say(text=Words(f"It is {n} o'clock and I am guest number {i}."))
                await house.send(f"visit-{i}", said, seat="visitor", key=f"k{n}")


async def problems(path: Path) -> list[str]:
    async with open_house(path, recall="words", work=False) as house:
        return list((await check_house(house.backend, house.codecs)).problems)


def run(*command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, capture_output=True, check=False, timeout=120)


def mode(place: Path) -> int:
    return stat.S_IMODE(place.stat().st_mode)


# who may touch it


async def test_a_home_and_all_its_files_are_its_owners_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with open_house(home / "house.db", recall="words") as house:
        await house.start("lighthouse", {}, owner="ada", name="visit", seat="visitor")
        assert mode(home) == 0o700
        assert {place.name: oct(mode(place)) for place in home.iterdir() if place.is_file()} == {
            place.name: "0o600" for place in home.iterdir() if place.is_file()
        }
    assert mode(home / "house.db.sums") == 0o600


async def test_a_home_that_stood_open_is_closed_at_the_start(tmp_path: Path) -> None:
    home = tmp_path / "home"
    await lived(home / "house.db", 1)
    home.chmod(0o755)
    for place in home.iterdir():
        place.chmod(0o644)
    assert await problems(home / "house.db") == []
    assert mode(home) == 0o700
    assert {mode(place) for place in home.iterdir() if place.is_file()} == {0o600}


async def test_another_user_cannot_hold_the_lock(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else for a moment; the modes of the files are tested above")
    await lived(tmp_path / "home" / "house.db", 1)
    os.chmod(tmp_path, 0o755)
    script = "import os, sys; os.setuid(65534); os.open(sys.argv[1], os.O_RDONLY)"
    for name in ("house.db.lock", "house.db.door", "house.db"):
        tried = await asyncio.to_thread(run, sys.executable, "-I", "-c", script, str(tmp_path / "home" / name))
        assert b"PermissionError" in tried.stderr


# whether its end is there


async def test_a_house_that_was_closed_is_whole_in_its_one_file(tmp_path: Path) -> None:
    await lived(tmp_path / "house.db")
    assert not (tmp_path / "house.db-wal").exists()
    shutil.copyfile(tmp_path / "house.db", tmp_path / "copy.db")
    async with open_house(tmp_path / "copy.db", recall="words", work=False) as house:
        assert len(await house.streams(limit=10)) == 3


async def test_a_house_whose_log_was_lost_says_that_its_end_is_missing(tmp_path: Path, new_home: NewHome) -> None:
    home = new_home(tmp_path / "home")
    server = await begin(house_command(home), LOADED)
    line = await Line.open(server.port)
    for _ in range(3):
        assert (await line.ask("POST", "/lighthouse/visits")).status == 201
    await asyncio.sleep(witness.ANCHOR_SECONDS)
    assert (await line.ask("POST", "/lighthouse/visits")).status == 201
    await server.kill()
    await line.close()
    assert await problems(home / "house.db") == [], "with its log it is whole"
    server = await begin(house_command(home), LOADED)
    line = await Line.open(server.port)
    assert (await line.ask("POST", "/lighthouse/visits")).status == 201
    await asyncio.sleep(witness.ANCHOR_SECONDS)
    assert (await line.ask("POST", "/lighthouse/visits")).status == 201
    await server.kill()
    await line.close()
    for log in ("house.db-wal", "house.db-shm"):
        (home / log).unlink(missing_ok=True)
    for _ in range(2):
        found = await problems(home / "house.db")
        assert any("the end of the house is missing" in one and "house.db-wal" in one for one in found)
    assert (await asyncio.to_thread(run_at, home, "db", "check")).code != 0


async def test_forgetting_and_removing_are_no_loss(tmp_path: Path) -> None:
    await lived(tmp_path / "house.db")
    async with open_house(tmp_path / "house.db", recall="words") as house:
        await house.forget("guest-2")
        await house.forget("guest-1")
    assert await problems(tmp_path / "house.db") == []
    await lived(tmp_path / "house.db", 1, lines=5)
    assert await problems(tmp_path / "house.db") == []


# whether a bit has turned


async def test_a_bit_that_turns_anywhere_in_the_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    await lived(path)
    whole, sums = path.read_bytes(), witness.beside(path, ".sums").read_bytes()
    assert await problems(path) == []
    chance, flips, found = random.Random(35), count(12, soak=1_000), 0
    for _ in range(flips):
        spoilt, at = bytearray(whole), chance.randrange(len(whole))
        spoilt[at] ^= 1 << chance.randrange(8)
        path.write_bytes(spoilt)
        witness.beside(path, ".sums").write_bytes(sums)
        witness.beside(path, ".damaged").unlink(missing_ok=True)
        try:
            told = await problems(path)
        except GreenroomError:
            told = ["it cannot be opened"]
        assert told, f"bit at byte {at}"
        found += 1
    report(f"db check: {flips} bits turned anywhere in a closed file, {found} found")


#: What has sums of its own in every row, also in a house that was killed: what happened, and what it led to.
SUMMED = ("streams", "steps", "snapshots")


def rows(path: Path) -> dict[str, list[str]] | None:
    """All that a reader would get, by table; None if it cannot be read."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            connection.text_factory = bytes
            tables = [name.decode() for (name,) in connection.execute("SELECT name FROM sqlite_master")]
            tables = [name for name in tables if _is_table(connection, name)]
            return {name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"'))) for name in tables}
    except (sqlite3.Error, UnicodeDecodeError):
        return None


def _is_table(connection: sqlite3.Connection, name: str) -> bool:
    (kind,) = connection.execute("SELECT type FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    return bytes(kind) == b"table" and not name.startswith(("memory_", "vectors"))


async def killed(home: Path) -> None:
    """A house that was closed once, went on, and was killed."""
    await lived(home / "house.db")
    server = await begin(house_command(home), LOADED)
    line = await Line.open(server.port)
    for rest in (0.0, 0.0, witness.ANCHOR_SECONDS, 0.0):
        assert (await line.ask("POST", "/lighthouse/visits")).status == 201
        await asyncio.sleep(rest)
    await server.kill()
    await line.close()


async def test_in_a_house_that_was_killed_no_turned_bit_changes_what_happened_unseen(tmp_path: Path) -> None:
    """Its pages have no sums until it is closed again: other rows can change, and how many do is told."""
    home, kept, chance = tmp_path / "home", tmp_path / "kept", random.Random(35)
    await killed(home)
    shutil.copytree(home, kept)
    right = rows(home / "house.db")
    assert right is not None
    flips, found, same, silent = count(12, soak=400), 0, 0, list[str]()
    for _ in range(flips):
        shutil.rmtree(home)
        shutil.copytree(kept, home)
        spoilt = bytearray((kept / "house.db").read_bytes())
        at = chance.randrange(len(spoilt))
        spoilt[at] ^= 1 << chance.randrange(8)
        (home / "house.db").write_bytes(spoilt)
        now = rows(home / "house.db")
        if now == right:
            same += 1
        elif now is None or await is_told(home / "house.db"):
            found += 1
        else:
            changed = [name for name in right if now.get(name) != right[name]]
            assert not set(changed) & set(SUMMED), f"bit at byte {at}: {changed}"
            silent.extend(changed)
    told = ", ".join(f"{silent.count(name)} in {name}" for name in sorted(set(silent)))
    report(f"db check: {flips} bits turned after a kill: {same} changed nothing, {found} found, not seen: {told or 0}")


async def is_told(path: Path) -> bool:
    try:
        return bool(await problems(path))
    except GreenroomError:
        return True


async def test_damage_is_not_taken_for_right_by_going_on_with_it(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    await lived(path)
    data = bytearray(path.read_bytes())
    at = data.index(b"I am guest number 1")
    data[at + 5] ^= 2
    path.write_bytes(data)
    for _ in range(2):
        told = await problems(path)
        assert any("memories" in one and "restore a backup" in one for one in told)
        async with open_house(path, recall="words") as house:
            await house.send("visit-0", Say(text=Words("Good night.")), seat="visitor")


async def test_another_file_in_its_place_is_no_damage(tmp_path: Path) -> None:
    path, other = tmp_path / "house.db", tmp_path / "other" / "house.db"
    await lived(path)
    await lived(other, 12, lines=6)
    shutil.copyfile(other, path)
    witness.beside(path, ".anchor").unlink()
    assert await problems(path) == []
