"""The pieces that pages are made of: plain HTML elements with the classes of ``static/console.css``."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from inspect import isawaitable
from typing import Any, TypeAlias

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement
from nicegui.events import GenericEventArguments

Attribute: TypeAlias = str | int | float | bool | None
Act: TypeAlias = Callable[[], Awaitable[None] | None]
#: Fields of a form by name, and the key of this sending; True when the form may be emptied.
Submit: TypeAlias = Callable[[Mapping[str, str], str], Awaitable[bool]]
#: Seconds after which whoever pressed is told that it goes on.
A_WHILE = 0.4


def tag(name: str, classes: str = "", text: str = "", /, **attributes: Attribute) -> TextElement:
    """An HTML element; ``aria_label`` is the attribute ``aria-label``, and what is None or False is left out."""
    made = TextElement(tag=name, text=text)
    if classes:
        made.classes(classes)
    for attribute, value in attributes.items():
        if value is not None and value is not False:
            made.props[attribute.strip("_").replace("_", "-")] = value
    return made


def box(classes: str = "", /, **attributes: Attribute) -> TextElement:
    return tag("div", classes, **attributes)


def text(words: str, classes: str = "", *, kind: str = "p", **attributes: Attribute) -> TextElement:
    return tag(kind, classes, words, **attributes)


def link(words: str, href: str, classes: str = "link", **attributes: Attribute) -> TextElement:
    return tag("a", classes, words, href=href, **attributes)


def button(words: str, act: Act | None = None, *, look: str = "", label: str | None = None, **more: Attribute) -> Any:
    """A button; ``look`` is ``main``, ``quiet`` or ``danger``, or nothing for a plain one."""
    made = tag("button", f"button {look}".strip(), words, type="button", aria_label=label, **more)
    if act is not None:
        made.on("click", partial(_pressed, made, act), args=[])
    return made


async def _pressed(made: TextElement, act: Act, _: object) -> None:
    """Act in the page, not beside the button: by the time it is done, the button may have been drawn anew."""
    if "aria-busy" in made.props:
        return
    with made.client:
        done = act()
        if isawaitable(done):
            await _with_a_sign(made, done)


async def _with_a_sign(made: TextElement, done: Awaitable[None]) -> None:
    """Wait for what was begun; if that takes a while, the button says so, and takes no second press."""
    sign = asyncio.get_running_loop().call_later(A_WHILE, lambda: made.is_deleted or made.props("aria-busy=true"))
    try:
        await done
    finally:
        sign.cancel()
        if "aria-busy" in made.props and not made.is_deleted:
            made.props(remove="aria-busy")


def chip(words: str, tone: str = "", **attributes: Attribute) -> TextElement:
    return tag("span", f"chip {tone}".strip(), words, **attributes)


def title(words: str, lead: str) -> None:
    """What a page is called and what it is for."""
    with box("title"):
        text(words, "page-title", kind="h1")
        text(lead, "lead")


def section(title: str, note: str = "", classes: str = "") -> TextElement:
    """A titled part of a page; use it with ``with``."""
    made = tag("section", f"part {classes}".strip(), aria_label=title)
    with made, box("part-head"):
        text(title, "part-title", kind="h2")
        if note:
            text(note, "note")
    return made


def empty(words: str) -> None:
    """What to say where there is nothing."""
    text(words, "empty")


def facts(pairs: Iterable[tuple[str, str]], classes: str = "") -> TextElement:
    """Names and values, side by side."""
    made = tag("dl", f"facts {classes}".strip())
    with made:
        for name, value in pairs:
            with box("fact"):
                tag("dt", "", name)
                tag("dd", "", value)
    return made


def picture(svg: str, classes: str = "picture") -> ui.html:
    """A drawing of our own; screen readers pass it by."""
    return ui.html(svg, sanitize=False).classes(classes).props("aria-hidden=true")


# forms


def form(submit: Submit, *, name: str, classes: str = "", label: str | None = None) -> TextElement:
    """A form whose content survives a lost connection; use it with ``with`` and put fields inside.

    Each sending has a key that stays the same until the content changes or was taken: pressing the button again
    after a broken connection cannot do the thing twice.
    """
    made = tag("form", f"form {classes}".strip(), name=name, autocomplete="off", aria_label=label)

    async def submitted(event: GenericEventArguments) -> None:
        fields, key = event.args
        taken = await submit({str(k): str(v) for k, v in fields.items()}, str(key))
        if not made.is_deleted:
            told = ", ".join(map(json.dumps, (made.html_id, str(key), taken)))
            made.client.run_javascript(f"greenroom.answered({told})")

    made.on("submit", submitted, js_handler="(event) => greenroom.submit(event, emit)")
    made.on("input", js_handler="(event) => greenroom.typed(event)")
    made.on("vnodeMounted", js_handler="(node) => greenroom.restore(node.el)")
    return made


def field(name: str, label: str, *, value: str = "", rows: int = 0, hint: str = "", **more: Attribute) -> TextElement:
    """A labelled line to type in; with ``rows``, several."""
    with tag("label", "field"):
        tag("span", "field-label", label)
        if rows:
            return tag("textarea", "input", name=name, rows=rows, placeholder=hint or None, **more)
        made = tag("input", "input", name=name, placeholder=hint or None, **more)
        return begin_with(made, value)


def begin_with(made: TextElement, value: str | int) -> TextElement:
    """What stands in a field at first.

    An attribute, not Vue's ``value``: that one is written again whenever anything on the page changes, and would take
    away what somebody is typing.
    """
    made.props["^value"] = value
    return made


def submitter(words: str, *, look: str = "main", label: str | None = None) -> TextElement:
    return tag("button", f"button {look}".strip(), words, type="submit", aria_label=label)


def choice(
    name: str, label: str, options: Mapping[str, str], chosen: str, act: Callable[[str], Any] | None = None
) -> TextElement:
    """A list to choose from; ``act`` is told what was chosen."""
    with tag("label", "field"):
        tag("span", "field-label", label)
        made = tag("select", "input", name=name)
        with made:
            for value, words in options.items():
                tag("option", "", words, value=value, selected=value == chosen)
    if act is not None:
        made.on("change", lambda event: act(str(event.args)), js_handler="(event) => emit(event.target.value)")
    return made
