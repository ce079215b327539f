"""``greenroom db``: backups, migrations, pruning, forgetting."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import Run, contents, run_at
from tests.houses import HOUSES


def test_check_counts_what_it_checked(run: Run) -> None:
    run("branch", "evening", "--name", "other")
    found = run("db", "check", "--json").object
    assert (found["streams"], found["problems"]) == (2, [])
    assert run("db", "check").out.endswith("all as they were written\n")


@pytest.mark.sqlite
def test_a_backup_is_restored_and_what_was_there_is_kept(run: Run, home: Path) -> None:
    backup = Path(run("db", "backup", "--json").object["file"])
    assert backup.parent == home / "backups"
    run("send", "evening", "climb")
    restored = run("db", "restore", backup, "--json").object
    assert run("show", "evening", "--json").object["newest"] == 4
    run("db", "restore", restored["aside"])
    assert run("show", "evening", "--json").object["newest"] == 5


@pytest.mark.sqlite
def test_a_backup_may_go_elsewhere_and_make_a_house_elsewhere(run: Run, tmp_path: Path) -> None:
    made = run("db", "backup", "--to", tmp_path / "safe").out.split()[0]
    other = tmp_path / "other"
    assert "there was none before" in run_at(other, "db", "restore", made).out
    assert run_at(other, "verify", "evening").code == 0


@pytest.mark.sqlite
def test_a_damaged_backup_is_refused_and_nothing_changes(run: Run, home: Path, tmp_path: Path) -> None:
    before = contents(home)
    (tmp_path / "poem.db").write_text("no database at all " * 100)
    (tmp_path / "empty.db").write_text("")
    for name in ("poem.db", "empty.db"):
        assert run("db", "restore", tmp_path / name).code == 3
    assert contents(home) == before


def test_migrate_makes_a_house_and_then_has_nothing_to_do(tmp_path: Path) -> None:
    HOUSES.bare(tmp_path)
    first = run_at(tmp_path, "db", "migrate", "--json").object
    assert first["before"] is None
    again = run_at(tmp_path, "db", "migrate", "--json").object
    assert again["before"] == again["now"] == first["now"]
    assert "nothing to do" in run_at(tmp_path, "db", "migrate").out


def test_prune_removes_nothing_where_the_worlds_keep_everything(run: Run, home: Path) -> None:
    before = contents(home)
    assert run("db", "prune", "--dry-run", "--json").object["dry_run"] is True
    assert run("db", "prune").out == "gone: nothing\n"
    assert contents(home) == before


@pytest.mark.sqlite
def test_a_person_is_forgotten_when_the_name_is_typed_again(run: Run, home: Path) -> None:
    backup = run("db", "backup", "--json").object["file"]
    assert b"A warm stove." in (home / "house.db").read_bytes()
    told = run("db", "forget", "ada", typed="ada\n")
    assert told.code == 0
    assert "Type the name again" in told.err
    assert backup in told.out
    stored = b"".join(path.read_bytes() for path in home.glob("house.db*"))
    assert b"A warm stove." not in stored
    assert b"evening" not in stored
    gone = run("show", "evening", "--json")
    assert (gone.code, gone.object["error"]["kind"]) == (2, "Forgotten")


def test_a_person_is_not_forgotten_by_mistake(run: Run, home: Path) -> None:
    before = contents(home)
    for typed in ("", "\n", "adam\n"):
        told = run("db", "forget", "ada", typed=typed)
        assert (told.code, told.err.splitlines()[-1]) == (
            2,
            "Type the name again to go on: greenroom: the name was not typed again; nothing was removed",
        )
    assert contents(home) == before


@pytest.mark.sqlite
def test_forgetting_twice_is_no_error_and_still_names_backups(run: Run) -> None:
    backup = run("db", "backup", "--json").object["file"]
    first = run("db", "forget", "ada", "--yes", "--json").object
    assert first["streams"] == ["evening"]
    second = run("db", "forget", "ada", "--yes", "--json").object
    assert (second["streams"], second["backups"]) == ([], [backup])


def test_export_person_writes_what_forget_would_remove(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ada.jsonl"
    done = run("db", "export-person", "ada", "-o", file, "--json").object
    lines = file.read_text().splitlines()
    assert done == {"person": "ada", "lines": len(lines), "file": str(file)}
    assert all(isinstance(json.loads(line), dict) for line in lines)
    assert "A warm stove." in file.read_text()
    assert run("db", "export-person", "ada").out == file.read_text()


@pytest.mark.sqlite
def test_restore_is_refused_while_the_house_is_open(run: Run, home: Path) -> None:
    backup = run("db", "backup", "--json").object["file"]
    reader = sqlite3.connect(home / "house.db")
    reader.execute("SELECT count(*) FROM streams").fetchone()
    try:
        told = run("db", "restore", backup, "--json")
    finally:
        reader.close()
    assert (told.code, told.object["error"]["kind"]) == (5, "Locked")
