"""Every page is looked through by axe-core: wide and on a phone, in light and dark, nothing to complain about."""

from __future__ import annotations

import os
from typing import Any

import pytest
from playwright.sync_api import Page

from greenroom.services.house import House
from tests.console.conftest import Open
from tests.console.served import Served, visit
from tests.counts import SOAK
from tools.axe import WANTED, find

#: Each width and each light once with small counts, all together with large ones.
LOOKS = {"wide": (1280, False), "phone, dark": (390, True)}
if SOAK:
    LOOKS |= {"wide, dark": (1280, True), "phone": (390, False)}
#: What is broken, where, and why, in words for the failure.
RUN = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
  .map((v) => v.id + ': ' + v.nodes
    .map((n) => n.html.slice(0, 160) + ' (' + n.failureSummary.slice(0, 240) + ')').join(' | '))"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The script. None is a skip that everybody sees, and a failure in CI."""
    found = find()
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(WANTED)
    return found.read_text(encoding="utf-8")


async def _branched(house: House) -> str:
    begun: str = await visit(name="axe", says=("Good evening.", "How many steps are there?"))(house)
    await house.branch(begun, 2, name="axe~2")
    return begun


@pytest.fixture(scope="module")
def paths(served: Served) -> dict[str, str]:
    """Every kind of page, with something on it."""
    stream = served.ask(_branched)
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
        "secret_agi": "/play/secret_agi",
        "bar": "/play/bar",
        "phantom": "/play/phantom",
        "enter": "/enter",
        "docs": "/docs",
    }


NAMES = (
    *("home", "streams", "lobby", "play", "stream", "compare", "why", "memory", "models", "operations", "sorry"),
    *("missing", "secret_agi", "bar", "phantom", "enter", "docs"),
)


def looked_through(page: Page, script: str) -> list[str]:
    page.locator("h1").first.wait_for()
    page.evaluate(script)
    found: Any = page.evaluate(RUN)
    return list(found)


@pytest.mark.parametrize(("width", "dark"), LOOKS.values(), ids=list(LOOKS))
def test_nothing_is_in_anybodys_way(
    *, axe: str, paths: dict[str, str], open_page: Open, served: Served, width: int, dark: bool
) -> None:
    page = open_page(None, width=width, dark=dark)
    found = {}
    for name in NAMES:
        page.goto(served.address + paths[name])
        found[name] = looked_through(page, axe)
        if folder := os.environ.get("GREENROOM_LOOKS"):
            page.screenshot(path=f"{folder}/{name}-{width}-{'dark' if dark else 'light'}.png", full_page=True)
    assert "\n".join(f"{name}: {told}" for name, each in found.items() for told in each) == ""
