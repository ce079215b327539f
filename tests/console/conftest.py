"""One browser and one server for the tests of this folder.

Not for the whole session: while Playwright is at work its loop runs in this thread, and no asynchronous test could.
That is also why there is none in this folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.console.served import Cable, Served
from tools.browser import WANTED, find

#: A turn, a page and a live update are well within this.
expect.set_options(timeout=10_000)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The real Chromium of this machine. None is a skip that everybody sees, and a failure in CI."""
    found = find()
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(WANTED)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=sandbox)
        yield started
        started.close()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Served]:
    """A house that all tests share: each makes the streams it needs."""
    running = Served(tmp_path_factory.mktemp("house"))
    yield running
    running.close()


@pytest.fixture
def cable(served: Served) -> Iterator[Cable]:
    laid = Cable(served.port)
    yield laid
    laid.close()


#: Opens an address of the server in a browser window of its own.
Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, served: Served) -> Iterator[Open]:
    """Each page is another person's: nothing is shared between two."""
    contexts = []

    def opened(path: str, *, at: str | None = None, width: int = 1280, dark: bool = False) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 844 if width < 600 else 900},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.goto((at or served.address) + path)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def pictures() -> Path | None:
    """Where to keep screenshots; nowhere unless asked for."""
    folder = os.environ.get("GREENROOM_SCREENSHOTS")
    return Path(folder) if folder else None
