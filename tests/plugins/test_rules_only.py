"""A plug-in that brings rules and nothing else: it is listed, served and played by what every world has."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from greenroom.plugins import found
from tests.entrypoints.cli.conftest import run_at
from tests.entrypoints.http.stage import stage

PACKAGES = Path(__file__).parent / "packages"


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(PACKAGES)
    found.cache_clear()
    yield
    monkeypatch.undo()
    found.cache_clear()
    sys.modules.pop("ferry", None)


def test_it_is_listed_with_its_package(tmp_path: Path) -> None:
    listed = run_at(tmp_path, "worlds", "--json").object["worlds"]
    assert listed[-1] == {
        "name": "ferry",
        "package": "ferry",
        "version": "1.0",
        "worlds": ["ferry"],
        "faces": [],
        "loads": True,
        "faults": [],
        "lacks": [],
    }


def test_it_is_played_in_a_terminal_by_its_commands(tmp_path: Path) -> None:
    typed = ("hail 42", "board 3", "board 3 Ada and sons", "board x y", "steer", "steer shore=west", "dance", "look")
    told = run_at(tmp_path, "play", "ferry", typed="\n".join(typed) + "\nquit\nhail never\n")
    assert (told.code, told.err) == (0, "")
    assert "FERRY   (stream ferry-1, seat crew)" in told.out
    assert (
        "You may: hail <text>, board <people> <name>, steer shore=east, steer shore=west, moor, look, quit" in told.out
    )
    assert "> hail 42\nhailed: said: 42\n" in told.out
    assert "> board 3\n(something is missing: board <people> <name>)\n" in told.out
    assert "> board 3 Ada and sons\nboarded: people: 3, name: Ada and sons\n" in told.out
    assert "(ferry command 'board': Expected `int`, got `str`" in told.out
    assert "> steer\n(say which steer: shore=east; shore=west)\n" in told.out
    assert "> steer shore=west\nsteered: shore: west\n" in told.out
    assert "(ferry has no command 'dance'" in told.out
    assert "aboard: 3\nshore: west\nheard: 42\n" in told.out
    assert told.out.endswith("It goes on without you; 'greenroom play ferry' comes back to it.\n")
    assert "never" not in told.out


def test_the_same_stream_goes_on_until_it_is_over(tmp_path: Path) -> None:
    assert run_at(tmp_path, "play", "ferry", typed='board {"people": 2, "name": "Ada"}\n').code == 0
    ended = run_at(tmp_path, "play", "ferry", "--json", typed="moor\nhail too late\n").object
    assert (ended["stream"], ended["seat"], ended["version"], ended["ended"]) == ("ferry-1", "crew", 3, True)
    assert [event["kind"] for event in ended["events"]] == ["moored"]
    assert run_at(tmp_path, "play", "ferry", "--json", typed="").object["stream"] == "ferry-2"
    assert run_at(tmp_path, "play", "ferry", "--new", "--json", typed="").object["stream"] == "ferry-3"


def test_a_seat_can_be_chosen_where_there_is_one(tmp_path: Path) -> None:
    assert run_at(tmp_path, "play", "ferry", "--seat", "crew", "--json", typed="").object["seat"] == "crew"
    told = run_at(tmp_path, "play", "ferry", "--seat", "gull", "--json", typed="")
    assert (told.code, "there is no seat 'gull'" in told.object["error"]["message"]) == (2, True)


def test_a_world_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    told = run_at(tmp_path, "play", "zeppelin")
    assert (told.code, "there is no world 'zeppelin'" in told.sentence) == (2, True)
    assert "ferry" in told.sentence


def test_a_world_with_a_terminal_of_its_own_can_be_played_plainly_too(tmp_path: Path) -> None:
    told = run_at(tmp_path, "play", "lighthouse", "--seat", "visitor", typed='write "the harbour" I am dry.\nsay 7\n')
    assert (told.code, told.err) == (0, "")
    assert "LIGHTHOUSE   (stream lighthouse-1, seat visitor)" in told.out
    assert "said: 7\n" in told.out
    assert "said: said" not in told.out


async def test_it_has_the_general_routes(tmp_path: Path) -> None:
    async with stage(tmp_path / "house.db") as served:
        operator = served.caller()
        known = {one["world"]: one for one in (await operator.get("/worlds")).json()["worlds"]}
        assert known["ferry"]["commands"]["board"] == ["people", "name"]
        begun = await operator.post("/streams", json={"world": "ferry", "name": "crossing"})
        assert begun.status_code == 200, begun.text
        given = {"kind": "board", "fields": {"people": 4, "name": "Ada"}, "seat": "crew"}
        sent = await operator.post("/streams/crossing/commands", json=given)
        assert sent.status_code == 200, sent.text
        assert sent.json()["reply"] == {"people": 4, "name": "Ada"}
        assert (await operator.get("/streams/crossing", params={"seat": "crew"})).json()["view"]["aboard"] == 4
