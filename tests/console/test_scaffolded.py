"""The page that ``greenroom new`` makes, played by a person."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from greenroom.entrypoints.scaffold import build
from tests.console.conftest import Open
from tests.console.served import Served
from tests.plugins.installing import install


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Served]:
    package = build("tea_house", tmp_path_factory.mktemp("made")).folder
    install(package, "tea_house", {"tea_house": "tea_house:PLUGIN"})
    running = Served(tmp_path_factory.mktemp("house"), packages=package)
    yield running
    running.close()


def test_an_evening_is_played_on_a_page_that_greenroom_new_made(own: Served, open_page: Open) -> None:
    page = open_page("/", at=own.address)
    page.get_by_role("button", name="Play Tea House").click()
    page.wait_for_url("**/play/tea_house?stream=tea_house-1")
    log = page.get_by_role("log")
    page.get_by_label("Ask the host").fill("Is it alive?")
    page.get_by_role("button", name="Say").click()
    expect(log).to_contain_text("Is it alive?")
    expect(log.get_by_role("link", name="Why this line?")).to_be_visible()
    page.get_by_role("button", name="Beg for a hint").click()
    expect(log.locator(".happened")).to_have_count(1)
    page.get_by_label("Your answer").fill("A candle, a shadow, or footsteps")
    page.get_by_role("button", name="Guess").click()
    expect(log).to_contain_text("Right!")
    expect(page.get_by_label("The riddle").first).to_contain_text("The answer was: ")
    expect(page.get_by_role("button", name="Go home")).not_to_be_visible()
    lamp = page.locator(".tea_house-lamp .glow")
    assert lamp.evaluate("shape => getComputedStyle(shape).opacity") == "0.7", "its style sheet is not there"
