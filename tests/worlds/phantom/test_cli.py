"""``greenroom phantom`` as a person or a program calls it."""

from __future__ import annotations

import json
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Ended, invoke


def run(*args: str, home: Path, typed: str = "") -> Ended:
    return invoke(home, ["phantom", *args], typed=typed)


def answered(*args: str, home: Path) -> Any:
    done = run(*args, "--json", home=home)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.sqlite
def test_a_simulation_reports_draws_and_can_be_kept(tmp_path: Path) -> None:
    args = ("simulate", "--players", "2", "--days", "1", "--seed", "4")
    told = answered(*args, "--report", str(tmp_path / "report"), "--database", str(tmp_path / "sim.db"), home=tmp_path)
    assert (told["players"], told["days"], told["troubles"]["count"]) == (2, 1, 0)
    assert told["letters"] > 0
    names = sorted(path.name for path in (tmp_path / "report").iterdir())
    assert names == ["exposure.svg", "letters.svg", "lifecycle.svg", "simulation.json", "trust.svg"]
    assert all("<svg" in path.read_text()[:600] for path in (tmp_path / "report").glob("*.svg"))
    assert (tmp_path / "sim.db").exists()
    again = run(*args, "--database", str(tmp_path / "sim.db"), home=tmp_path)
    assert again.exit_code == 2
    assert "begins with a new file" in again.stderr


@pytest.mark.sqlite
def test_a_story_is_played_and_taken_up_again(tmp_path: Path) -> None:
    first = run("play", home=tmp_path, typed="wait 5\nwrite email Who is this?\nuse nothing\nread ledger\nquit\n")
    assert first.exit_code == 0, first.stderr
    assert "Before Thursday" in first.stdout
    assert "(sent" in first.stdout
    assert "the documents are behind the door" in first.stdout
    second = run("play", home=tmp_path, typed="wait 3\nstop\nquit\n")
    assert "Who is this?" in second.stdout
    stream = first.stdout.partition("stream ")[2].partition(")")[0]
    assert stream
    assert f"stream {stream})" in second.stdout
    other = run("play", "--new", home=tmp_path, typed="quit\n")
    assert f"stream {stream})" not in other.stdout


def test_content_is_checked_and_its_changes_are_told(tmp_path: Path) -> None:
    shipped = Path(str(files("greenroom.worlds.phantom").joinpath("content")))
    folder = Path(shutil.copytree(shipped, tmp_path / "content"))
    assert answered("validate", str(folder), home=tmp_path)["changes"] == []
    miro = folder / "agents" / "miro.yaml"
    miro.write_text(miro.read_text().replace("usual: [60, 240]", "usual: [60, 200]"))
    assert answered("validate", str(folder), home=tmp_path)["changes"] == ["agents.miro.delays.usual.1: 240 → 200"]
    miro.write_text(miro.read_text().replace("channel: sms", "channel: pigeon"))
    wrong = run("validate", str(folder), home=tmp_path)
    assert wrong.exit_code == 2
    assert f"{miro}:" in wrong.stderr
    assert "channel" in wrong.stderr


@pytest.mark.parametrize(
    "args", [("simulate", "--players", "0"), ("validate", "/nowhere"), ("play", "--timezone", "X")]
)
def test_bad_input_is_refused_with_a_sentence(args: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*args, home=tmp_path)
    assert done.exit_code == 2
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr
