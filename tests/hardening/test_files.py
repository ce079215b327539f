"""Files that are no house, or no longer one: told by name, left as they are, and what can be saved is saved."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from greenroom.adapters.sqlite.backup import back_up, restore
from greenroom.kernel.errors import BackendError, CorruptHistory, GreenroomError, Malformed, ReadOnly
from greenroom.services.verify import check_house
from tests.entrypoints.cli.conftest import Ran, run_at
from tests.hardening.conftest import assert_sound, furnish, opened
from tests.hardening.world import Add

PAGE = 4096


@pytest.fixture
async def closed(path: Path) -> Path:
    """A house file with a past, and nobody in it."""
    async with opened(path) as house:
        await furnish(house, adds=30)
    return path


def bytes_of(path: Path) -> bytes:
    return path.read_bytes()


def replace(path: Path, data: bytes) -> None:
    path.write_bytes(data)


async def run_in(home: Path, *args: object) -> Ran:
    """The program, with a loop of its own."""
    return await asyncio.to_thread(run_at, home, *args)


async def refused(path: Path) -> GreenroomError:
    """What is said when the file is opened; not a byte of it is changed."""
    before = bytes_of(path)
    with pytest.raises(GreenroomError) as told:
        async with opened(path):
            pass
    assert bytes_of(path) == before
    assert str(path) in str(told.value)
    assert "\n" not in str(told.value)
    assert (await run_in(path.parent, "streams")).code == told.value.exit_code
    assert bytes_of(path) == before
    return told.value


TRUNCATED: dict[str, Callable[[bytes], bytes]] = {
    "less than a header": lambda data: data[:99],
    "a header": lambda data: data[:100],
    "one page": lambda data: data[:PAGE],
    "half": lambda data: data[: len(data) // 2 // PAGE * PAGE],
    "in the middle of a page": lambda data: data[: len(data) // 2 // PAGE * PAGE + 700],
    "all but a page": lambda data: data[:-PAGE],
    "a page of zeros": lambda data: bytes(PAGE),
    "a header that was written over": lambda data: b"\xa5" * 100 + data[100:],
    "a schema that was written over": lambda data: data[:100] + b"\xa5" * 3996 + data[PAGE:],
    "a poem": lambda data: b"Shall I compare thee to a summer's day?\n" * 300,
}


@pytest.mark.parametrize("torn", TRUNCATED.values(), ids=TRUNCATED.keys())
async def test_a_torn_file_is_told_and_left_as_it_is(closed: Path, torn: Callable[[bytes], bytes]) -> None:
    replace(closed, torn(bytes_of(closed)))
    error = await refused(closed)
    assert (type(error), error.exit_code) == (CorruptHistory, 3)
    assert "restore a backup" in str(error)


async def test_an_empty_file_becomes_a_house(tmp_path: Path) -> None:
    (tmp_path / "house.db").touch()
    async with opened(tmp_path / "house.db") as house:
        await furnish(house)
        await assert_sound(house)


async def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    path.mkdir()
    (path / "something").write_text("of somebody's")
    with pytest.raises(Malformed, match=f"^{path}: this is a folder; name a file in it, or another place$"):
        async with opened(path):
            pass
    told = await run_in(tmp_path, "streams")
    assert (told.code, told.sentence) == (2, f"{path}: this is a folder; name a file in it, or another place")
    assert [file.name for file in path.iterdir()] == ["something"]


async def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(ReadOnly, match=f"^{tmp_path / 'home'}: the folder cannot be made"):
        async with opened(tmp_path / "home" / "house.db"):
            pass


async def test_a_damaged_page_is_told_where_it_is_read_and_a_backup_brings_everything_back(closed: Path) -> None:
    copy = back_up(closed, closed.parent / "copies")
    data = bytearray(bytes_of(closed))
    at = data.index(b'["added",{"by":7}]') // PAGE * PAGE
    data[at : at + 64] = b"\xa5" * 64
    replace(closed, bytes(data))
    async with opened(closed) as house:
        damaged = f"^{closed}: the database file is damaged; restore a backup with 'greenroom db restore'$"
        with pytest.raises(CorruptHistory, match=damaged):
            await house.view("den", seat="guest", version=9)
        found = (await check_house(house.backend, house.codecs)).problems
        assert any("the database file is damaged" in sentence for sentence in found)
    told = await run_in(closed.parent, "db", "check")
    assert (told.code, "the database file is damaged" in told.out) == (3, True)
    assert (await run_in(closed.parent, "db", "backup")).code == 3, "a damaged file is not copied as if it were sound"
    restore(copy, closed)
    async with opened(closed) as house:
        assert (await house.send("den", Add(1), seat="guest")).body["total"] == 466
        await assert_sound(house)


# places that nobody may write, root neither


async def test_a_place_where_nothing_can_be_made_is_read_only() -> None:
    with pytest.raises(ReadOnly, match=r"^/proc/greenroom: the folder cannot be made"):
        async with opened(Path("/proc/greenroom/house.db")):
            pass
    told = await run_in(Path("/proc/greenroom"), "start", "lighthouse")
    assert (told.code, told.sentence.startswith("/proc/greenroom: the folder cannot be made")) == (5, True)


async def test_a_sealed_file_is_read_only_and_stays_as_it_is(closed: Path) -> None:
    data = bytes_of(closed)
    memory = os.memfd_create("house", os.MFD_ALLOW_SEALING)
    try:
        os.write(memory, data)
        fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
        with pytest.raises(ReadOnly, match=f"^/proc/self/fd/{memory}: the lock file beside it cannot be written"):
            async with opened(Path(f"/proc/self/fd/{memory}")):
                pass
        assert os.pread(memory, len(data) + 1, 0) == data
    finally:
        os.close(memory)


async def test_a_backup_into_a_place_that_cannot_be_written_leaves_nothing(closed: Path) -> None:
    with pytest.raises(BackendError, match=r"^/proc/greenroom: the backup could not be written"):
        back_up(closed, Path("/proc/greenroom"))
    assert (await run_in(closed.parent, "db", "backup", "--to", "/proc/greenroom")).code == 5
