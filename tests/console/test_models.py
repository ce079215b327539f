"""The page of models, and what operators and players are told when one of them fails."""

from __future__ import annotations

import importlib
import json
import urllib.request
import warnings
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from greenroom.worlds.bar.faces.http.sessions import COOKIE
from greenroom.worlds.bar.rules.ids import stream_of
from tests.console.cellar import Cellar
from tests.console.conftest import Open
from tests.console.served import Served
from tests.console.test_bar import knocked, say
from tests.console.test_phantom import signed_up
from tests.models.loopback import Reply, serve

FULLY = "openai:gpt-none did not answer, so the understudy spoke."
KINDLY = "Somebody stood in for a moment: whoever speaks here otherwise could not be reached."
MONDAY = datetime(2031, 3, 3, 8, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Served]:
    """A house whose model takes a moment, and then fails."""
    pytest.importorskip("pydantic_ai")
    with serve() as model:
        model.replies = [Reply(status=503, silence=0.7)]
        with pytest.MonkeyPatch.context() as patch:  # for this house, and for none that is opened later
            patch.setenv("GREENROOM_MODELS", played_by(model.base_url("openai")))
            served = Served(tmp_path_factory.mktemp("failing"))
        with closing(served) as house:
            yield house


def played_by(url: str) -> str:
    return json.dumps({"default": {"model": "openai:gpt-none", "base_url": url, "tries": 1, "timeout": 5}})


def test_without_models_the_page_says_that_the_understudy_plays(open_page: Open) -> None:
    page = open_page("/models")
    row = page.get_by_role("row", name="Sallow Rock Light")
    expect(row).to_contain_text("speaks for the keeper")
    expect(row).to_contain_text("understudy")
    expect(page.get_by_role("button", name="Try them")).to_have_count(0)


def test_a_model_is_tried_from_the_page(failing: Served, open_page: Open) -> None:
    page = open_page("/models", at=failing.address)
    expect(page.get_by_role("row", name="Sallow Rock Light")).to_contain_text("unknown")
    page.get_by_role("button", name="Try them").click()
    told = page.locator(".tried-line")
    expect(told).to_contain_text("does not work", timeout=30_000)
    expect(told).to_contain_text("fails by itself (503): try again later")


def test_a_model_that_thinks_is_seen_and_when_it_fails_operators_are_told_why_and_players_kindly(
    failing: Served, open_page: Open
) -> None:
    page = open_page("/play/lighthouse", at=failing.address)
    page.get_by_role("button", name="Play").first.click()
    page.get_by_label("Say something to Ottilie Brack").fill("Good evening.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Somebody is thinking")).to_be_visible()
    expect(page.locator(".stood-in")).to_contain_text(FULLY, timeout=30_000)
    expect(page.locator(".stood-in")).to_contain_text("fails by itself (503)")
    expect(page.get_by_text("Somebody is thinking")).to_have_count(0)
    stream = page.url.partition("stream=")[2]
    request = urllib.request.Request(
        f"{failing.address}/streams/{stream}/commands",
        data=json.dumps({"kind": "say", "fields": {"text": "Are you well?"}}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        note = json.load(answer)["note"]
    assert note.startswith(KINDLY)
    assert "127.0.0.1" not in note


def test_a_guest_of_the_bar_is_told_kindly_on_the_page(failing: Served, open_page: Open) -> None:
    page = knocked(open_page("/bar", at=failing.address))
    say(page, "Is anybody there?")
    expect(page.locator("#note")).to_contain_text(KINDLY)
    (cookie,) = [one for one in page.context.cookies() if one["name"] == COOKIE]
    operators = open_page(f"/play/bar?stream={stream_of(cookie['value'])}", at=failing.address)
    expect(operators.locator(".stood-in")).to_contain_text(FULLY)
    page.get_by_role("link", name="All worlds").click()  # whoever looks after the house finds back
    expect(page.get_by_role("heading", name="Sallow Rock Light")).to_be_visible()


def test_a_player_of_phantom_protocol_is_told_kindly_in_the_inbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_page: Open
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of things that are not ours
        pytest.importorskip("pydantic_ai.models.openai")
        importlib.import_module("pydantic_ai.providers.openai")
    monkeypatch.setenv("GREENROOM_MODELS", played_by("http://127.0.0.1:9/v1"))
    with closing(Cellar(tmp_path, MONDAY)) as house:
        page = signed_up(open_page, "kindly@example.org", at=house.address)
        expect(page.locator("#note")).to_be_empty()
        page.get_by_label("Answer Ember").fill("Who are you, and why me?")
        page.get_by_label("Mail", exact=True).get_by_role("button", name="Send").click()
        expect(page.get_by_label("Letters")).to_contain_text("why me?")
        house.advance(timedelta(days=1))
        expect(page.locator("#note")).to_contain_text(KINDLY)
        stream = str(page.evaluate("localStorage.getItem('phantom')"))
        told = house.ask(lambda opened: opened.stood_in(stream))
        assert told is not None
        assert told.noted["why"] in ("connection", "breaker")  # for the operator, on whose page it becomes a sentence
