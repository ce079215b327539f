"""Followers that a package brings: found, listed and rebuilt by the program; left out when a name is taken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from greenroom import plugins
from greenroom.bootstrap import gathered
from greenroom.plugins import Found, WorldPlugin
from tests.entrypoints.cli.conftest import run_at
from tests.followers.copies import Copy

_PACKAGE = """
import json
from pathlib import Path
from greenroom.plugins import WorldPlugin

class Keeper:
    name = "keeper"
    worlds = frozenset({{"lighthouse"}})
    path = Path({path!r})

    async def follow(self, batch, texts):
        told = json.loads(self.path.read_text()) if self.path.exists() else {{}}
        told |= {{step.stream: step.version for step in batch}}
        self.path.write_text(json.dumps(told))

    async def forgotten(self, stream):
        told = json.loads(self.path.read_text()) if self.path.exists() else {{}}
        told.pop(stream, None)
        self.path.write_text(json.dumps(told))

    async def reset(self):
        self.path.unlink(missing_ok=True)

PLUGIN = WorldPlugin(name="keeping", worlds=lambda settings: (), followers=lambda settings: [Keeper()])
"""


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that is installed for the length of a test, and the file its follower writes."""
    package, path = tmp_path / "site", tmp_path / "copy.json"
    (package / "keeping-1.dist-info").mkdir(parents=True)
    (package / "keeping-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: keeping\nVersion: 1\n")
    points = f"[{plugins.GROUP}]\nkeeping = keeping_package:PLUGIN\n"
    (package / "keeping-1.dist-info" / "entry_points.txt").write_text(points)
    (package / "keeping_package.py").write_text(_PACKAGE.format(path=str(path)))
    monkeypatch.syspath_prepend(str(package))
    plugins.found.cache_clear()
    yield path
    plugins.found.cache_clear()


def test_the_program_lists_followers_and_rebuilds_one(tmp_path: Path, copied: Path) -> None:
    home = tmp_path / "home"
    assert run_at(home, "start", "lighthouse", "--name", "evening", "--owner", "ada").code == 0
    one = _keeper(run_at(home, "db", "follow", "--json").object)
    assert (one["name"], one["worlds"], one["installed"]) == ("keeper", ["lighthouse"], True)
    copied.write_text(json.dumps({"stray": 1}))
    one = _keeper(run_at(home, "db", "follow", "--rebuild", "keeper", "--json").object)
    assert (one["streams"], one["streams_behind"]) == (1, 0)
    assert json.loads(copied.read_text()) == {"evening": 1}
    assert "keeper: follows lighthouse; 1 stream, all told\n" in run_at(home, "db", "follow").out
    assert run_at(home, "db", "forget", "ada", "--yes", "--json").object["copies"] == []
    assert json.loads(copied.read_text()) == {}


def _keeper(told: Any) -> Any:
    (one,) = (one for one in told["followers"] if one["name"] == "keeper")
    return one


def test_followers_that_are_not_there_are_refused_in_a_sentence(tmp_path: Path) -> None:
    run_at(tmp_path, "start", "lighthouse")
    assert run_at(tmp_path, "db", "follow", "--rebuild", "x").sentence.startswith("no plug-in of this house brings")
    assert run_at(tmp_path, "db", "follow", "--drop", "x").sentence.startswith("there is no follower x")
    assert "one thing at a time" in run_at(tmp_path, "db", "follow", "--drop", "x", "--rebuild", "x").sentence


def test_a_plug_in_whose_follower_has_a_name_that_is_taken_is_left_out_whole() -> None:
    def brings(name: str, *followers: str) -> Found:
        made = [Copy("x", name=follower) for follower in followers]
        plugin = WorldPlugin(name=name, worlds=lambda _: (), followers=lambda _: made)
        return Found(name=name, package=name, version="1", plugin=plugin)

    company = gathered([brings("one", "copy"), brings("two", "other", "copy"), brings("three", "a", "a")])
    assert [follower.name for follower in company.followers] == ["copy"]
    assert [(one.name, one.error) for one in company.installed.left_out] == [
        ("two", "NameTaken: the follower copy is there already"),
        ("three", "NameTaken: the follower a is there already"),
    ]
