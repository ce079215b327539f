"""Browser windows that go from test to test: what one has loaded and compiled once, it need not load again."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

#: A picture that every console has; it keeps no connection.
STILL = "/console/static/mark.svg"


class Window:
    """A window of one person, with cookies and storage of its own.

    One tab stays open behind those of the tests: with the last one Chromium lets go of what it has compiled.
    """

    def __init__(self, context: BrowserContext, address: str) -> None:
        self._context = context
        self._behind = context.new_page()
        self._behind.goto(address + STILL)
        self._storage = context.new_cdp_session(self._behind)

    def tab(
        self, *, width: int = 1280, dark: bool = False, moves: bool = False, headers: dict[str, str] | None = None
    ) -> Page:
        page = self._context.new_page()
        page.set_default_timeout(10_000)
        page.set_viewport_size({"width": width, "height": 844 if width < 600 else 900})
        page.emulate_media(
            color_scheme="dark" if dark else "light", reduced_motion="no-preference" if moves else "reduce"
        )
        if headers is not None:
            page.set_extra_http_headers(headers)
        return page

    def has(self, cookie: str, value: str, path: str) -> None:
        """From now on it is the window of somebody who was given this cookie before."""
        self._context.add_cookies([{"name": cookie, "value": value, "domain": "localhost", "path": path}])

    def forget(self) -> None:
        """Close the tabs and forget whose they were; the server's own files may stay."""
        origins = set()
        for page in self._context.pages:
            where = urlsplit(page.url)
            origins.add(f"{where.scheme}://{where.netloc}")
            if page != self._behind:
                page.close()
        self._context.clear_cookies()
        for origin in origins:
            self._storage.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage"})


class Windows:
    """As many as were ever open at once."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._free: list[Window] = []

    def take(self) -> Window:
        if self._free:
            return self._free.pop()
        return Window(self._browser.new_context(accept_downloads=True), self._address)

    def give_back(self, window: Window) -> None:
        window.forget()
        self._free.append(window)
