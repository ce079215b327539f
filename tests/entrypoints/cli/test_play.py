"""``greenroom play``, played through standard input."""

from __future__ import annotations

import importlib
import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import run_at
from tests.models.loopback import Loopback, Reply, serve
from tests.models.tripwire import no_outside

PLAY = """\
say Good evening.
climb
write "the harbour" I don't know yet.
write
dance
Are you here all year?
say

look
help
"""


def test_a_visit_is_played_and_told(tmp_path: Path) -> None:
    told = run_at(tmp_path, "play", typed=PLAY + "quit\nsay never said\n")
    assert (told.code, told.err) == (0, "")
    assert "SALLOW ROCK LIGHT   (stream lighthouse-1, begun)" in told.out
    assert "the keeper's lines are scripted" in told.out
    assert "> say Good evening.\nOttilie Brack: " in told.out
    assert "> Are you here all year?\nOttilie Brack: " in told.out
    assert "takes your letter. The mail boat comes on " in told.out
    assert "(write needs a name and some words" in told.out
    assert "(nobody here knows how to do that; you may say ..., climb" in told.out
    assert "(a thing said has 1 to 500 characters; this one has 0)" in told.out
    assert "The visit goes on without you" in told.out
    assert "never said" not in told.out


def test_the_same_visit_goes_on_unless_a_new_one_is_wanted(tmp_path: Path) -> None:
    first = run_at(tmp_path, "play", "--json", typed="say Good evening.\nclimb\n").object
    assert (first["stream"], first["version"], first["ended"]) == ("lighthouse-1", 3, False)
    assert [event["kind"] for event in first["events"]][:2] == ["said", "answered"]
    second = run_at(tmp_path, "play", typed="quit\n")
    assert "(stream lighthouse-1, continued)" in second.out
    assert "You: Good evening." in second.out
    assert run_at(tmp_path, "play", "--new", "--json", typed="").object["stream"] == "lighthouse-2"
    assert run_at(tmp_path, "play", "--json", typed="").object["stream"] == "lighthouse-2"


def test_after_leaving_the_next_visit_is_a_new_one(tmp_path: Path) -> None:
    told = run_at(tmp_path, "play", typed="leave\nsay too late\n")
    assert "You row home." in told.out
    assert "too late" not in told.out
    assert "(stream lighthouse-2, begun)" in run_at(tmp_path, "play", typed="").out


def test_streams_of_others_are_left_alone(tmp_path: Path) -> None:
    run_at(tmp_path, "start", "lighthouse", "--name", "lighthouse-x")
    run_at(tmp_path, "start", "lighthouse", "--name", "zebra")
    assert run_at(tmp_path, "play", "--json", typed="").object["stream"] == "lighthouse-1"


MODEL = "openai:gpt-4.1-mini"


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """A model for every role, on this machine."""
    pytest.importorskip("pydantic_ai", reason="greenroom[models] is not installed")
    no_outside(monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the library's, not ours
        importlib.import_module("pydantic_ai.models.openai")
        importlib.import_module("pydantic_ai.providers.openai")
    with serve() as server:
        role = {"model": MODEL, "base_url": server.base_url("openai"), "tries": 1, "timeout": 5, "limit": 10}
        monkeypatch.setenv("GREENROOM_MODELS", json.dumps({"default": role}))
        yield server


def test_the_model_that_speaks_is_named_as_the_house_knows_it(tmp_path: Path, model: Loopback) -> None:
    model.replies = [Reply(text='{"line": "Twelve seconds.", "mood": "plain"}')]
    told = run_at(tmp_path, "play", typed="say How long is a turn of the lamp?\nquit\n")
    assert f"{MODEL} speaks for the keeper." in told.out
    assert "Ottilie Brack: Twelve seconds." in told.out
    assert "scripted" not in told.out
    assert "The understudy spoke" not in told.out
    assert run_at(tmp_path, "play", "--json", typed="").object["model"] == MODEL


def test_whoever_stood_in_is_named_too(tmp_path: Path, model: Loopback) -> None:
    model.replies = [Reply(status=500)]
    told = run_at(tmp_path, "play", typed="say Is there soup?\nquit\n")
    assert f"(The understudy spoke; {MODEL} did not: 500.)" in told.out
    assert run_at(tmp_path, "why", "lighthouse-1", 2, "--json").object["asks"][-1]["status"] == "fallback"


def test_without_a_model_the_understudy_is_named(tmp_path: Path) -> None:
    assert run_at(tmp_path, "play", "--json", typed="").object["model"] == "understudy"
