"""How the pages behave: on a phone, in the dark, by keyboard, for screen readers, and with nothing from outside."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.console.conftest import Open
from tests.console.served import Served, visit
from tests.console.windows import Windows

STYLE = Path(__file__).parents[2] / "src/greenroom/entrypoints/console/static/console.css"
PHONE = 390
WIDE = 1280

#: Controls that nobody could name, in words for the failure.
NAMELESS = """() => [...document.querySelectorAll('button, a[href], input:not([type=hidden]), select, textarea')]
  .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim()))
  .map((e) => e.outerHTML.slice(0, 120))"""
#: Elements that stick out of the window, those apart that scroll by themselves.
STICKING_OUT = """() => [...document.querySelectorAll('main *')]
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.table-scroll, .log, svg'))
  .map((e) => e.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def paths(served: Served) -> dict[str, str]:
    """Every kind of page, with something on it."""
    stream = served.ask(visit(name="manners", says=("Good evening.", "A" * 200, "How many steps are there?")))
    return {
        "home": "/",
        "streams": "/browse",
        "lobby": "/play/lighthouse",
        "play": f"/play/lighthouse?stream={stream}",
        "stream": f"/stream?stream={stream}&at=3",
        "why": f"/why?stream={stream}&version=4",
        "memory": f"/memory?stream={stream}",
        "operations": "/operations",
        "sorry": "/stream?stream=nowhere",
    }


NAMES = ("home", "streams", "lobby", "play", "stream", "why", "memory", "operations", "sorry")


@dataclass
class Tour:
    """What was found on a way through every page: each is loaded once, on a phone, and then made wide."""

    asked: list[str] = field(default_factory=list)
    #: By the page on which they were heard.
    complaints: list[tuple[str, str]] = field(default_factory=list)
    #: By page and width: how wide it is, what sticks out of the window, controls that nobody could name.
    seen: dict[tuple[str, int], tuple[int, list[str], list[str]]] = field(default_factory=dict)
    #: By page: how many headings of the first order it has, and how many main parts.
    parts: dict[str, tuple[int, int]] = field(default_factory=dict)


@pytest.fixture(scope="module")
def tour(served: Served, windows: Windows, paths: dict[str, str]) -> Tour:
    found, name = Tour(), ""
    window = windows.take()
    page = window.tab()
    page.on("request", lambda request: found.asked.append(request.url))
    page.on("console", lambda told: found.complaints.append((name, told.text)) if told.type == "error" else None)
    page.on("pageerror", lambda error: found.complaints.append((name, str(error))))
    for name in NAMES:
        page.set_viewport_size({"width": PHONE, "height": 844})
        page.goto(served.address + paths[name])
        page.locator("h1").wait_for()
        found.seen[name, PHONE] = look(page)
        page.set_viewport_size({"width": WIDE, "height": 900})
        found.seen[name, WIDE] = look(page)
        page.wait_for_load_state("networkidle")
        found.parts[name] = page.locator("h1").count(), page.get_by_role("main").count()
    windows.give_back(window)
    return found


def look(page: Page) -> tuple[int, list[str], list[str]]:
    wide = page.evaluate("document.documentElement.scrollWidth")
    return wide, page.evaluate(STICKING_OUT), page.evaluate(NAMELESS)


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_no_page_scrolls_sideways_or_has_a_control_without_a_name(tour: Tour, width: int) -> None:
    for name in NAMES:
        wide, sticking_out, nameless = tour.seen[name, width]
        assert wide <= width, name
        assert sticking_out == [], name
        assert nameless == [], name
        assert tour.parts[name] == (1, 1), name


def test_on_a_phone_one_can_speak_without_scrolling(open_page: Open, paths: dict[str, str]) -> None:
    page = open_page(paths["play"], width=PHONE)
    expect(page.get_by_role("button", name="Say", exact=True)).to_be_in_viewport()


def test_every_page_is_made_of_what_this_server_gives_and_runs_without_complaint(served: Served, tour: Tour) -> None:
    hosts = {urlsplit(url).netloc for url in tour.asked if not url.startswith("data:")}
    assert hosts == {urlsplit(served.address).netloc}
    # that a page is missing is said by the browser as well
    assert [(name, told) for name, told in tour.complaints if name != "sorry"] == []


def test_colours_follow_the_system_until_somebody_chooses(open_page: Open) -> None:
    page = open_page("/", dark=True)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    switch = page.get_by_role("button", name=re.compile("^Colours:"))
    switch.click()  # as the system → light
    switch.click()  # → dark
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    switch.click()  # → as the system
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_the_lighthouse_is_played_and_looked_back_at_by_keyboard_alone(served: Served, open_page: Open) -> None:
    stream = served.ask(visit(name="by-keyboard"))
    page = open_page("/")
    press_until(page, "Tab", "Play by-keyboard")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/lighthouse?stream=by-keyboard")
    press_until(page, "Tab", "Say something to Ottilie Brack")
    page.keyboard.type("Good evening.")
    page.keyboard.press("Enter")
    expect(page.locator(".line.hers")).to_have_count(1)
    page.goto(f"{served.address}/stream?stream={stream}")
    expect(page.get_by_text("Version 2 of 2")).to_be_visible()
    press_until(page, "Tab", "Version")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Version 1 of 2")).to_be_visible()


def press_until(page: Page, key: str, name: str) -> None:
    """Press a key until a control of this name has the focus."""
    named = "() => { const e = document.activeElement; return e.getAttribute('aria-label') "
    named += "|| e.closest('label')?.querySelector('.field-label')?.textContent || e.textContent.trim() }"
    page.locator("h1").wait_for()
    passed: list[str] = []
    while len(passed) < 60 and name not in passed:
        page.keyboard.press(key)
        passed.append(page.evaluate(named))
    assert name in passed, f"{key} never reached {name}, only {passed}"


# colours


def _colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


def _light(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((_light(one), _light(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


PAIRS = (
    *((words, ground) for words in ("ink", "soft", "green", "red", "brass") for ground in ("paper", "card")),
    ("soft", "sunk"),
    ("on-green", "green"),
    ("on-green", "green-deep"),
    ("ink", "green-soft"),
    ("green-deep", "green-soft"),
    ("soft", "green-soft"),
    ("brass", "brass-soft"),
    ("ink", "brass-soft"),
    ("soft", "brass-soft"),
    ("red", "red-soft"),
    ("sea", "sea-soft"),
)


@pytest.mark.parametrize("theme", [":root {", ':root[data-theme="dark"] {'])
def test_words_can_be_read_on_every_ground_they_stand_on(theme: str) -> None:
    style = STYLE.read_text()
    colours = _colours(style.split(theme, 1)[1].split("}", 1)[0])
    poor = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in PAIRS}
    assert {pair: ratio for pair, ratio in poor.items() if ratio < 4.5} == {}
