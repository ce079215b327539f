"""``greenroom doctor``, ``--home`` anywhere, and completion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import Run, run_at


def test_a_sound_house_is_in_order(run: Run) -> None:
    told = run("doctor")
    assert (told.code, told.err) == (0, "")
    assert told.out.endswith("everything is in order\n")
    whats = {one["what"] for one in run("doctor", "--json").object["findings"]}
    assert {"greenroom", "sqlite", "settings", "disk", "database", "worlds", "models", "port"} <= whats


@pytest.mark.sqlite
def test_a_house_that_is_not_there_yet_is_no_fault(tmp_path: Path) -> None:
    told = run_at(tmp_path, "doctor")
    assert told.code == 0
    assert f"there is no house in {tmp_path / 'house.db'} yet" in told.out
    assert not (tmp_path / "house.db").exists()


@pytest.mark.sqlite
def test_a_file_that_is_no_house_is_named(tmp_path: Path) -> None:
    (tmp_path / "house.db").write_bytes(b"something else altogether" * 100)
    told = run_at(tmp_path, "doctor")
    assert told.code == 1
    assert "!!  database:" in told.out


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("GREENROOM_PORT", "many", "!!  settings: GREENROOM_PORT"),
        ("GREENROOM_MODELS", '{"qualty": {"model": "openai:x"}}', "!!  models: GREENROOM_MODELS: no world has a role"),
        ("GREENROOM_MODELS", '{"quality": {"model": "anthropic:x"}}', "!!  model quality: no key is set"),
    ],
)
def test_wrong_settings_are_told(name: str, value: str, line: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv(name, value)
    told = run("doctor")
    assert told.code == 1
    assert line in told.out


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "args",
    [
        ("--home", "{}", "db", "check"),
        ("db", "--home", "{}", "check"),
        ("db", "check", "--home={}"),
        ("--home={}", "db", "check", "--json"),
    ],
)
def test_the_house_may_be_named_anywhere(args: tuple[str, ...], home: Path, tmp_path: Path) -> None:
    told = run_at(tmp_path / "elsewhere", *(arg.format(home) for arg in args))
    assert (told.code, told.err) == (0, "")


def test_a_command_nobody_knows_is_answered_with_the_one_that_was_meant(run: Run) -> None:
    assert "Did you mean 'streams'" in run("strems").sentence
    assert run("db", "chek").sentence.endswith("Did you mean 'check'?")


def test_a_shell_is_told_how_words_go_on() -> None:
    asked = {"_GREENROOM_COMPLETE": "complete_bash", "COMP_WORDS": "greenroom mod", "COMP_CWORD": "1"}
    program = "import sys; sys.argv = ['greenroom']; from greenroom.entrypoints.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["models"]
