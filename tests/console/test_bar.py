"""The guests' page of the bar in a real browser, and the page of whoever looks after the house."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from greenroom.services.house import House
from greenroom.worlds.bar.faces.app import visits
from greenroom.worlds.bar.faces.http import pages
from greenroom.worlds.bar.faces.http.sessions import COOKIE
from greenroom.worlds.bar.rules.ids import session_id, stream_of
from tests.console.cellar import Cellar
from tests.console.conftest import Open
from tests.console.served import Cable, Served
from tests.console.test_manners import NAMELESS, STICKING_OUT, contrast, press_until

SAY = "Say something"
#: Eight in the evening at the bar.
EVENING = datetime(2031, 3, 4, 19, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
#: Whether the places that help lie over the talk.
COVERS = """() => document.getElementById('help').getBoundingClientRect().bottom
  > document.getElementById('log').getBoundingClientRect().top"""
#: As somebody behind a proxy: the server does not take him for its operator.
ELSEWHERE = {"X-Forwarded-For": "203.0.113.9"}


def guest(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-{number:012d}"


def seated(served: Served, number: int, *, said: int = 0) -> str:
    """A guest who came in and said something; gives the anonymous id."""

    async def come(house: House) -> str:
        await visits.enter(house, guest(number), None, key="enter")
        await talk(house, number, range(said))
        return guest(number)

    return served.ask(come)


async def talk(house: House, who: int, numbers: range) -> None:
    session = session_id(guest(who), 1)
    for i in numbers:
        await visits.say(house, session, f"Number {i}.", None, key=f"say-{i}")


def sits(open_page: Open, who: str, **look: Any) -> Page:
    """The page in the browser of a guest who was here before."""
    return open_page("/bar", cookie=(COOKIE, who, "/bar"), **look)


def say(page: Page, words: str) -> None:
    before = page.locator(".line.theirs").count()
    page.get_by_label(SAY).fill(words)
    page.get_by_label(SAY).press("Enter")
    expect(page.locator(".line.theirs").nth(before)).to_be_visible()


def knocked(page: Page) -> Page:
    page.get_by_role("button", name="Knock").click()
    expect(page.locator(".line.from-bart")).to_have_count(1)
    return page


def lines(page: Page) -> list[str]:
    return page.locator(".line:not(.pending) .words").all_inner_texts()


def test_a_guest_without_a_ticket_knocks_talks_picks_a_portrait_mutes_and_leaves(
    open_page: Open, served: Served
) -> None:
    page = open_page("/browse", headers=ELSEWHERE)
    expect(page).to_have_url(re.compile("/enter$"))  # the console stays the operator's
    page.goto(served.address + "/bar")
    knocked(page)
    expect(page.get_by_label(SAY)).to_be_focused()
    expect(page.locator("#count")).to_have_text("500 characters left")
    page.get_by_label(SAY).fill("Good evening.")
    expect(page.locator("#count")).to_have_text("487 characters left")
    say(page, "Good evening.")
    expect(page.locator("#count")).to_have_text("500 characters left")
    expect(page.get_by_text("29 of 30")).to_be_visible()
    page.get_by_role("button", name="Talk to Bernie").click()
    expect(page.get_by_role("button", name="Talk to Bernie")).to_have_attribute("aria-pressed", "true")
    say(page, "Tell me something.")
    expect(page.locator(".line.theirs").last.locator(".who")).to_have_text("Bernie")
    page.get_by_role("button", name="Mute Bernie", exact=True).click()
    expect(page.get_by_role("button", name="Talk to Bernie")).to_be_disabled()
    expect(page.locator(".muted[data-agent=bernie]")).to_be_visible()
    page.get_by_role("button", name="Unmute Bernie").click()
    expect(page.get_by_role("button", name="Talk to Bernie")).to_be_enabled()
    expect(page.get_by_text("The understudy speaks")).to_be_visible()
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_text("You left.")).to_be_visible()
    expect(page.get_by_label(SAY)).to_be_hidden()
    knocked(page)
    expect(page.get_by_text("30 of 30")).to_be_visible()


def test_last_call_and_the_end_are_seen_in_every_window_of_the_guest(open_page: Open, served: Served) -> None:
    who = seated(served, 1, said=24)
    page, other = sits(open_page, who), sits(open_page, who, width=390, dark=True)
    say(page, "Number 24.")
    for one in (page, other):
        expect(one.locator(".kind-last_call")).to_have_count(1)
        expect(one.locator("#notice")).to_have_text("Last call: 5 more.")
    served.ask(partial(talk, numbers=range(25, 29), who=1))
    say(page, "Number 29.")
    for one in (page, other):
        expect(one.get_by_text("That was number 30")).to_be_visible()
        expect(one.get_by_role("button", name="Knock")).to_be_visible()
        expect(one.get_by_label(SAY)).to_be_hidden()
    assert lines(page) == lines(other)


def test_a_crisis_is_answered_plainly_whoever_was_picked_and_nothing_of_it_moves(open_page: Open) -> None:
    page = knocked(open_page("/bar", moves=True))
    page.get_by_role("button", name="Talk to JB").click()
    say(page, "Good evening.")
    expect(page.locator(".line.theirs").last.locator(".word").first).to_have_css("animation-name", "word")
    say(page, "I want to kill myself tonight.")
    expect(page.locator(".kind-crisis .who")).to_have_text("Hermes")
    expect(page.locator(".kind-crisis .word")).to_have_count(0)
    link = page.locator(".kind-crisis").get_by_role("link", name="findahelpline.com")
    expect(link).to_have_attribute("href", "https://findahelpline.com")
    expect(link).to_be_in_viewport()
    # and stays in view above the talk, without being asked for
    expect(page.locator("#help").get_by_role("link", name="findahelpline.com")).to_be_visible()


def test_on_a_telephone_what_hermes_heard_wrong_is_taken_back_with_one_press(open_page: Open) -> None:
    page = knocked(open_page("/bar", width=390))
    say(page, "I want to kill myself tonight.")
    wrong = page.get_by_role("button", name="Hermes heard me wrong")
    # the places take room of their own, and nothing that is needed now leaves the screen
    for needed in (page.locator("#help").get_by_role("link").first, page.get_by_role("button", name="Say"), wrong):
        expect(needed).to_be_in_viewport(ratio=1)
    assert page.evaluate(COVERS) is False
    assert page.evaluate(STICKING_OUT) == []
    before = page.locator(".line.theirs").count()
    wrong.click()
    expect(page.locator(".line.theirs")).to_have_count(before + 1)
    expect(page.locator(".line.theirs").last.locator(".who")).to_have_text("Hermes")
    expect(wrong).to_be_hidden()
    say(page, "What are you all drinking?")
    expect(page.locator(".kind-crisis")).to_have_count(1)


def test_whoever_wants_no_movement_sees_every_line_at_once(open_page: Open) -> None:
    page = knocked(open_page("/bar"))
    expect(page.locator(".line.theirs .word").first).to_have_css("animation-name", "none")


def test_a_power_cut_in_the_middle_of_a_message_changes_nothing_of_what_the_guest_sees(
    open_page: Open, served: Served
) -> None:
    page = knocked(open_page("/bar"))
    say(page, "Before the storm.")
    before = lines(page)
    served.kill()
    page.get_by_label(SAY).fill("In the storm.")
    page.get_by_label(SAY).press("Enter")
    expect(page.locator("#lost")).to_have_text("The bar cannot be reached. Trying again.")
    served.start_again()
    expect(page.locator(".line.theirs")).to_have_count(3, timeout=20_000)
    expect(page.locator("#lost")).to_be_hidden()
    after = lines(page)
    assert after[:-1] == [*before, "In the storm."]
    page.reload()
    expect(page.locator(".line")).to_have_count(len(after))
    assert lines(page) == after
    expect(page.get_by_text("28 of 30")).to_be_visible()


def test_what_was_said_but_never_confirmed_is_not_said_twice(open_page: Open, served: Served, cable: Cable) -> None:
    page = sits(open_page, seated(served, 5), at=cable.address)
    expect(page.get_by_label(SAY)).to_be_visible()
    cable.deafen()
    page.get_by_label(SAY).fill("Did you get this?")
    page.get_by_label(SAY).press("Enter")
    witness = sits(open_page, guest(5))
    expect(witness.locator(".line.theirs")).to_have_count(2)
    cable.cut()
    cable.mend()
    page.reload()
    expect(page.locator(".line.theirs")).to_have_count(2)
    if page.get_by_label(SAY).input_value():  # or the page has asked again by itself just before
        page.get_by_label(SAY).press("Enter")  # as anybody would who never saw an answer
    expect(page.get_by_label(SAY)).to_have_value("")
    expect(page.get_by_text("29 of 30")).to_be_visible()
    assert lines(page) == lines(witness)


# on a clock that the test moves


@pytest.fixture
def cellar(tmp_path: Path, browser: Browser) -> Iterator[Cellar]:
    opened = Cellar(tmp_path, EVENING)
    yield opened
    opened.close()


def test_silence_is_asked_about_and_then_shown_out_without_anybody_doing_anything(
    open_page: Open, cellar: Cellar
) -> None:
    page = knocked(open_page("/bar", at=cellar.address))
    cellar.advance(15 * MINUTE)
    expect(page.locator(".kind-warning")).to_have_count(1)
    expect(page.locator("#notice")).to_contain_text("within five minutes")
    say(page, "Still here.")
    expect(page.locator("#notice")).to_be_hidden()
    page.get_by_label(SAY).fill("I was only thi")
    cellar.advance(20 * MINUTE)
    expect(page.locator(".kind-kick")).to_have_count(1)
    expect(page.get_by_text("Blanca showed you out")).to_be_focused()
    expect(page.get_by_label(SAY)).to_be_hidden()
    page.get_by_role("button", name="Knock").click()
    expect(page.get_by_label(SAY)).to_have_value("I was only thi")


def test_after_the_last_session_of_the_day_the_door_opens_at_midnight(open_page: Open, cellar: Cellar) -> None:
    page = open_page("/bar", at=cellar.address)
    for _ in range(5):
        knocked(page)
        page.get_by_role("button", name="Leave").click()
        expect(page.get_by_label(SAY)).to_be_hidden()
    expect(page.get_by_text("The door opens again after midnight.")).to_be_visible()
    expect(page.get_by_role("button", name="Knock")).to_be_hidden()
    cellar.advance(5 * 60 * MINUTE)
    knocked(page)


def test_a_bar_by_invitation_asks_for_the_code_once(open_page: Open, cellar: Cellar) -> None:
    (code,) = cellar.ask(lambda house: visits.invite(house, 1))
    page = open_page("/bar", at=cellar.address)
    page.get_by_label("Invite code").fill("not-a-code")
    page.get_by_role("button", name="Knock").click()
    expect(page.get_by_role("alert")).to_have_text(
        "This invite code does not open the door; ask whoever sent it for another."
    )
    page.get_by_label("Invite code").fill(code)
    knocked(page)
    expect(page.get_by_role("alert")).to_be_hidden()
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_label("Invite code")).to_be_hidden()
    knocked(page)


# manners


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_the_page_fits_names_its_controls_and_is_made_of_what_this_server_gives(
    open_page: Open, served: Served, pictures: Path | None, *, width: int, dark: bool
) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page = open_page(None, width=width, dark=dark)
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(served.address + "/bar")
    knocked(page)
    say(page, "A" * 300)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert [one for one in page.evaluate(STICKING_OUT) if "person" not in one] == []
    assert page.evaluate(NAMELESS) == []
    expect(page.get_by_role("log")).to_have_attribute("aria-live", "polite")
    expect(page.locator("h1")).to_have_count(1)
    assert {url.removeprefix(served.address).partition("?")[0].rpartition("/")[0] for url in asked} <= {
        "",
        "/bar",
        "/bar/session",
        "data:,",
    }
    assert complaints == []
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=pictures / f"bar-{width}.png")


def test_an_evening_is_spent_by_keyboard_alone(open_page: Open) -> None:
    page = open_page("/bar")
    page.get_by_role("button", name="Knock").wait_for()
    press_until(page, "Tab", "Knock")
    page.keyboard.press("Enter")
    expect(page.get_by_label(SAY)).to_be_focused()
    press_until(page, "Shift+Tab", "Talk to Hermes by the stove")
    page.keyboard.press("Space")
    expect(page.get_by_label("Say something to Hermes")).to_be_focused()
    page.keyboard.type("It is late.")
    page.keyboard.press("Enter")
    expect(page.locator(".line.from-hermes")).to_have_count(1)
    expect(page.get_by_label(SAY)).to_be_focused()
    press_until(page, "Tab", "Leave")
    page.keyboard.press("Enter")
    press_until(page, "Tab", "Knock")


PAIRS = (
    *((words, ground) for words in ("ink", "faint", "mark", "brass", "red") for ground in ("paper", "card")),
    ("on-mark", "mark"),
    ("ink", "mine"),
    ("faint", "mine"),
    ("ink", "green-soft"),
    ("mark", "green-soft"),
    ("ink", "brass-soft"),
    ("red", "red-soft"),
)


@pytest.mark.parametrize("which", [0, 1], ids=["light", "dark"])
def test_words_can_be_read_on_every_ground_they_stand_on(which: int) -> None:
    blocks = re.findall(r":root \{(.*?)\}", bytes(pages.style().body).decode(), re.DOTALL)
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", blocks[which]))
    poor = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in PAIRS}
    assert {pair: ratio for pair, ratio in poor.items() if ratio < 4.5} == {}


# the console


def test_the_operator_is_led_to_the_guests_page_and_sees_what_no_guest_does(open_page: Open, served: Served) -> None:
    stream = stream_of(seated(served, 6, said=1))
    page = open_page("/play/bar")
    expect(page.get_by_role("link", name="Sit down at the bar")).to_have_attribute("href", "/bar")
    page.goto(f"{served.address}/play/bar?stream={stream}")
    expect(page.locator(".line.mine")).to_have_count(1)
    expect(page.locator(".happened").last).to_contain_text("answers:")
    expect(page.get_by_text("1 of 30")).to_be_visible()
    expect(page.get_by_label(SAY)).to_have_count(0)  # nobody speaks for a guest


def test_on_a_branch_the_operator_says_what_a_guest_would_have_said(open_page: Open, served: Served) -> None:
    stream = stream_of(seated(served, 7, said=1))

    async def branch(house: House) -> str:
        return (await house.branch(stream, name="what-if-at-the-bar")).name

    page = open_page(f"/play/bar?stream={served.ask(branch)}")
    page.get_by_label(SAY).fill("JB, is it fewer or less?")
    page.get_by_label(SAY).press("Enter")
    expect(page.locator(".line.from-jb")).to_have_count(1)
    page.get_by_role("button", name="Leave properly").click()
    expect(page.get_by_role("button", name="Knock")).to_be_visible()
