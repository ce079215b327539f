"""Migrations: the definitions are the schema, every way there leads to the same place, and none loses anything."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import greenroom
from greenroom.adapters.sql import migrate
from greenroom.adapters.sql.migrations import HEAD
from greenroom.adapters.sqlite import backup, connection, opening, sqlite_backend
from greenroom.adapters.sqlite.backup import BACKUPS
from greenroom.adapters.sqlite.connection import connect
from greenroom.adapters.sqlite.file import check_file, schema_version
from greenroom.adapters.sqlite.witness import forget
from greenroom.kernel.errors import BackendError, CorruptHistory, DiskFull, Locked, NewerSchema
from greenroom.kernel.tables import Column, Table
from greenroom.kernel.words import Words
from tests.hardening.conftest import assert_sound, dump, execute, furnish, opened
from tests.hardening.world import Add, Say, den
from tests.migrations.together import OPENERS
from tools.schema import metadata


@contextmanager
def sql(path: Path) -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://", creator=lambda: connect(path, writes=True), poolclass=sa.pool.NullPool)
    try:
        with engine.connect() as opened_, opened_.begin():
            opened_.exec_driver_sql("BEGIN IMMEDIATE")
            yield opened_
    finally:
        engine.dispose()


@contextmanager
def scripts() -> Iterator[ScriptDirectory]:
    """The migrations themselves, read without a house."""
    engine = sa.create_engine("sqlite://", poolclass=sa.pool.NullPool)
    with engine.connect() as nowhere:
        yield ScriptDirectory.from_config(migrate.config(nowhere))


def revisions() -> list[str]:
    """All of them, oldest first."""
    with scripts() as all_of_them:
        return [script.revision for script in reversed(list(all_of_them.walk_revisions()))]


REVISIONS = revisions()
OLDER = REVISIONS[:-1]


#: Files as they were made by a Greenroom of each revision: made once, copied for every test.
_MADE: dict[str, bytes] = {}


def made_at(path: Path, revision: str) -> Path:
    """A file as a Greenroom of that time made it, with its secret and a removed stream's mark."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if revision not in _MADE:
        with sql(path) as at_work:
            migrate.upgrade(at_work, revision)
            at_work.exec_driver_sql("INSERT INTO house (key, value) VALUES ('secret', ?)", (b"s" * 32,))
            at_work.exec_driver_sql("INSERT INTO tombstones (digest, at) VALUES (?, 7)", (b"digest",))
        execute(path, "PRAGMA wal_checkpoint(TRUNCATE)")
        _MADE[revision] = path.read_bytes()
    path.write_bytes(_MADE[revision])
    return path


