"""A world that anybody made: published, installed, played on every back-end, removed; and its streams stay."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.counts import SOAK
from tests.plugins.published import ROOT, Environment
from tests.postgres.databases import Databases


@pytest.mark.installs
def test_a_world_is_published_installed_played_and_removed(tmp_path: Path, databases: Databases) -> None:
    env = Environment(tmp_path)
    env.install(env.wheel(ROOT))
    assert env.python("import greenroom; print(greenroom.__file__)").startswith(str(tmp_path))
    env.greenroom("new", "kiosk", "--path", str(tmp_path))
    env.install(env.wheel(tmp_path / "kiosk"))
    assert env.python("import kiosk; print(kiosk.__file__)").startswith(str(tmp_path / "env"))
    url = databases.empty()
    houses: list[dict[str, Any]] = [
        {"GREENROOM_HOME": str(tmp_path / "files")},
        {"GREENROOM_HOME": str(tmp_path / "server"), "GREENROOM_DATABASE_URL": url},
    ]
    try:
        streams = [played(env, house) for house in houses]
        env.uninstall("kiosk")
        left = list(zip(houses, streams, strict=True))[: 2 if SOAK else 1]  # the server's house is copied at any rate
        for house, stream in left:
            kept(env, house, stream)
            missed(env, house, stream)
        copied(env, tmp_path, url, databases.empty())
    finally:
        databases.strike()


def played(env: Environment, house: dict[str, Any]) -> str:
    """Its card is on home, its page plays, its route and its command answer; gives the stream."""
    with env.up(**house) as address, httpx.Client(base_url=address, timeout=30) as client:
        assert "Play Kiosk" in client.get("/").text
        begun = client.post("/kiosk/evenings")
        assert begun.status_code == 201, begun.text
        stream = str(begun.json()["stream"])
        said = client.post(f"/kiosk/evenings/{stream}/say", json={"text": "Is it alive?"})
        assert (said.status_code, bool(said.json()["reply"]["line"])) == (200, True)
        page = client.get("/play/kiosk", params={"stream": stream})
        assert page.status_code == 200
        assert "Kiosk · Greenroom" in html.unescape(page.text)
        assert begun.json()["question"] in html.unescape(page.text)
        assert ".world-kiosk" in client.get("/console/worlds/kiosk/kiosk.css").text
    (evening,) = env.greenroom("kiosk", "evenings", **house)["evenings"]
    assert (evening["stream"], evening["solved"]) == (stream, False)
    return stream


def kept(env: Environment, house: dict[str, Any], stream: str) -> None:
    """Without its world the house opens, and the stream is listed."""
    with env.up(**house) as address, httpx.Client(base_url=address, timeout=30) as client:
        home = client.get("/")
        assert (home.status_code, "Play Kiosk" in home.text) == (200, False)
        assert client.post("/kiosk/evenings").status_code == 404
        assert [row["stream"] for row in client.get("/streams").json()["streams"]] == [stream]


def missed(env: Environment, house: dict[str, Any], stream: str) -> None:
    """Commands list and export it; what needs the rules says which package is missing, and nothing calls it damage."""
    file = f"{house['GREENROOM_HOME']}/kept.jsonl"
    commands = (("worlds",), ("streams",), ("export", stream, "-o", file))
    worlds, listed, _, shown, verified, checked = env.greenroom_each(
        *commands, ("show", stream), ("verify", stream), ("db", "check"), **house
    )
    assert "kiosk" not in [one["name"] for one in worlds["worlds"]]
    assert [(row["stream"], row["world"]) for row in listed["streams"]] == [(stream, "kiosk")]
    assert len(Path(file).read_text(encoding="utf-8").splitlines()) > 2
    assert shown["raw"]
    assert "kiosk" in str(verified["missing"])
    assert (len(checked["missing"]) > 0, "kiosk" in str(checked["missing"]), checked["problems"]) == (True, True, [])


def copied(env: Environment, folder: Path, url: str, empty: str) -> None:
    """The file is backed up, and each house copied to the other kind of place, with its stream."""
    home, again = folder / "files", folder / "again"
    again.mkdir()
    copies = ((url, str(again / "house.db")), (str(home / "house.db"), empty))
    backup, *told = env.greenroom_each(
        ("db", "backup"), *(("db", "copy", *one) for one in copies), GREENROOM_HOME=str(home)
    )
    assert Path(backup["file"]).exists()
    assert [one["rows"]["streams"] for one in told] == [1, 1]
