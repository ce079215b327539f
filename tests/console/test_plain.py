"""A world without a page of its own: played on the plain page, by whatever its rules allow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.console.conftest import Open
from tests.console.served import Served

PACKAGES = Path(__file__).parents[1] / "plugins" / "packages"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Served]:
    running = Served(tmp_path_factory.mktemp("own"), packages=PACKAGES)
    yield running
    running.close()


def test_a_world_that_brings_rules_only_is_playable_from_any_seat(own: Served, open_page: Open) -> None:
    page = open_page("/", at=own.address)
    page.get_by_role("button", name="Play Ferry").click()
    page.wait_for_url("**/play/ferry?stream=ferry-1")
    expect(page.get_by_label("Your seat")).to_have_value("crew")
    log = page.get_by_role("log")
    expect(log).to_contain_text("steered")
    page.get_by_role("button", name="steer: shore: west", exact=True).click()
    expect(log.locator(".happened")).to_have_count(2)
    boarding = page.get_by_role("form", name="board")
    boarding.get_by_label("board: people").fill("3")
    boarding.get_by_label("board: name").fill("Ada and sons")
    boarding.get_by_role("button", name="board").click()
    expect(log).to_contain_text("Ada and sons")
    page.get_by_label("Your seat").select_option("operator")
    expect(page.get_by_text("This seat can do nothing at the moment.")).to_be_visible()
    expect(page.get_by_label("Your seat")).to_have_value("operator")
    page.get_by_label("Your seat").select_option("crew")
    page.get_by_role("button", name="moor", exact=True).click()
    expect(page.get_by_text("This seat can do nothing at the moment.")).to_be_visible()
