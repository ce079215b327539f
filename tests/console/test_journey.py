"""A newcomer's way through the house: play, look back, go on differently, ask why. The docs show pictures of it."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.console.conftest import Open
from tests.console.served import Served

SAID = (
    "My sister Edith, who mends nets in Innisbeg, said you might give me shelter.",
    "It is a fine rock you have.",
    "How many steps are there to the lamp?",
    "What do you eat out here?",
    "Is the weather always like this?",
    "Do you ever get visitors?",
    "Who was aboard the Marigold?",
    "Do you remember what my sister Edith does?",
)
#: Bytes that a picture in the docs may have.
MOST_BYTES = 200_000


class Album:
    """Keeps pictures where there is a place for them."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def keep(self, page: Page, name: str) -> None:
        if self._folder is not None:
            page.wait_for_timeout(400)
            path = self._folder / f"{name}.png"
            page.screenshot(path=path)
            assert path.stat().st_size <= MOST_BYTES


def say(page: Page, words: str) -> None:
    """Say something and wait for the answer."""
    before = page.locator(".line.hers").count()
    page.get_by_label(re.compile("^Say something to")).fill(words)
    page.get_by_role("button", name="Say", exact=True).click()
    expect(page.locator(".line.mine").last).to_contain_text(words)
    expect(page.locator(".line.hers")).to_have_count(before + 1)


def test_a_newcomer_plays_scrubs_back_branches_goes_on_in_both_and_asks_why(
    open_page: Open, served: Served, pictures: Path | None
) -> None:
    page, album = open_page("/"), Album(pictures)
    page.set_viewport_size({"width": 1280, "height": 860})
    plays(page, album)
    scrubs_to_the_middle(page, album)
    branches_and_goes_on_in_both(page, served.address)
    sees_both_branches(page, served.address, album)
    asks_why(page, served.address, album)


def plays(page: Page, album: Album) -> None:
    """Home explains itself, and one click is enough."""
    expect(page.get_by_role("heading", name="Sallow Rock Light")).to_be_visible()
    expect(page.get_by_text("The understudy", exact=True)).to_be_visible()
    expect(page.get_by_text("Spent today")).to_be_visible()
    album.keep(page, "console-home")
    page.get_by_role("button", name="Play Sallow Rock Light").click()
    page.wait_for_url("**/play/lighthouse?stream=lighthouse-1")
    for words in SAID:
        say(page, words)
    album.keep(page, "console-play")


def scrubs_to_the_middle(page: Page, album: Album) -> None:
    """Behind the scene, the state is what it was then."""
    page.get_by_role("link", name="Behind the scene").click()
    slider = page.get_by_role("slider", name="Version")
    expect(slider).to_have_value("9")
    slider.fill("5")
    expect(page.get_by_text("Version 5 of 9")).to_be_visible()
    expect(slider).to_have_value("5")
    state = page.locator(".state")
    expect(state).to_contain_text(SAID[3])
    expect(state).not_to_contain_text(SAID[4])
    expect(state.locator(".changed").first).to_be_visible()
    album.keep(page, "console-stream")


def branches_and_goes_on_in_both(page: Page, address: str) -> None:
    """Another evening shares five versions and no more; the first one goes on as if nothing had been."""
    page.get_by_role("button", name="Branch from here").click()
    page.wait_for_url("**/play/lighthouse?stream=lighthouse-1~5")
    expect(page.get_by_text("branch of lighthouse-1 from version 5")).to_be_visible()
    expect(page.locator(".line.mine")).to_have_count(4)
    say(page, "May I stay until the mail boat comes?")
    page.goto(f"{address}/play/lighthouse?stream=lighthouse-1")
    expect(page.locator(".line.mine")).to_have_count(8)
    say(page, "Then tell me of the ledger.")
    expect(page.locator(".log")).not_to_contain_text("May I stay until the mail boat comes?")


def sees_both_branches(page: Page, address: str, album: Album) -> None:
    page.goto(f"{address}/stream?stream=lighthouse-1~5")
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_text("Verified: 6 versions, all as they were written.")).to_be_visible()
    tree = page.get_by_role("list", name="Branches")
    expect(tree).to_contain_text("leaves at version 5, now at 6")
    expect(tree.get_by_role("link", name="lighthouse-1", exact=True)).to_be_visible()
    tree.scroll_into_view_if_needed()
    album.keep(page, "console-branch")


def asks_why(page: Page, address: str, album: Album) -> None:
    """Why she said what she said when she was asked of Edith: with what came to her mind, and how well it fitted."""
    page.goto(f"{address}/play/lighthouse?stream=lighthouse-1")
    page.locator("a[data-version='9']").click()
    expect(page.get_by_role("heading", name="The understudy was asked")).to_be_visible()
    expect(page.locator("#q-app, main").first).to_contain_text(SAID[0])  # the prompt holds what she was told
    for name in ("keeper", "canon"):
        expect(page.get_by_role("list", name="Sections of the prompt")).to_contain_text(name)
    for name in ("Model", "Cost", "Time", "Tokens in", "Tokens out"):
        expect(page.get_by_text(name, exact=True)).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 1120})
    album.keep(page, "console-why")
