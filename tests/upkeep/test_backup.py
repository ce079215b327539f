"""A backup is a whole house, or it is refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from greenroom.adapters.sqlite.backup import BACKUPS, back_up, restore
from greenroom.kernel.errors import BackendError, CorruptHistory, Locked, NewerSchema, Unknown
from greenroom.services.verify import check_house
from tests.upkeep.conftest import a_place


async def test_a_restored_house_is_the_house_as_it_was(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        await place.play("tale-1", lines=5)
        seen = (await place.house.view("tale-1", seat="guest")).body
        backup = back_up(tmp_path / "house.db", tmp_path / BACKUPS)
        await place.say("tale-1", 5, tag="later")
    aside = restore(backup, tmp_path / "house.db")
    assert aside is not None
    assert aside.parent == tmp_path / BACKUPS
    async with a_place("sqlite", tmp_path) as place:
        assert (await place.house.view("tale-1", seat="guest")).body == seen
        assert (await check_house(place.backend, place.codecs)).problems == ()
        await place.say("tale-1", 5, tag="another")
    async with a_place("sqlite", aside.parent, name=aside.name) as place:
        assert (await place.house.view("tale-1", seat="guest")).body["lines"] == 12


async def test_a_backup_is_made_while_the_house_is_at_work(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        await place.play("tale-1", lines=5)
        first = back_up(tmp_path / "house.db", tmp_path / BACKUPS)
        second = back_up(tmp_path / "house.db", tmp_path / BACKUPS)
        assert first != second
        assert sorted(path.name for path in (tmp_path / BACKUPS).iterdir()) == sorted((first.name, second.name))
        await place.say("tale-1", 2, tag="later")
    restore(first, tmp_path / "elsewhere" / "new.db")
    async with a_place("sqlite", tmp_path / "elsewhere", name="new.db") as place:
        assert (await place.house.view("tale-1", seat="guest")).body["lines"] == 7


async def test_a_damaged_backup_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        await place.play("tale-1", lines=30)
    path = tmp_path / "house.db"
    backup = back_up(path, tmp_path / BACKUPS)
    data = bytearray(backup.read_bytes())
    for page in range(2, len(data) // 4096):
        data[page * 4096 : page * 4096 + 200] = bytes(200)
    backup.write_bytes(bytes(data))
    before = path.read_bytes()
    with pytest.raises(CorruptHistory):
        restore(backup, path)
    assert path.read_bytes() == before
    assert [file.name for file in (tmp_path / BACKUPS).iterdir()] == [backup.name]


@pytest.mark.parametrize(
    ("content", "sentence"), [(b"", "it is empty"), (b"not a database at all" * 300, "not a database")]
)
async def test_what_is_no_backup_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    (tmp_path / "odd.db").write_bytes(content)
    with pytest.raises(CorruptHistory, match=sentence):
        restore(tmp_path / "odd.db", tmp_path / "house.db")
    assert not (tmp_path / "house.db").exists()


async def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "odd.db")) as connection, connection:
        connection.execute("CREATE TABLE songs (title)")
    with pytest.raises(CorruptHistory, match="not a Greenroom house"):
        restore(tmp_path / "odd.db", tmp_path / "house.db")


async def test_a_backup_of_a_newer_greenroom_is_refused(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path):
        pass
    backup = back_up(tmp_path / "house.db", tmp_path / BACKUPS)
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute("INSERT INTO schema_versions VALUES ('9999', 0, '99.0')")
    with pytest.raises(NewerSchema, match="upgrade Greenroom"):
        restore(backup, tmp_path / "house.db")


async def test_a_house_that_is_open_is_not_replaced(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        await place.play("tale-1", lines=2)
        backup = back_up(tmp_path / "house.db", tmp_path / BACKUPS)
        with pytest.raises(Locked, match="stop it, then restore"):
            restore(backup, tmp_path / "house.db")
        await place.say("tale-1", 2, tag="later")
        assert (await check_house(place.backend, place.codecs)).problems == ()


async def test_a_damaged_house_is_replaced_and_kept_as_it_is(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        await place.play("tale-1", lines=2)
    path = tmp_path / "house.db"
    backup = back_up(path, tmp_path / BACKUPS)
    path.write_bytes(b"torn " * 3_000)
    with pytest.raises(CorruptHistory):
        back_up(path, tmp_path / BACKUPS)
    aside = restore(backup, path)
    assert aside is not None
    assert aside.read_bytes() == b"torn " * 3_000
    async with a_place("sqlite", tmp_path) as place:
        assert (await check_house(place.backend, place.codecs)).problems == ()


async def test_a_backup_that_is_not_there_or_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unknown, match="there is no backup"):
        restore(tmp_path / "nothing.db", tmp_path / "house.db")
    with pytest.raises(Unknown, match="there is no database"):
        back_up(tmp_path / "nothing.db", tmp_path / BACKUPS)
    async with a_place("sqlite", tmp_path):
        (tmp_path / "file").write_text("in the way")
        with pytest.raises(BackendError, match="could not be written"):
            back_up(tmp_path / "house.db", tmp_path / "file")
