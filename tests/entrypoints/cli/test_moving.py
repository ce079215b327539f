"""Streams out of a house and into another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import Run, contents, run_at


@pytest.fixture
def file(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "evening.jsonl"
    assert run("export", "evening", "-o", path).code == 0
    return path


def test_a_stream_is_the_same_in_another_house(run: Run, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    taken = run_at(other, "import", file, "--json").object
    assert (taken["stream"], taken["version"], taken["owner"]) == ("evening", 4, "ada")
    assert run_at(other, "replay", "evening", "--json").object == run("replay", "evening", "--json").object
    assert run_at(other, "verify", "evening").code == 0
    assert run_at(other, "send", "evening", "climb", "--json").object["version"] == 5


def test_without_a_file_the_lines_go_to_standard_output(run: Run, file: Path) -> None:
    assert run("export", "evening").out == file.read_text()
    refused = run("export", "evening", "--json")
    assert (refused.code, refused.object["error"]["kind"]) == (2, "Malformed")


def test_a_stream_that_is_there_already_is_not_taken_in(run: Run, home: Path, file: Path) -> None:
    before = contents(home)
    told = run("import", file)
    assert told.code == 4
    assert "evening" in told.sentence
    assert contents(home) == before


@pytest.mark.parametrize("damage", ["", "a poem\n", "{}\n", '{"greenroom": 99}\n', "\x00\xff"])
def test_a_file_of_another_form_is_refused_and_takes_nothing_in(
    run: Run, home: Path, tmp_path: Path, damage: str
) -> None:
    before = contents(home)
    path = tmp_path / "damaged.jsonl"
    path.write_text(damage)
    told = run("import", path, "--json")
    assert (told.code, told.object["error"]["kind"]) == (2, "Malformed")
    assert contents(home) == before


def test_an_altered_file_is_refused_and_takes_nothing_in(file: Path, tmp_path: Path) -> None:
    whole = file.read_text()
    other = tmp_path / "other"
    file.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    assert run_at(other, "import", file).code in (2, 3)
    file.write_text(whole.replace("climbed", "clambed").replace("held_up", "held_up_"))
    assert run_at(other, "import", file).code in (2, 3)
    assert run_at(other, "streams", "--json").object["streams"] == []


def test_a_failed_export_leaves_no_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    assert run("export", "nobody", "-o", path).code == 2
    assert list(tmp_path.glob("*.jsonl")) == []
    assert list(tmp_path.glob(".*")) == []
