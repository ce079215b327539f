"""``greenroom new``: a world that runs, passes its own tests, and carries its own name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import Ran, run_at
from tests.houses import HOUSES


def at(folder: Path, *command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    home = folder / "home"
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "GREENROOM_HOME": str(home), **HOUSES.environment(home)},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def new(folder: Path, name: str, *more: object) -> Ran:
    return run_at(folder / "home", "new", name, "--path", folder, *more)


def test_a_new_world_passes_its_own_tests_and_the_linter(tmp_path: Path) -> None:
    made = new(tmp_path, "tea_house")
    assert made.code == 0
    assert made.out.startswith(f"{tmp_path / 'tea_house'}: the world tea_house, ")
    tested = at(tmp_path / "tea_house", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout
    assert "7 passed" in tested.stdout
    for check in (("check",), ("format", "--check")):
        linted = at(tmp_path / "tea_house", "-m", "ruff", *check, "--no-cache", ".")
        assert linted.returncode == 0, linted.stdout


def test_it_can_be_played_in_the_terminal(tmp_path: Path) -> None:
    assert new(tmp_path, "parlour").code == 0
    typed = "say Is it alive?\nbeg\nguess the sky\ndance\nguess footsteps, candle, shadow\n"
    played = at(tmp_path / "parlour", "-m", "parlour", typed=typed)
    assert (played.returncode, played.stderr) == (0, "")
    assert "(understudy speaks for the host." in played.stdout
    assert "You may: say ..., beg, guess ..., leave" in played.stdout
    assert "Right!" in played.stdout
    assert "The answer was: " in played.stdout


def test_it_carries_its_own_name_and_no_other(tmp_path: Path) -> None:
    made = new(tmp_path, "tea_house", "--json").object
    folder = tmp_path / "tea_house"
    assert (made["world"], made["folder"]) == ("tea_house", str(folder))
    assert {"README.md", "pyproject.toml", "tea_house/rules.py", "tests/test_tea_house.py"} <= set(made["files"])
    assert {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()} == set(made["files"])
    texts = "".join((folder / file).read_text(encoding="utf-8") for file in made["files"])
    assert "Tea House" in texts
    assert "new_world" not in texts
    assert "New World" not in texts


@pytest.mark.parametrize(
    "name",
    ["", "Tea", "tea-house", "tea house", "1tea", "_tea", "tea_", "te__a", "té", "../tea", "a/b", "x" * 41, "tea\n"],
)
def test_a_name_that_no_package_can_have_is_refused(tmp_path: Path, name: str) -> None:
    told = new(tmp_path, name)
    assert (told.code, "cannot be the name of a world" in told.sentence) == (2, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["class", "json", "greenroom", "lighthouse", "tests", "pydantic", "a_new_world"])
def test_the_name_of_something_else_is_refused(tmp_path: Path, name: str) -> None:
    assert "is the name of something else here" in new(tmp_path, name).sentence
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "tea_house").mkdir()
    told = new(tmp_path, "tea_house")
    assert (told.code, "is there already" in told.sentence) == (4, True)
    assert list((tmp_path / "tea_house").iterdir()) == []
    (tmp_path / "inn").write_text("mine")
    assert new(tmp_path, "inn", "--json").object["error"]["kind"] == "Conflict"
    assert (tmp_path / "inn").read_text() == "mine"


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    told = run_at(tmp_path, "new", "tea_house", "--path", tmp_path / "nowhere")
    assert (told.code, "there is no such folder" in told.sentence) == (2, True)
