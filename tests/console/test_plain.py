"""A world without a page of its own: played on the plain page, by whatever its rules allow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.console.conftest import Open
from tests.console.served import Served


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Served]:
    running = Served(tmp_path_factory.mktemp("own"), ("tests.console.own_world",))
    yield running
    running.close()


def test_a_world_of_ones_own_is_playable_from_any_seat_without_writing_a_page(own: Served, open_page: Open) -> None:
    page = open_page("/", at=own.address)
    page.get_by_role("button", name="Play A new world").click()
    page.wait_for_url("**/play/a_new_world?stream=a_new_world-1")
    expect(page.get_by_label("Your seat")).to_have_value("guest")
    log = page.get_by_role("log")
    expect(log).to_contain_text("began")
    page.get_by_role("button", name="beg", exact=True).click()
    expect(log.locator(".happened")).to_have_count(2)
    speech = page.get_by_role("form", name="say")
    speech.get_by_label("say: text").fill("Good evening to the house.")
    speech.get_by_role("button", name="say").click()
    expect(log).to_contain_text("Good evening to the house.")
    page.get_by_label("Your seat").select_option("host")
    expect(page.get_by_text("This seat can do nothing at the moment.")).to_be_visible()
    expect(page.get_by_label("Your seat")).to_have_value("host")
    page.get_by_label("Your seat").select_option("guest")
    page.get_by_role("button", name="leave", exact=True).click()
    expect(page.get_by_text("This seat can do nothing at the moment.")).to_be_visible()
