"""One browser and one server for the tests of this folder.

Not for the whole session: while Playwright is at work its loop runs in this thread, and no asynchronous test could.
That is also why there is none in this folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.console.served import Cable, Served
from tests.console.windows import Window, Windows
from tools.browser import WANTED, find

#: No page lives long enough for its scripts to be compiled a second time, better.
PLAINLY = "--js-flags=--no-opt"
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
        started = playwright.chromium.launch(executable_path=found, args=[*sandbox, PLAINLY])
        yield started
        started.close()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Served]:
    """A house that all tests share: each makes the streams it needs."""
    running = Served(tmp_path_factory.mktemp("house"))
    yield running
    running.close()


@pytest.fixture(scope="package")
def windows(browser: Browser, served: Served) -> Windows:
    return Windows(browser, served.address)


@pytest.fixture(scope="package")
def _cable(served: Served) -> Iterator[Cable]:
    laid = Cable(served.port)
    yield laid
    laid.close()


@pytest.fixture
def cable(_cable: Cable) -> Iterator[Cable]:
    """One for all tests, so that its address stays; whoever comes next finds it whole, and nobody on it."""
    yield _cable
    _cable.cut()
    _cable.mend()


#: Name, value and path.
Cookie = tuple[str, str, str]
#: Opens an address of the server in a browser window of its own; without one the window stays empty.
Open = Callable[..., Page]


@pytest.fixture
def open_page(windows: Windows, served: Served) -> Iterator[Open]:
    """Each page is another person's: nothing is shared between two."""
    taken: list[Window] = []

    def opened(path: str | None, *, at: str | None = None, cookie: Cookie | None = None, **look: Any) -> Page:
        window = windows.take()
        taken.append(window)
        page = window.tab(**look)
        if cookie is not None:
            window.has(*cookie)
        if path is not None:
            page.goto((at or served.address) + path)
        return page

    yield opened
    for window in reversed(taken):
        windows.give_back(window)


@pytest.fixture
def pictures() -> Path | None:
    """Where to keep screenshots; nowhere unless asked for."""
    folder = os.environ.get("GREENROOM_SCREENSHOTS")
    return Path(folder) if folder else None
