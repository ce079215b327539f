"""``greenroom new``: a world that runs, passes its own tests, and carries its own name."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import Ran, run_at
from tests.houses import HOUSES
from tests.plugins.installing import install


def at(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a module where the package of a folder is installed."""
    home = folder / "home"
    more = {"PYTHONPATH": str(folder), "GREENROOM_HOME": str(home), **HOUSES.environment(home)}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


def new(folder: Path, name: str, *more: object) -> Ran:
    return run_at(folder / "home", "new", name, "--path", folder, *more)


@pytest.mark.installs
def test_a_new_world_passes_its_own_tests_and_the_linter(tmp_path: Path) -> None:
    made = new(tmp_path, "tea_house")
    assert made.code == 0
    assert made.out.startswith(f"{tmp_path / 'tea_house'}: the world tea_house, ")
    install(tmp_path / "tea_house", "tea_house", {"tea_house": "tea_house:PLUGIN"})
    tested = at(tmp_path / "tea_house", "pytest", "-q", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout
    assert "15 passed" in tested.stdout
    for check in (("check",), ("format", "--check")):
        linted = at(tmp_path / "tea_house", "ruff", *check, "--no-cache", ".")
        assert linted.returncode == 0, linted.stdout


def test_it_is_a_package_that_can_be_published(tmp_path: Path) -> None:
    assert new(tmp_path, "tea_house").code == 0
    written = tomllib.loads((tmp_path / "tea_house" / "pyproject.toml").read_text())["project"]
    assert written["entry-points"]["greenroom.worlds"] == {"tea_house": "tea_house:PLUGIN"}
    assert (written["name"], written["license"], written["readme"]) == ("tea_house", "Apache-2.0", "README.md")
    major, minor = version("greenroom").split(".")[:2]
    assert written["dependencies"] == [f"greenroom[server]>={major}.{minor},<{major}.{int(minor) + 1}"]
    assert "test" in written["optional-dependencies"]
    assert (tmp_path / "tea_house" / "tea_house" / "py.typed").exists()


def test_it_carries_its_own_name_and_no_other(tmp_path: Path) -> None:
    made = new(tmp_path, "tea_house", "--json").object
    folder = tmp_path / "tea_house"
    assert (made["world"], made["folder"]) == ("tea_house", str(folder))
    assert {"README.md", "pyproject.toml", "tea_house/rules/rules.py", "tests/test_rules.py"} <= set(made["files"])
    assert {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()} == set(made["files"])
    texts = "".join((folder / file).read_text(encoding="utf-8") for file in made["files"])
    assert "Tea House" in texts
    assert "GREENROOM_TEA_HOUSE_" in texts
    assert "new_world" not in texts.lower()
    assert "@BOUND@" not in texts
    assert "New World" not in texts


@pytest.mark.parametrize(
    "name",
    ["", "Tea", "tea-house", "tea house", "1tea", "_tea", "tea_", "te__a", "té", "../tea", "a/b", "x" * 41, "tea\n"],
)
def test_a_name_that_no_package_can_have_is_refused(tmp_path: Path, name: str) -> None:
    told = new(tmp_path, name)
    assert (told.code, "cannot be the name of a world" in told.sentence) == (2, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    [
        *("class", "json", "greenroom", "lighthouse", "tests", "pydantic", "a_new_world"),
        *("play", "db", "agi", "streams", "house", "why", "console"),
    ],
)
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
