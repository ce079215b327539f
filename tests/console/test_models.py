"""The page of models, and what the page of a stream says when one of them fails."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.console.conftest import Open
from tests.console.served import Served

NOBODY = "http://127.0.0.1:9/v1"
ROLE = {"model": "openai:gpt-none", "base_url": NOBODY, "tries": 1, "timeout": 5}


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Served]:
    """A house whose model cannot be reached."""
    pytest.importorskip("pydantic_ai")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GREENROOM_MODELS", json.dumps({"quality": ROLE}))
        running = Served(tmp_path_factory.mktemp("failing"))
        yield running
        running.close()


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
    expect(told).to_contain_text(f"nobody answers at {NOBODY}")


def test_when_a_model_fails_the_operator_is_told_why_and_a_player_kindly(failing: Served, open_page: Open) -> None:
    page = open_page("/play/lighthouse", at=failing.address)
    page.get_by_role("button", name="Play").first.click()
    page.get_by_label("Say something to Ottilie Brack").fill("Good evening.")
    page.keyboard.press("Enter")
    notice = page.locator(".stood-in")
    expect(notice).to_contain_text("openai:gpt-none did not answer, so the understudy spoke.", timeout=30_000)
    expect(notice).to_contain_text(f"Nobody answers at {NOBODY}")
    stream = page.url.partition("stream=")[2]
    request = urllib.request.Request(
        f"{failing.address}/streams/{stream}/commands",
        data=json.dumps({"kind": "say", "fields": {"text": "Are you well?"}}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        note = json.load(answer)["note"]
    assert note.startswith("Somebody stood in for a moment")
    assert "127.0.0.1" not in note
