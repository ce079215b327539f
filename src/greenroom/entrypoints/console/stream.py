"""One stream behind the scene: its history with a slider, the state at any moment, branches, proof and export."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

from nicegui import ui
from nicegui.events import GenericEventArguments

from greenroom.entrypoints.console.frame import Console, Query, say
from greenroom.entrypoints.console.timeline import Moment, stretch
from greenroom.journal.records import Stream
from greenroom.kernel.errors import UsageError
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import OPERATOR, Seat
from greenroom.kit.console import addresses, branches, parts
from greenroom.kit.console.outline import changes, event_words, outline
from greenroom.kit.console.wording import ago, clock, full, person, sentence
from greenroom.services.house import Look
from greenroom.text.counting import plural

#: Steps of a stream that are shown as they are stored.
SHOWN = 200
#: Stands for anybody who has no seat in the world.
NOBODY: Seat = "somebody without a seat"
#: Whether the slider is moved from here; gently means: not while a hand is on it.
Push: TypeAlias = Literal["no", "gently", "firmly"]


async def build(console: Console, query: Query) -> None:
    name = query.needed("stream")
    row = await console.house.stream(name)
    absent = console.house.missing(row.world)
    if absent is not None:
        await _as_stored(console, row, absent)
        return
    at = query.number("at")
    chosen = row.version if at is None else min(max(at, row.mark), row.version)
    page = _Page(console, row, seat=query.text("seat") or OPERATOR, version=chosen)
    await page.open()


async def _as_stored(console: Console, row: Stream, absent: str) -> None:
    """All that can be shown without the stream's world."""
    house = console.house
    with parts.box("play-head"):
        with parts.box("play-title"):
            parts.text(row.name, "page-title", kind="h1")
            parts.text(sentence(absent), "lead")
        with parts.box("stream-acts"):
            parts.link("Export", addresses.export(row.name), "button", download=f"{row.name}.jsonl")
    with parts.section("What is stored", "Words stand here by their ids."), parts.tag("ol", "history"):
        async for step in house.raw(row.name, after=max(row.version - SHOWN, row.mark, 0)):
            with parts.tag("li", "moment-row"):
                parts.tag("span", "moment-number", str(step.version))
                with parts.box("moment-words"):
                    parts.tag("time", "when", clock(step.at), datetime=step.at.isoformat(), title=full(step.at))
                    for kind, body in step.events:
                        with parts.text("", "event"):
                            parts.tag("b", "", kind.replace("_", " "))
                            parts.tag("span", "", f" {event_words(body)}")


