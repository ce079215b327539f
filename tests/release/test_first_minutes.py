"""README's first two lines lead to a page in the browser, from the sdist and from the wheel.

``make release-check`` runs this with both files that would be published and with the package index (``GREENROOM_DIST``
names their folder); otherwise no network is used.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

import greenroom
from tests.counts import SOAK, report
from tests.release.newcomer import Newcomer, built, two_lines
from tools.browser import WANTED, find

DIST = os.environ.get("GREENROOM_DIST")
#: From the sdist pip makes a wheel first, which takes it longer than all the rest.
KINDS = ("wheel", "sdist") if DIST or SOAK else ("wheel",)


def package(kind: str, folder: Path) -> Path:
    if DIST is None:
        return built(folder, kind)
    (found,) = Path(DIST).glob("greenroom-*.whl" if kind == "wheel" else "greenroom-*.tar.gz")
    return found.resolve()


@pytest.mark.installs
@pytest.mark.parametrize("kind", KINDS)
def test_two_lines_lead_to_a_page_in_the_browser(kind: str, tmp_path: Path) -> None:
    install, up = two_lines()
    newcomer = Newcomer(tmp_path / "newcomer", package(kind, tmp_path / "dist"), index=DIST is not None)
    began = time.perf_counter()
    newcomer.types(install)
    place, version = newcomer.types("python -c 'import greenroom as g; print(g.__file__, g.__version__)'").split()
    assert (place.startswith(str(tmp_path)), version) == (True, greenroom.__version__), "it is the one just installed"
    installed = time.perf_counter() - began
    with newcomer.keeps_open(up) as address:
        opened = time.perf_counter() - began - installed
        visit(address)
    report(f"first minutes, {kind}: installed in {installed:.0f} s, open {opened:.1f} s later")
    assert (tmp_path / "newcomer/home/.greenroom/house.db").is_file(), "what was played is kept where the README says"


def visit(address: str) -> None:
    """Open the address that was printed, and play."""
    found = find()
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(WANTED)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=sandbox)
        try:
            _play(browser.new_page(), address)
        finally:
            browser.close()


def _play(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Play Sallow Rock Light").click()
    page.get_by_label("Say something to Ottilie Brack").fill("Good evening.")
    page.get_by_role("button", name="Say", exact=True).click()
    expect(page.locator(".line.hers")).to_have_count(1, timeout=60_000)
