"""Every page is looked through by axe-core, those of running stories too: wide and on a phone, in light and dark.

A page is loaded once, and then made narrow and dark: nothing there is to complain about.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from greenroom.services.house import House
from greenroom.worlds.arena.faces.app import runs
from greenroom.worlds.arena.rules import NAME as ARENA
from greenroom.worlds.arena.rules.run import RunConfig
from greenroom.worlds.bar.rules.ids import stream_of
from tests.console.conftest import Open
from tests.console.served import Served, visit
from tests.console.test_agi import laid
from tests.console.test_bar import seated, sits
from tests.console.test_phantom import key_of, signed_up
from tests.console.test_realms import linked
from tests.counts import SOAK
from tools.axe import WANTED, find

LOOKS = ((1280, "light"), (390, "dark"), (390, "light"), (1280, "dark"))
#: What is broken, where, and why, in words for the failure.
RUN = """async () => (await axe.run(document, {preload: false, resultTypes: ['violations']})).violations
  .map((v) => v.id + ': ' + v.nodes
    .map((n) => n.html.slice(0, 140) + ' (' + n.failureSummary.slice(0, 240) + ')').join(' | '))"""


class Axe:
    """Looks pages through, and keeps what it found."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._pages = 0
        self.found: list[str] = []

    def looks_through(self, name: str, page: Page) -> None:
        page.locator("h1").first.wait_for()
        page.evaluate(self._script)
        self._pages += 1
        # Each page wide and light, or on a phone in the dark, with small counts; with large ones in every way.
        for width, light in LOOKS if SOAK else LOOKS[self._pages % 2 :][:1]:
            page.set_viewport_size({"width": width, "height": 844 if width < 600 else 900})
            page.emulate_media(color_scheme="dark" if light == "dark" else "light")
            told: Any = page.evaluate(RUN)
            self.found += [f"{name}, {width}, {light}: {one}" for one in told]
            if folder := os.environ.get("GREENROOM_LOOKS"):
                page.screenshot(path=f"{folder}/{name}-{width}-{light}.png", full_page=True)


@pytest.fixture
def axe() -> Iterator[Axe]:
    """No script is a skip that everybody sees, and a failure in CI."""
    script = find()
    if script is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(WANTED)
    made = Axe(script.read_text(encoding="utf-8"))
    yield made
    if made.found:
        pytest.fail("\n".join(made.found), pytrace=False)


async def _branched(house: House) -> str:
    begun: str = await visit(name="axe", says=("Good evening.", "How many steps are there?"))(house)
    await house.branch(begun, 2, name="axe~2")
    return begun


def paths(stream: str) -> Mapping[str, str]:
    """Every kind of page of the console, with something on it."""
    return {
        "home": "/",
        "streams": "/browse",
        "lobby": "/play/lighthouse",
        "play": f"/play/lighthouse?stream={stream}",
        "stream": f"/stream?stream={stream}&at=3",
        "compare": f"/compare?left={stream}&right=axe~2",
        "why": f"/why?stream={stream}&version=3",
        "memory": f"/memory?stream={stream}&query=steps",
        "models": "/models",
        "operations": "/operations",
        "sorry": "/stream?stream=nowhere",
        "missing": "/nowhere/at/all",
        "enter": "/enter",
        "docs": "/docs",
        **{f"lobby-{world}": f"/play/{world}" for world in ("arena", "bar", "phantom", "realms", "secret_agi")},
    }


def test_nothing_in_the_console_is_in_anybodys_way(axe: Axe, open_page: Open, served: Served) -> None:
    page = open_page(None)
    for name, path in paths(served.ask(_branched)).items():
        page.goto(served.address + path)
        axe.looks_through(name, page)


# inside running stories


def at_the_bar(axe: Axe, open_page: Open, served: Served, folder: Path) -> None:
    who = seated(served, 77, said=2)
    axe.looks_through("bar-door", open_page("/bar"))
    guest = sits(open_page, who)
    expect(guest.locator(".line.theirs")).to_have_count(3)
    axe.looks_through("bar-guest", guest)
    axe.looks_through("bar-operator", open_page(f"/play/bar?stream={stream_of(who)}"))


def by_letter(axe: Axe, open_page: Open, served: Served, folder: Path) -> None:
    axe.looks_through("phantom-sign-up", open_page("/phantom"))
    inbox = signed_up(open_page, "axe@example.org")
    axe.looks_through("phantom-inbox", inbox)
    room = open_page(f"/phantom/access/{key_of(inbox)}")
    room.get_by_text("Account 9/Ph").click()
    expect(room.locator(".struck")).to_be_visible()
    axe.looks_through("phantom-room", room)
    story = str(inbox.evaluate("localStorage.getItem('phantom')"))
    axe.looks_through("phantom-stop", open_page(served.ask(lambda house: _stop(house, story))))
    axe.looks_through("phantom-operator", open_page(f"/play/phantom?stream={story}"))


async def _stop(house: House, story: str) -> str:
    return f"/phantom/stop/{story}/{house.sign('stop', story)}"


def at_the_table(axe: Axe, open_page: Open, served: Served, folder: Path) -> None:
    name = served.ask(laid("axe table", "HumanPlayer", *["RandomPlayer"] * 4))
    page = open_page(f"/play/secret_agi?stream={name}&seat=player_1")
    expect(page.locator(".agi-seat")).to_have_count(5)
    axe.looks_through("secret_agi-player", page)
    over = served.ask(laid("axe over", *["RandomPlayer"] * 5))
    page = open_page(f"/play/secret_agi?stream={over}")
    expect(page.locator(".agi-now")).to_contain_text("won:")
    page.get_by_text("What if").click()
    axe.looks_through("secret_agi-over", page)


def in_the_arena(axe: Axe, open_page: Open, served: Served, folder: Path) -> None:
    page = open_page(f"/play/arena?stream={served.ask(_evolving)}")
    expect(page.locator("svg.scores .line.training")).to_have_count(1, timeout=30_000)
    axe.looks_through("arena-run", page)


async def _evolving(house: House) -> str:
    config = RunConfig(scenario="contract", generations=1, seed=7)
    return (await house.start(ARENA, config, name="axe run", seed=1, owner=runs.OWNER)).stream


def in_a_realm(axe: Axe, open_page: Open, served: Served, folder: Path) -> None:
    page = linked(open_page, folder / "breakwater")
    expect(page.get_by_label("Findings")).to_contain_text("ghost.py")
    page.get_by_label("A question to think about").fill("What should be mended first?")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator('[aria-current="step"]')).to_be_visible()
    axe.looks_through("realms-visit", page)


Story = Callable[[Axe, Open, Served, Path], None]


@pytest.mark.parametrize("story", [at_the_bar, by_letter, at_the_table, in_the_arena, in_a_realm])
def test_nothing_in_a_running_story_is_in_anybodys_way(
    story: Story, axe: Axe, open_page: Open, served: Served, tmp_path: Path
) -> None:
    story(axe, open_page, served, tmp_path)