class _Page:
    """The page in one browser: which version is looked at, from which seat."""

    def __init__(self, console: Console, row: Stream, *, seat: Seat, version: int) -> None:
        self._console = console
        self._house = console.house
        self._row = row
        self._seat = seat
        self._version = version
        self._turn = asyncio.Lock()

    async def open(self) -> None:
        head = await self._house.head(self._row.name, self._version)
        world = self._house.codec(self._row.world).world
        seats = (OPERATOR, *world.seats(head.state), NOBODY)
        self._head()
        self._scrubber(dict.fromkeys((*seats, self._seat)))
        with parts.box("halves"):
            with parts.section("What happened", classes="happenings"):
                self._history = parts.tag("ol", "history", tabindex=0, aria_label="History")
            with parts.section("The state at that moment", classes="moment"):
                self._state = parts.box("card state", tabindex=0, role="group", aria_label="The state")
        with parts.section("Branches", "Each goes its own way from a version of another; none changes the other."):
            self._tree = parts.box("card")
        await self._show(pushed="no")
        await self._grow()
        live, client = self._console.live, ui.context.client

        async def look() -> None:
            try:
                await self._moved()
            except UsageError as gone:  # somebody removed the stream
                with client:
                    say(sentence(gone), tone="bad")
                live.leave(watch)

        watch = live.watch(self._row.name, look)
        client.on_delete(lambda: live.leave(watch))

    # the head

    def _head(self) -> None:
        row, page = self._row, self._console.worlds.get(self._row.world)
        with parts.box("play-head"):
            with parts.box("play-title"):
                parts.text(row.name, "page-title", kind="h1")
                with parts.box("play-where"):
                    parts.tag("span", "", page.title if page else row.world)
                    parts.tag("span", "", f"played by {person(row.owner)}")
                    self._age = parts.tag("span", "")
                    if row.parent is not None:
                        href = addresses.stream(row.parent, at=row.forked_at)
                        parts.link(f"branch of {row.parent} from version {row.forked_at}", href, "chip branch")
            with parts.box("stream-acts"):
                if page is not None:
                    parts.link("Play on", addresses.play(row.world, row.name), "button")
                parts.button("Verify", self._verify)
                parts.link("Export", addresses.export(row.name), "button", download=f"{row.name}.jsonl")
        self._verdict = parts.box("verdict", role="status")

    async def _verify(self) -> None:
        self._verdict.clear()
        with self._verdict:
            parts.text("Checking every sum, state and table row …", "note")
        verdict = await self._house.verify(self._row.name)
        self._verdict.clear()
        with self._verdict:
            if not verdict.problems:
                versions = plural(verdict.versions, "version")
                parts.text(f"Verified: {versions}, all as they were written.", "chip good big")
            for problem in verdict.problems:
                parts.text(problem, "chip bad big")

    # the slider

    def _scrubber(self, seats: dict[Seat, None]) -> None:
        with parts.tag("section", "card scrubber", aria_label="Moment"):
            with parts.box("scrub-row"):
                parts.button("←", partial(self._by, -1), label="One version back")
                limits = {"min": self._row.mark, "max": self._row.version}
                self._slider = parts.tag("input", "slider", type="range", step=1, aria_label="Version", **limits)
                parts.begin_with(self._slider, self._version)
                self._slider.on("input", self._slid, js_handler="(e) => greenroom.slid(e, emit)", throttle=0.08)
                parts.button("→", partial(self._by, +1), label="One version forward")
            with parts.box("scrub-row"):
                self._where = parts.text("", "scrub-where", aria_live="polite")
                names = {seat: "the operator, who sees all" if seat == OPERATOR else seat for seat in seats}
                parts.choice("seat", "As seen by", names, self._seat, self._sit)
                self._branch_button = parts.button("Branch from here", self._branch, look="main")

    async def _slid(self, event: GenericEventArguments) -> None:
        await self._go(int(event.args), slid=True)

    async def _by(self, steps: int) -> None:
        await self._go(self._version + steps)

    async def _sit(self, seat: Seat) -> None:
        self._seat = seat
        await self._show()

    async def _go(self, version: int, *, slid: bool = False) -> None:
        self._version = min(max(version, self._row.mark), self._row.version)
        await self._show(pushed="no" if slid else "firmly")

    async def _moved(self) -> None:
        """The stream went on: whoever looked at its end still does."""
        newest = await self._house.stream(self._row.name)
        if (newest.version, newest.recorded, newest.open) == (self._row.version, self._row.recorded, self._row.open):
            return
        at_end = self._version == self._row.version
        self._row = newest
        if at_end:
            self._version = newest.version
        await self._show(pushed="gently" if at_end else "no")
        await self._grow()

    # showing

    async def _show(self, *, pushed: Push = "firmly") -> None:
        wanted = self._version
        async with self._turn:
            if wanted != self._version:
                return  # the slider is elsewhere by now
            name, seat = self._row.name, self._seat
            look = await self._house.view(name, seat=seat, version=wanted)
            first = max(wanted - 1, self._row.mark)
            before = await self._house.view(name, seat=seat, version=first)
            moments = await stretch(self._house, name, seat=seat, around=wanted)
            self._draw_slider(look, pushed)
            self._draw_state(look, before)
            self._draw_history(moments)

    def _draw_slider(self, look: Look, pushed: Push) -> None:
        row, props = self._row, self._slider.props
        with props.suspend_updates():
            props["min"], props["max"] = row.mark, row.version
            props["aria-valuetext"] = f"version {look.version} of {row.version}"
        self._slider.update()
        if pushed != "no":
            firmly = "true" if pushed == "firmly" else "false"
            push = f"greenroom.push({self._slider.html_id!r}, {look.version}, {row.version}, {firmly})"
            self._slider.client.run_javascript(push)
        beginning = " (before anything happened)" if look.version == 0 else ""
        self._where.set_text(f"Version {look.version} of {row.version}{beginning} · {full(look.at)}")
        self._age.set_text(f"last moved {ago(moment(row.last_at), moment(self._house.now()))}" if row.version else "")
        self._branch_button.props.set_bool("disabled", look.version == 0)
        address = addresses.stream(row.name, at=look.version, seat=None if self._seat == OPERATOR else self._seat)
        self._slider.client.run_javascript(f"history.replaceState(null, '', {address!r})")

    def _draw_state(self, look: Look, before: Look) -> None:
        self._state.clear()
        with self._state:
            changed = changes(before.body, look.body) if look.version > before.version else {}
            changed.pop("/at", None)
            if changed:
                things = plural(len(changed), "thing")
                parts.text(f"{things} changed with this version, marked below.", "note")
            elif look.version:
                parts.text("Nothing changed for this seat with this version.", "note")
            outline(look.body, changed)

    def _draw_history(self, moments: Sequence[Moment]) -> None:
        self._history.clear()
        with self._history:
            if not moments:
                parts.empty("Nothing has happened yet.")
            for one in moments:
                self._draw_moment(one)
        self._history.client.run_javascript(f"greenroom.toChosen({self._history.html_id!r})")

    def _draw_moment(self, one: Moment) -> None:
        chosen = one.version is not None and one.version == self._version
        with parts.tag("li", "moment-row chosen" if chosen else "moment-row"):
            if one.version is None:
                parts.tag("span", "moment-number none", "–")
            else:
                go = partial(self._go, one.version)
                label, current = f"Go to version {one.version}", "true" if chosen else None
                parts.button(str(one.version), go, look="moment-number", label=label, aria_current=current)
            with parts.box("moment-words"):
                self._draw_words(one)

    def _draw_words(self, one: Moment) -> None:
        with parts.box("line-head"):
            parts.tag("span", "who", one.by or "somebody")
            parts.tag("time", "when", clock(one.at), datetime=one.at.isoformat(), title=full(one.at))
            parts.tag("span", "note", f"attempt {one.n}")
            if one.of != self._row.name:
                parts.tag("span", "note", f"in {one.of}")
            if one.status != "settled":
                parts.chip(one.status or "open", "busy" if one.status is None else "bad")
        for event in one.events:
            body: Any = event.body
            with parts.text("", "event"):
                parts.tag("b", "", event.kind.replace("_", " "))
                parts.tag("span", "", f" {event_words(body)}")
        if one.error:
            parts.text(one.error, "event bad")
        if one.version is not None and not one.events:
            parts.text("This seat is shown nothing of it.", "note")
        if one.version is not None:
            parts.link("Why?", addresses.why(self._row.name, one.version), "link small")

    # branches

    async def _grow(self) -> None:
        twig = await branches.tree(self._house, self._row.name)
        self._tree.clear()
        with self._tree:
            branches.draw(twig, self._row.name)

    async def _branch(self) -> None:
        client = ui.context.client
        page = self._console.worlds.get(self._row.world)
        name = await branches.free_name(self._house, self._row.name, self._version)
        try:
            made = await self._house.branch(
                self._row.name, self._version, name=name, awake=page is not None and page.branches_awake
            )
        except UsageError as refusal:
            say(sentence(refusal), tone="bad")
            return
        with client:
            ui.navigate.to(addresses.play(made.world, made.name) if page else addresses.stream(made.name))