@pytest.fixture(scope="module")
def new_schema(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What a file is that was made just now."""
    path = tmp_path_factory.mktemp("new") / "house.db"
    asyncio.run(migrated(path))
    return schema_of(path)


def schema_of(path: Path) -> list[Any]:
    statement = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name <> 'alembic_version' ORDER BY 1, 2"
    return [tuple(row) for row in execute(path, statement)]


def backups_of(path: Path) -> list[Path]:
    return list(path.parent.glob(f"{BACKUPS}/*"))


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file by its content; a lock holds only when it was taken, and an empty log with its index is none."""
    found = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    return {name: data for name, data in found.items() if data and not name.endswith(("-shm", ".lock"))}


async def migrated(path: Path) -> Path:
    await sqlite_backend(path, ()).close()
    return path


# the definitions and the folder


async def test_the_definitions_and_the_migrations_make_the_same_schema(tmp_path: Path) -> None:
    path = await migrated(tmp_path / "house.db")
    with sql(path) as at_work:
        context = MigrationContext.configure(at_work, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
    tables = {name for (name,) in execute(path, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {name for name in tables if "_fts" not in name and not name.startswith("sqlite_")} == {
        *metadata.tables,
        "alembic_version",
    }


async def test_rows_lie_in_the_order_in_which_the_definitions_say(tmp_path: Path) -> None:
    """The comparison above does not look at it: a table kept in the order of its key costs a turn a page of its own."""
    path = await migrated(tmp_path / "house.db")
    made = dict(execute(path, "SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    for table in metadata.tables.values():
        by_key = not table.dialect_options["sqlite"]["with_rowid"]
        assert ("WITHOUT ROWID" in made[table.name]) is by_key, table.name


def test_a_definition_that_no_migration_makes_would_be_seen(tmp_path: Path) -> None:
    """The comparison can fail."""
    path = made_at(tmp_path / "house.db", HEAD)
    drifted = sa.MetaData(naming_convention=metadata.naming_convention)
    for table in metadata.tables.values():
        table.to_metadata(drifted)
    drifted.tables["streams"].append_column(sa.Column("colour", sa.Text))
    sa.Index("ix_steps_at", drifted.tables["steps"].c.at)
    with sql(path) as at_work:
        found = compare_metadata(MigrationContext.configure(at_work), drifted)
    assert sorted(change[0] for change in found) == ["add_column", "add_index"]


def test_the_head_is_the_newest_revision_and_the_line_has_no_branches() -> None:
    assert REVISIONS[-1] == HEAD
    assert sorted(REVISIONS) == REVISIONS, "revisions are compared as text"
    with scripts() as all_of_them:
        assert all_of_them.get_heads() == [HEAD]
        assert all_of_them.get_bases() == [REVISIONS[0]]
        assert all(not hasattr(script.module, "downgrade") for script in all_of_them.walk_revisions())


# every way leads to the same schema


@pytest.mark.parametrize("revision", OLDER)
async def test_an_older_file_becomes_what_a_new_one_is(tmp_path: Path, revision: str, new_schema: list[Any]) -> None:
    old = made_at(tmp_path / "old" / "house.db", revision)
    assert schema_version(old) == revision
    await migrated(old)
    assert schema_of(old) == new_schema
    assert execute(old, "SELECT key, value FROM house WHERE key = 'secret'") == [("secret", b"s" * 32)]
    assert execute(old, "SELECT digest, at FROM tombstones") == [(b"digest", 7)]
    check_file(old)


@pytest.mark.parametrize("revision", OLDER)
async def test_one_step_at_a_time_and_all_at_once_are_the_same(
    tmp_path: Path, revision: str, new_schema: list[Any]
) -> None:
    steps = made_at(tmp_path / "steps" / "house.db", revision)
    for following in REVISIONS[REVISIONS.index(revision) + 1 :]:
        with sql(steps) as at_work:
            migrate.upgrade(at_work, following)
    assert schema_of(steps) == new_schema


@pytest.mark.parametrize("start", [None, *OLDER])
async def test_every_migration_leaves_a_row(tmp_path: Path, start: str | None) -> None:
    path = tmp_path / "house.db"
    if start is not None:
        made_at(path, start)
    await migrated(path)
    found = execute(path, "SELECT version, at, greenroom FROM schema_versions ORDER BY version")
    assert [version for version, _, _ in found] == REVISIONS
    now = datetime.now(UTC).timestamp() * 1_000_000
    assert all(now - 60_000_000 < at <= now for _, at, _ in found)
    assert {by for _, _, by in found} == {greenroom.__version__}
    await migrated(path)
    assert execute(path, "SELECT version, at, greenroom FROM schema_versions ORDER BY version") == found


async def test_a_house_of_an_older_greenroom_plays_on(tmp_path: Path) -> None:
    """The oldest form holds whole streams: they are there afterwards, and go on."""
    path = tmp_path / "house.db"
    async with opened(path) as house:
        await furnish(house)
    before = dump(path)
    _set_back(path, tmp_path / "old.db")
    async with opened(path) as house:
        after = dump(path)
        for table in ("streams", "attempts", "steps", "snapshots", "memories", "den_sums", "den_lines"):
            assert after[table] == before[table]
        assert (await house.send("den", Add(4), seat="guest", key="new")).body["total"] == 10
        assert (await house.send("den", Say(Words("hello")), seat="guest", key="hello")).new is False
        await assert_sound(house)


def _set_back(path: Path, through: Path) -> None:
    """Put a house into the form of the first revision: migrations only go forward, so the rows are carried over."""
    made_at(through, REVISIONS[0])
    forget(path)  # another file takes its place
    connection_ = sqlite3.connect(through)
    connection_.execute("ATTACH ? AS newer", (str(path),))
    for (name,) in connection_.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
        if name in ("schema_versions", "alembic_version", "projections"):
            continue
        columns = ", ".join(f'"{row[1]}"' for row in connection_.execute(f'PRAGMA main.table_info("{name}")'))
        connection_.execute(f'DELETE FROM main."{name}"')
        connection_.execute(f'INSERT INTO main."{name}" ({columns}) SELECT {columns} FROM newer."{name}"')
    connection_.execute("DELETE FROM main.house WHERE key <> 'secret'")
    connection_.commit()
    connection_.close()
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    shutil.move(through, path)


# backups


@pytest.mark.parametrize("revision", OLDER)
async def test_a_checked_backup_is_made_before_an_older_file_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    path = made_at(tmp_path / "house.db", revision)
    before = dump(path)
    order: list[str] = []

    def noted(name: str, real: Any) -> Any:
        def act(*args: Any, **more: Any) -> Any:
            order.append(name)
            return real(*args, **more)

        return act

    monkeypatch.setattr(backup, "check_file", noted("checked", check_file))
    monkeypatch.setattr(migrate, "_record", noted("migrated", migrate._record))
    await migrated(path)
    assert order == ["checked", *["migrated"] * (len(REVISIONS) - 1 - REVISIONS.index(revision))]
    (copy,) = backups_of(path)
    assert copy.name.endswith(f"-before-{HEAD}.db")
    assert dump(copy) == before
    assert schema_version(copy) == revision
    check_file(copy)


async def test_backups_of_one_second_do_not_take_each_others_name(tmp_path: Path) -> None:
    old = made_at(tmp_path / "old.db", OLDER[-1])
    path = tmp_path / "home" / "house.db"
    path.parent.mkdir()
    for i in range(3):
        shutil.copy(old, path)
        execute(path, "UPDATE tombstones SET at = ?", i)
        await migrated(path)
    copies = backups_of(path)
    assert sorted(execute(copy, "SELECT at FROM tombstones")[0][0] for copy in copies) == [0, 1, 2]


async def test_a_new_file_needs_no_backup_and_a_current_one_gets_none(tmp_path: Path) -> None:
    path = await migrated(tmp_path / "house.db")
    await migrated(path)
    assert backups_of(path) == []


async def test_without_a_backup_nothing_is_changed(tmp_path: Path) -> None:
    path = made_at(tmp_path / "house.db", OLDER[-1])
    (tmp_path / BACKUPS).write_text("in the way")
    before = files_in(tmp_path)
    with pytest.raises(BackendError, match="the backup could not be written"):
        await migrated(path)
    assert (files_in(tmp_path), schema_version(path)) == (before, OLDER[-1])


def _damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(3, len(data) // 4096):
        data[page * 4096 : page * 4096 + 300] = b"\xa5" * 300
    path.write_bytes(bytes(data))


async def test_a_damaged_older_file_is_refused_before_anything_is_changed(tmp_path: Path) -> None:
    path = made_at(tmp_path / "house.db", OLDER[-1])
    _damage(path)
    before = files_in(tmp_path)
    with pytest.raises(CorruptHistory, match=str(tmp_path)):
        await migrated(path)
    assert files_in(tmp_path) == before


# refusals


async def test_a_newer_file_is_refused_and_not_one_byte_is_changed(tmp_path: Path) -> None:
    path = await migrated(tmp_path / "house.db")
    execute(path, "INSERT INTO schema_versions (version, at, greenroom) VALUES ('9999', 0, '99.0')")
    execute(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    before = files_in(tmp_path)
    with pytest.raises(NewerSchema) as told:
        await migrated(path)
    assert str(told.value) == (
        f"{path}: written by a newer Greenroom (schema 9999; this one knows up to {HEAD}): upgrade Greenroom"
    )
    assert told.value.exit_code == 3
    assert files_in(tmp_path) == before


@pytest.mark.parametrize("start", [None, *OLDER])
async def test_an_upgrade_that_fails_in_the_middle_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str | None, new_schema: list[Any]
) -> None:
    path = tmp_path / "house.db"
    before = {} if start is None else dump(made_at(path, start))
    real = migrate._record

    def fails_at_the_last(*, step: Any, **more: Any) -> None:
        if step.up_revision_id == HEAD:
            raise RuntimeError("a bug in a migration")
        real(step=step, **more)

    with monkeypatch.context() as patch:
        patch.setattr(migrate, "_record", fails_at_the_last)
        with pytest.raises(BackendError) as told:
            await migrated(path)
    way = f"from schema {start or 'nothing'} to {HEAD}"
    assert str(told.value).startswith(f"{path}: it could not be brought {way} (RuntimeError) and is as it was")
    assert schema_version(path) == start
    if start is not None:
        assert dump(path) == before
        (copy,) = backups_of(path)
        assert str(copy) in str(told.value)
    await migrated(path)
    assert schema_of(path) == new_schema


async def test_a_full_disk_in_the_middle_of_an_upgrade_is_told_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made_at(tmp_path / "house.db", OLDER[0])
    before = dump(path)

    def cramped(path: Path, *, writes: bool) -> sqlite3.Connection:
        made = connect(path, writes=writes)
        (pages,) = made.execute("PRAGMA page_count").fetchone()
        made.execute(f"PRAGMA max_page_count = {pages}")
        return made

    with monkeypatch.context() as patch:
        patch.setattr(opening, "connect", cramped)
        with pytest.raises(DiskFull, match=f"^{path}: the disk is full"):
            await migrated(path)
    assert dump(path) == before
    await migrated(path)


async def test_an_upgrade_waits_for_nobody_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made_at(tmp_path / "house.db", OLDER[-1])
    before = dump(path)
    monkeypatch.setattr(connection, "BUSY_MILLISECONDS", 50)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Locked, match=f"^{path}: another program holds the database"):
        await migrated(path)
    other.close()
    assert dump(path) == before
    await migrated(path)


# several at once


def _together(*paths: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.migrations.together", *map(str, paths)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def test_processes_that_open_the_same_file_at_once_all_succeed(tmp_path: Path) -> None:
    new, old = tmp_path / "new" / "house.db", made_at(tmp_path / "old" / "house.db", OLDER[-1])
    done = _together(new, old)
    assert (done.returncode, done.stderr) == (0, "")
    for path in (new, old):
        async with opened(path) as house:
            assert [s.name for s in await house.backend.streams.list()] == [f"evening-{i}" for i in range(OPENERS)]
            await assert_sound(house)
    assert (len(backups_of(new)), len(backups_of(old))) == (0, 1)


# tables of worlds


COLOURED = Table(
    name="den_sums",
    columns=(
        Column(name="n", kind="integer"),
        Column(name="total", kind="integer"),
        Column(name="added", kind="integer", optional=True),
        Column(name="even", kind="boolean"),
    ),
    key=("n",),
    indexes=(("total",),),
)


def coloured() -> Any:
    """The den, with one table declared otherwise."""
    plain = den()

    def rows(state: Any, told: Any) -> Iterator[Any]:
        for change in plain.rows(state, told):
            if change.table == "den_sums":
                total = change.values["total"]  # type: ignore[union-attr]
                yield type(change)("den_sums", {"n": told.version, "total": total, "even": total % 2 == 0})  # type: ignore[call-arg]
            else:
                yield change

    return den(tables=(COLOURED, *plain.tables[1:]), rows=rows)


async def test_a_table_that_is_declared_otherwise_now_is_rebuilt_from_the_journal_at_open(path: Path) -> None:
    async with opened(path) as house:
        await furnish(house)
        branch = await house.branch("den", 3, name="branch")
        await house.send(branch.name, Add(5), seat="guest")
        lines = dump(path)["den_lines"]
        digests = dict(execute(path, "SELECT name, digest FROM projections"))
    async with opened(path, world=coloured()) as house:
        rows = await house.backend.tables.rows("den", COLOURED)
        assert [(row["n"], row["total"], row["even"], row["added"]) for row in rows] == [
            (3, 1, False, None),
            (4, 3, False, None),
            (5, 6, True, None),
        ]
        assert [row["total"] for row in await house.backend.tables.rows("branch", COLOURED)] == [6]
        assert dump(path)["den_lines"] == lines
        await house.send("den", Add(4), seat="guest")
        await assert_sound(house)
        now = dict(execute(path, "SELECT name, digest FROM projections"))
        assert {name for name in now if now[name] != digests[name]} == {"den_sums"}
        assert execute(path, "SELECT stream, total FROM den_sums_view WHERE n = 6") == [("den", 10)]
    async with opened(path) as house:
        assert [row["added"] for row in await house.backend.tables.rows("den", den().tables[0])] == [1, 2, 3, 4]
        await assert_sound(house)


async def test_a_rebuild_that_was_broken_off_is_done_again_at_the_next_open(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(path) as house:
        for i in range(3):
            await furnish(house, f"den-{i}")
    counter = itertools.count()

    async def breaks(*_: Any, **__: Any) -> None:
        if next(counter) == 1:
            raise DiskFull("full")

    with monkeypatch.context() as patch:
        patch.setattr("greenroom.services.tables._rebuild", breaks)
        with pytest.raises(DiskFull):
            async with opened(path, world=coloured()):
                pass
    async with opened(path, world=coloured()) as house:
        await assert_sound(house)


async def test_a_damaged_stream_does_not_keep_a_house_with_a_changed_table_closed(path: Path, heard: Any) -> None:
    async with opened(path) as house:
        await furnish(house)
        await furnish(house, "other")
    sid = "(SELECT sid FROM streams WHERE name = 'den')"
    execute(path, f"UPDATE steps SET events = x'ff' WHERE version = 4 AND sid = {sid}")
    async with opened(path, world=coloured()) as house:
        assert (await house.send("other", Add(4), seat="guest")).body["total"] == 10
        rows = await house.backend.tables.rows("other", COLOURED)
        assert [row["total"] for row in rows] == [1, 3, 6, 10]
    (sentence,) = heard.sentences
    assert sentence.startswith("stream den, version 4: ")
    assert sentence.endswith("; its table rows could not be rebuilt")
