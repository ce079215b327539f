"""What stands around every page: head, navigation, a place for messages, and the same manners when something fails."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from nicegui import Client, ui
from starlette.requests import Request

from greenroom.kernel.errors import GreenroomError, Malformed
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.live import LivePage
from greenroom.kit.console.stage import WorldPage
from greenroom.kit.console.wording import sentence
from greenroom.kit.http.access import COOKIE
from greenroom.services.house import House

PLACES = (
    ("Home", addresses.HOME),
    ("Streams", addresses.STREAMS),
    ("Memory", addresses.MEMORY),
    ("Models", addresses.MODELS),
    ("Operations", addresses.OPERATIONS),
)
#: The mark of the house: a curtain, a little open.
MARK = (
    '<svg viewBox="0 0 32 32" width="28" height="28"><rect width="32" height="32" rx="8" fill="var(--green)"/>'
    '<path d="M6 7h20v2c-6 1-8 6-8.600 16H14.600C14 15 12 10 6 9z" fill="var(--on-green)" opacity=".25"/>'
    '<path d="M6 7c8 1 9.500 8 9.500 18H6zM26 7c-8 1-9.500 8-9.500 18H26z" fill="var(--on-green)"/></svg>'
)
#: Seconds in which a page has to be made, and those for which the server keeps it when its browser is gone.
BUILD_SECONDS = 20.0
GONE_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """What every page has at hand."""

    house: House
    live: LivePage
    worlds: Mapping[str, WorldPage]


@dataclass(frozen=True, slots=True)
class Query:
    """What the address asks for."""

    given: Mapping[str, str]

    def text(self, name: str) -> str | None:
        return self.given.get(name) or None

    def needed(self, name: str) -> str:
        """Raises:
        Malformed: it is not there.
        """
        if name not in self.given:
            raise Malformed(f"the address of this page names no {name}; go there by a link of another page")
        return self.given[name]

    def number(self, name: str) -> int | None:
        """Raises:
        Malformed: it is not a whole number.
        """
        given = self.text(name)
        if given is None:
            return None
        if not given.isascii() or not given.isdigit() or len(given) > 18:
            raise Malformed(f"{name} in the address is a whole number, not {given!r}")
        return int(given)


Builder: TypeAlias = Callable[[Console, Query], Awaitable[None]]


def add_page(console: Console, path: str, title: str, build: Builder) -> None:
    """Make the route of one page."""

    @ui.page(path, title=f"{title} · Greenroom", response_timeout=BUILD_SECONDS, reconnect_timeout=GONE_SECONDS)
    async def shown(request: Request) -> None:
        client = ui.context.client
        client.on_exception(_sorry_later)
        with framed() as main:
            try:
                await build(console, Query(request.query_params))
            except GreenroomError as error:
                main.clear()
                _sorry(client, error)


@contextmanager
def framed() -> Iterator[ui.element]:
    """What stands around a page; use it with ``with``."""
    main = _main()
    ui.skip_link("Skip to the page", target=main)
    with main:
        yield main


def _main() -> ui.element:
    # Quasar's own <main> is around all of this: a second one inside of it would not be allowed.
    with parts.tag("header", "head"):
        with parts.tag("a", "brand", href=addresses.HOME, aria_label="Greenroom, home"):
            parts.picture(MARK, "mark")
            parts.tag("span", "brand-name", "Greenroom")
        with parts.tag("nav", "nav", aria_label="Pages"):
            for words, href in PLACES:
                here = ui.context.client.page.path == href
                parts.link(words, href, "nav-link", aria_current="page" if here else None)
        theme = parts.tag("button", "theme", type="button", aria_label="Change between light and dark")
        theme.on("click", js_handler="() => greenroom.nextTheme()")
        if COOKIE in ui.context.client.request.cookies:
            leave = parts.button("Leave", look="quiet small", label="Leave: this browser forgets your ticket")
            leave.on("click", js_handler="() => greenroom.leave()")
    main = parts.box("page", tabindex=-1)
    parts.tag("div", "sayings", role="status", aria_live="polite", id="sayings")
    return main


def say(words: str, *, tone: str = "") -> None:
    """Tell the person something in passing; screen readers hear it."""
    ui.context.client.run_javascript(f"greenroom.say({_js(words)}, {_js(tone)})")


def _js(words: str) -> str:
    import json

    return json.dumps(words).replace("</", "<\\/")


def _sorry(client: Client, error: GreenroomError) -> None:
    client.status_code = error.status
    with parts.box("sorry"):
        parts.text("That did not work", "page-title", kind="h1")
        parts.text(sentence(error), "lead")
        parts.link("Go home", addresses.HOME, "button main")


def _sorry_later(error: Exception) -> None:
    """Something failed after the page was there."""
    known = isinstance(error, GreenroomError)
    say(sentence(error) if known else "Something went wrong here; the log of the server says more.", tone="bad")
