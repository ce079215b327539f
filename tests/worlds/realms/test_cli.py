"""``greenroom realms`` as a person or a program calls it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import invoke
from tests.conftest import NewHome
from tests.worlds.realms.repositories import harbour


@pytest.fixture
def home(tmp_path: Path, new_home: NewHome) -> Path:
    return new_home(tmp_path / "home")


def told(home: Path, *args: str) -> Any:
    ended = invoke(home, ["realms", *args, "--json"])
    assert ended.exit_code == 0, ended.stdout + ended.stderr
    return json.loads(ended.stdout)


def test_a_repository_is_explored_thought_about_exported_and_removed(home: Path, tmp_path: Path) -> None:
    place = str(harbour(tmp_path / "harbour"))
    first = told(home, "explore", place)
    assert first["rules"] == {
        "cycle": 1, "dead": 1, "untested": 2, "no_assertion": 1, "undocumented": 1, "dead_link": 1, "long_function": 1,
        "mark": 1,
    }  # fmt: skip
    second = told(home, "explore", place)
    assert second["findings"] == first["findings"]
    assert second["since_last_visit"] == {"new": [], "gone": [], "files": 0}
    assert [one["visits"] for one in told(home, "list")["realms"]] == [2]
    assert told(home, "resume", "harbour")["visit"] == 3
    assert [one["status"] for one in told(home, "quests", "harbour")["quests"]] == ["open"]
    assert len(told(home, "board", "harbour", "--last", "3")["findings"]) == 3
    process = told(home, "brainstorm", "harbour", "What first?", "--template", "code_review", "--approve")["process"]
    assert (process["status"], process["stage"]) == ("waiting", 0)
    process = told(home, "brainstorm", "harbour", "--go-on")["process"]
    assert (process["status"], process["stage"]) == ("waiting", 1)
    out = tmp_path / "out.md"
    told(home, "export", "harbour", "--output", str(out))
    assert "## Code review: What first?" in out.read_text()
    assert told(home, "watch", "harbour", "--seconds", "0.1")["events"] == 0
    told(home, "remove", "harbour")
    assert told(home, "list")["realms"] == []


def test_the_report_is_read_by_people(home: Path, tmp_path: Path) -> None:
    ended = invoke(home, ["realms", "explore", str(harbour(tmp_path / "harbour"))])
    assert "Nobody needs it (1)\n  medium  harbour/ghost.py:1  nothing here imports this module" in ended.stdout
    assert "Where it begins\n  main.py: runs by itself, line 3" in ended.stdout


def test_what_is_wrong_is_said_in_a_sentence(home: Path, tmp_path: Path) -> None:
    ended = invoke(home, ["realms", "explore", str(tmp_path / "nowhere")])
    assert (ended.exit_code, ended.stderr) == (2, "greenroom: there is no such folder on this machine\n")
    ended = invoke(home, ["realms", "board", "atlantis"])
    assert ended.exit_code == 2
    assert "there is no realm atlantis" in ended.stderr
