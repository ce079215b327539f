"""Phantom Protocol in a real browser: signing up, the inbox, the room behind the key, and the story board."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from greenroom.services.house import House
from tests.console.conftest import Open
from tests.console.served import Served

KEY = re.compile(r"[0-9A-F]{4}(-[0-9A-F]{4}){3}")


def signed_up(open_page: Open, email: str, **look: object) -> Page:
    """A player who signed up on the page, pressed Start and sees the inbox."""
    page = open_page("/phantom", **look)
    page.get_by_label("Where mail reaches you").fill(email)
    page.get_by_label("Your time zone").fill("Europe/Berlin")
    page.get_by_label("Keep it all on this page").check()
    page.get_by_role("button", name="Sign up").click()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="0417")).to_be_visible()
    return page


def key_of(page: Page) -> str:
    found = KEY.search(page.get_by_label("Letters").inner_text())
    assert found is not None
    return found[0]


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def kept(page: Page, pictures: Path | None, name: str, *, top: str = "body") -> None:
    """A picture for the docs, wide and by daylight, from a place of the page on."""
    if pictures is not None:
        page.set_viewport_size({"width": 1280, "height": 820})
        page.emulate_media(color_scheme="light")
        page.locator(top).first.evaluate("place => place.scrollIntoView()")
        page.wait_for_timeout(400)
        page.screenshot(path=pictures / f"{name}.png")


def test_a_player_signs_up_reads_the_mail_and_answers_it(open_page: Open) -> None:
    page = signed_up(open_page, "first@example.org")
    expect(page.get_by_label("Letters")).to_contain_text("Before Thursday")
    page.get_by_label("Answer Ember").fill("Who are you? 🔑")
    page.get_by_label("Mail", exact=True).get_by_role("button", name="Send").click()
    expect(page.get_by_label("Letters")).to_contain_text("Who are you? 🔑")
    expect(page.get_by_label("Answer Ember")).to_have_value("")
    page.reload()  # the browser remembers whose inbox it is
    expect(page.get_by_label("Letters")).to_contain_text("Who are you? 🔑")


def test_what_is_wrong_with_the_form_is_said_and_nothing_is_lost(open_page: Open) -> None:
    page = open_page("/phantom")
    page.get_by_label("Where mail reaches you").fill("second@example.org")
    page.get_by_label("Where text messages reach you").fill("0151 1234")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("status").first).to_contain_text("write it with its country")
    expect(page.get_by_label("Where mail reaches you")).to_have_value("second@example.org")


def test_a_player_comes_in_again_in_another_browser_with_a_code(open_page: Open, served: Served) -> None:
    first = by_post(open_page, served, "again@example.org")
    other = open_page("/phantom", width=390)
    other.get_by_text("You play already").click()
    other.get_by_label("The address you signed up with").fill("again@example.org")
    other.get_by_role("button", name="Send a code").click()
    expect(other.locator("#again-said")).to_contain_text("a code is on its way")
    other.locator("#found").get_by_label("Code from the mail").fill("nothing")
    other.get_by_role("button", name="Let me in").click()
    expect(other.locator("#again-said")).to_contain_text("That code opens nothing")
    assert fits(other)
    code = served.ask(lambda house: entry_code(house, first.url.partition("player=")[2]))
    other.locator("#found").get_by_label("Code from the mail").fill(code)
    other.get_by_role("button", name="Let me in").click()
    other.wait_for_url(re.compile("player="))
    expect(other.get_by_label("Letters")).to_be_visible()


def by_post(open_page: Open, served: Served, email: str) -> Page:
    """A player who proved an address with the code that was sent to it."""
    page = open_page("/phantom")
    page.get_by_label("Where mail reaches you").fill(email)
    page.get_by_role("button", name="Sign up").click()
    page.locator("#verify").get_by_label("Code from the mail").fill(served.ask(first_code))
    page.locator("#verify [data-kind=email]").get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("player="))
    return page


async def first_code(house: House) -> str:
    """The newest code by mail; nobody else signs up meanwhile."""
    async with asyncio.timeout(10):
        while not (  # noqa: ASYNC110  what is waited for has no event
            letters := [one for one in await house.backend.outbox.list() if one.channel == "system:email"]
        ):
            await asyncio.sleep(0.05)
    newest = max(letters, key=lambda letter: letter.due_at)
    found = re.search(r"\b\d{6}\b", (await house.backend.bank.get([newest.words]))[newest.words])
    assert found is not None
    return found[0]


async def entry_code(house: House, stream: str) -> str:
    (letter,) = [one for one in await house.backend.outbox.list(stream=stream) if one.subject == "Your way back in"]
    found = re.search(r"\b\d{6}\b", (await house.backend.bank.get([letter.words]))[letter.words])
    assert found is not None
    return found[0]


def test_the_key_opens_the_room_and_the_papers_in_it(open_page: Open, pictures: Path | None) -> None:
    key = key_of(signed_up(open_page, "third@example.org"))
    room = open_page(f"/phantom/access/{key}", width=390, dark=True)
    expect(room.get_by_role("heading", name="Deposit 0417")).to_be_visible()
    room.get_by_text("Memo: application of the Protocol").click()
    expect(room.get_by_text("page 2 of 4")).to_be_visible()
    expect(room.get_by_text("page 3 of 4")).to_have_count(0)
    room.get_by_text("Account 9/Ph").click()
    expect(room.locator(".struck")).to_contain_text("0388")
    assert fits(room)
    kept(room, pictures, "phantom-room", top="details:has(.struck)")
    closed = open_page("/phantom/access/AAAA-BBBB-CCCC-DDDD")
    expect(closed.get_by_text("This key opens nothing here")).to_be_visible()


def test_the_inbox_fits_a_phone_and_shows_mail_or_messages(open_page: Open) -> None:
    page = signed_up(open_page, "fourth@example.org", width=390, dark=True)
    expect(page.get_by_label("Phone", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Phone").click()
    expect(page.get_by_text("No messages.")).to_be_visible()
    expect(page.get_by_label("Letters")).to_be_hidden()
    assert fits(page)


def test_one_word_on_the_page_stops_everything(open_page: Open) -> None:
    page = signed_up(open_page, "fifth@example.org")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Stop everything").click()
    expect(page.get_by_text("Stopped. Nobody will write.")).to_be_visible()


def test_the_operator_sees_the_board_and_weeks_that_have_not_happened(open_page: Open, pictures: Path | None) -> None:
    page = open_page("/play/phantom", width=390)
    page.get_by_role("button", name="Play here, now").click()
    expect(page.get_by_label("Mail: what came")).to_contain_text("Before Thursday")
    expect(page.get_by_label("Story board")).to_be_hidden()
    page.get_by_text("Whoever directs it").click()
    board = page.get_by_label("Story board")
    expect(board.get_by_text("ember engaged")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") < 3_300, "what is long is folded away"
    board.get_by_text("The cast", exact=True).click()
    expect(board.get_by_role("article", name="ember")).to_contain_text("engaged")
    expect(board).to_contain_text("Letters to come")
    page.get_by_role("button", name="Fast-forward 1 week").click()
    expect(page.get_by_text(re.compile("branch of phantom-"))).to_be_visible(timeout=30_000)
    page.get_by_text("Whoever directs it").click()
    expect(board).to_contain_text("day 8")
    page.get_by_role("button", name="Fast-forward 1 week").click()  # the Thursday is up to nine days away
    expect(board).to_be_hidden(timeout=30_000)
    page.get_by_text("Whoever directs it").click()
    expect(board).to_contain_text("day 15", timeout=30_000)
    board.get_by_text("Milestones", exact=True).click()
    expect(board.get_by_text("deadline passed")).to_be_visible()
    expect(page.get_by_label("Phone: what came").locator(".bubble").nth(1)).to_be_visible()
    expect(board.locator("svg.curves")).to_have_count(2)
    assert fits(page)
    kept(page, pictures, "phantom-board", top="[aria-label='Story board']")
    page.get_by_role("link", name="The player's own inbox").click()
    expect(page.get_by_label("Letters")).to_contain_text("Before Thursday")
    kept(page, pictures, "phantom-inbox")
