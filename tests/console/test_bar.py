"""An evening at the bar in a real browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from greenroom.services.house import House
from greenroom.worlds.bar import commands as c
from greenroom.worlds.bar.ids import stream_of
from greenroom.worlds.bar.state import GUEST
from tests.console.served import Cable, Served

Open = Callable[..., Page]


def guest(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}".replace("00000000-", f"{number:08d}-", 1)


def seated(served: Served, number: int, *, said: int = 0) -> str:
    """A guest who came in and said something; the address of the page."""
    who = guest(number)

    async def come(house: House) -> str:
        stream = (await house.start("bar", {"anonymous_id": who}, owner=who, name=stream_of(who), seat=GUEST)).stream
        session = (await house.send(stream, c.Enter(), seat=GUEST)).body["session_id"]
        for i in range(said):
            said_ = house.codecs["bar"].command_from("say", {"session_id": session, "text": f"Number {i}."})
            await house.send(stream, said_, seat=GUEST)
        return stream

    return f"/play/bar?stream={served.ask(come)}"


def say(page: Page, words: str) -> None:
    before = page.locator(".line.hers").count()
    page.get_by_label("Say something").fill(words)
    page.keyboard.press("Enter")
    expect(page.locator(".line.mine").last).to_contain_text(words)
    page.wait_for_function(f"document.querySelectorAll('.line.hers').length > {before}")


def test_a_guest_knocks_talks_picks_a_portrait_mutes_and_leaves(open_page: Open) -> None:
    page = open_page("/play/bar")
    page.get_by_role("button", name="Play").first.click()
    page.get_by_role("button", name="Knock").click()
    expect(page.locator(".line.from-bart")).to_have_count(1)
    expect(page.locator("#bar-count")).to_have_text("500 characters left")
    page.get_by_label("Say something").fill("Good evening.")
    expect(page.locator("#bar-count")).to_have_text("487 characters left")
    say(page, "Good evening.")
    expect(page.locator("#bar-count")).to_have_text("500 characters left")
    expect(page.get_by_text("29 of 30")).to_be_visible()
    page.get_by_role("button", name="Talk to Bernie").click()
    expect(page.get_by_role("button", name="Talk to Bernie")).to_have_attribute("aria-pressed", "true")
    say(page, "Tell me something.")
    expect(page.locator(".line.hers").last.locator(".who")).to_have_text("Bernie")
    page.get_by_role("button", name="Mute JB").click()
    expect(page.get_by_role("button", name="Talk to JB")).to_have_class("button portrait muted")
    expect(page.get_by_text("The understudy speaks")).to_be_visible()
    page.get_by_role("button", name="Leave properly").click()
    expect(page.get_by_role("button", name="Knock")).to_be_visible()
    page.get_by_role("button", name="Knock").click()
    expect(page.get_by_label("Say something")).to_be_visible()


def test_last_call_and_the_end_are_seen_by_everybody_who_looks(open_page: Open, served: Served) -> None:
    path = seated(served, 1, said=24)
    page, other = open_page(path), open_page(path, width=390, dark=True)
    say(page, "Number 24.")
    for one in (page, other):
        expect(one.locator(".kind-last_call")).to_have_count(1)
        expect(one.locator(".bar-notice")).to_have_text("Last call: 5 more.")
    for i in range(25, 30):
        say(page, f"Number {i}.")
    for one in (page, other):
        expect(one.get_by_role("button", name="Knock")).to_be_visible()
        expect(one.get_by_label("Say something")).to_be_hidden()
    assert other.evaluate("document.documentElement.scrollWidth") <= 390


def test_nothing_is_lost_when_the_connection_is(open_page: Open, served: Served) -> None:
    cable = Cable(served.port)
    try:
        page = open_page(seated(served, 2), at=cable.address)
        say(page, "Before the storm.")
        cable.cut()
        page.get_by_label("Say something").fill("After the storm.")
        cable.mend()
        page.wait_for_timeout(500)
        page.reload()
        expect(page.get_by_label("Say something")).to_have_value("After the storm.")
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Say", exact=True).click()
        expect(page.locator(".line.mine")).to_have_count(2)
        expect(page.get_by_text("28 of 30")).to_be_visible()
    finally:
        cable.close()


def test_a_crisis_is_answered_on_the_page_with_places(open_page: Open, served: Served) -> None:
    page = open_page(seated(served, 3))
    page.get_by_role("button", name="Talk to JB").click()
    say(page, "I want to kill myself tonight.")
    expect(page.locator(".line.kind-crisis")).to_contain_text("findahelpline.com")
