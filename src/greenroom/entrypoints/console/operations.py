"""Operations: what waits, what is due, what failed, which letters go, who works, what it costs, and is all well."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from nicegui import ui

from greenroom.entrypoints.console import spending
from greenroom.entrypoints.console.frame import Console, Query, say
from greenroom.journal.records import Attempt, Stream
from greenroom.kernel.errors import GreenroomError
from greenroom.kernel.letters import Letter
from greenroom.kernel.times import moment
from greenroom.kernel.words import REMOVED
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.shelf import StoryShelf
from greenroom.kit.console.wording import ago, day_and_clock, full
from greenroom.services import operations
from greenroom.services.budgets import Standing
from greenroom.services.operations import Decision, HeldStream
from greenroom.text.counting import plural

#: Rows of each list.
MOST = 25
#: Attempts looked through for one that was tried again.
LATER = 200


async def build(console: Console, query: Query) -> None:
    parts.title("Operations", "How the house stands. This page follows by itself.")
    page = _Page(console)
    await page.refresh()
    watch = console.live.watch(None, page.refresh, rest=1.0)
    ui.context.client.on_delete(lambda: console.live.leave(watch))


class _Page:
    def __init__(self, console: Console) -> None:
        self._house = console.house
        self._counts = StoryShelf("tiles small", _draw_counts)
        with parts.box("halves"):
            with parts.section("Queue", "Streams with attempts that are not settled."):
                self._queue = StoryShelf("", self._draw_queue)
            with parts.section("Due", "What wakes next."):
                self._due = StoryShelf("", self._draw_due)
        with parts.section("Failed attempts", "Tried five times and given up. The stream went on without them."):
            self._failed = StoryShelf("", self._draw_failed)
        with parts.section("Letters", "Hold one and it waits for you; approve it and it goes when it is due."):
            self._letters = StoryShelf("", self._draw_letters)
        with parts.section("Workers and leases", "Who drives which stream, until when."):
            self._held = StoryShelf("", self._draw_held)
        with parts.section("Spending", "The last thirty days, by world."):
            self._spending = spending.Plot()
        with parts.section("Budgets", "What a day may take; whoever wants more is refused."):
            self._budgets = StoryShelf("", _draw_budgets)
        with parts.section("Database", self._house.name):
            self._check = parts.box("card check")
            with self._check:
                parts.text("Recompute every sum, fold every state again, compare every table with its journal.")
                parts.button("Check the database", self._check_now)
            self._checked = parts.box("verdict", role="status")

    async def refresh(self) -> None:
        house = self._house
        stands = await operations.overlook(house, limit=MOST)
        failed = await operations.failed(house, limit=MOST)
        letters = await operations.letters(house, limit=400)
        spent = await operations.spent(house)
        self._counts.show(dict(stands.counts))
        self._queue.show(stands.queue)
        self._due.show(stands.due[:MOST])
        self._failed.show(tuple([(attempt, await self._again(attempt)) for attempt in failed]))
        shown = tuple(_pressing(letters))[:MOST]
        texts = await house.texts([letter.words for letter in shown])
        self._letters.show(tuple((letter, texts.get(letter.words, REMOVED)) for letter in shown))
        self._held.show(stands.held)
        self._spending.show(spent)
        self._budgets.show(tuple(house.budgets.standing()))

    # what waits

    def _draw_queue(self, rows: Sequence[Stream]) -> None:
        if not rows:
            parts.empty("Nothing waits.")
            return
        with parts.tag("ul", "rows"):
            for row in rows:
                with parts.tag("li", "row"):
                    parts.link(row.name, addresses.stream(row.name), "link strong mono")
                    parts.chip(f"{plural(row.open, 'attempt')} open", "busy")
                    if row.head_at is not None:
                        parts.text(f"since {full(moment(row.head_at))}", "note")
                    if row.waiting:
                        parts.chip("waits for another stream")

    def _draw_due(self, rows: Sequence[Stream]) -> None:
        if not rows:
            parts.empty("Nothing is due.")
            return
        with parts.tag("ul", "rows"):
            for row in rows:
                with parts.tag("li", "row"):
                    parts.link(row.name, addresses.stream(row.name), "link strong mono")
                    at = moment(row.ready_at or 0)
                    parts.text(f"{day_and_clock(at)}, {ago(at, moment(self._house.now()))}", "note")

    def _draw_held(self, held: Sequence[HeldStream]) -> None:
        if not held:
            parts.empty(
                "Nobody holds a stream at this moment. Leases last for seconds, and only while a turn is played."
            )
            return
        with parts.tag("ul", "rows"):
            for one in held:
                with parts.tag("li", "row"):
                    parts.tag("span", "mono", one.worker)
                    parts.text("holds", "note")
                    parts.link(one.stream, addresses.stream(one.stream), "link strong mono")
                    parts.text(f"until {full(one.until)}", "note")

    # what failed

    async def _again(self, attempt: Attempt) -> str | None:
        """What became of it when it was tried again; None when nobody has."""
        later = await self._house.attempts(attempt.stream, after=attempt.n, limit=LATER)
        return next((one.status or "open" for one in later if one.key == f"{operations.RETRY}{attempt.n}"), None)

    def _draw_failed(self, attempts: Sequence[tuple[Attempt, str | None]]) -> None:
        if not attempts:
            parts.empty("Nothing has failed.")
            return
        with parts.tag("ul", "rows"):
            for attempt, again in attempts:
                with parts.tag("li", "row"):
                    parts.link(attempt.stream, addresses.stream(attempt.stream), "link strong mono")
                    parts.text(f"attempt {attempt.n} of {attempt.seat}, {full(moment(attempt.at))}", "note")
                    parts.text(attempt.error or "no reason was kept", "event bad grow")
                    if again is not None:
                        parts.chip(f"tried again: {again}", "good" if again == "settled" else "bad")
                        continue
                    label = f"Try attempt {attempt.n} of {attempt.stream} again"
                    parts.button("Try again", partial(self._retry, attempt), look="small", label=label)

    async def _retry(self, attempt: Attempt) -> None:
        reply = await operations.retry(self._house, attempt.stream, attempt.n)
        say(f"Done: stream {attempt.stream} is at version {reply.version} now.")
        await self.refresh()

    # letters

    def _draw_letters(self, letters: Sequence[tuple[Letter, str]]) -> None:
        if not letters:
            parts.empty("No letter has been written.")
            return
        with parts.tag("ul", "rows"):
            for letter, words in letters:
                with parts.tag("li", "row"):
                    self._draw_letter(letter, words)

    def _draw_letter(self, letter: Letter, words: str) -> None:
        tones = {"due": "busy", "held": "branch", "sent": "good", "failed": "bad"}
        parts.chip(letter.status, tones.get(letter.status, ""))
        with parts.box("grow"):
            parts.text(letter.subject or "without a subject", "strong")
            parts.text(f"to {letter.to} by {letter.channel}, {day_and_clock(letter.due_at)}", "note")
            with parts.tag("details", "reading"):
                parts.tag("summary", "link small", "Read it")
                parts.text(words, "letter-words")
            if letter.error:
                parts.text(letter.error, "event bad")
        parts.link(letter.stream, addresses.stream(letter.stream), "link mono small")
        if letter.status in ("due", "failed"):
            self._decider(letter, "hold", "Hold")
        if letter.status == "held":
            self._decider(letter, "approve", "Approve")
        if letter.status in ("due", "held"):
            self._decider(letter, "cancel", "Cancel")

    def _decider(self, letter: Letter, decision: Decision, words: str) -> None:
        label = f"{words} the letter {letter.subject or letter.key} of {letter.stream}"
        parts.button(words, partial(self._decide, letter, decision), look="small", label=label)

    async def _decide(self, letter: Letter, decision: Decision) -> None:
        decided = await operations.decide(self._house, letter.stream, letter.key, decision)
        say(f"The letter to {decided.to} is {decided.status} now.")
        await self.refresh()

    # is all well

    async def _check_now(self) -> None:
        self._checked.clear()
        with self._checked:
            told = parts.text("Checking …", "note")

        def progress(done: int, there_are: int) -> None:
            told.set_text(f"Checking: {done:,} of {plural(there_are, 'stream')} …")

        try:
            verdict = await self._house.check(progress=progress)
            problems: Sequence[str] = verdict.problems
            well = f"All is well: {plural(verdict.streams, 'stream')}, {plural(verdict.versions, 'version')}."
        except GreenroomError as error:
            problems, well = (str(error),), ""
        self._checked.clear()
        with self._checked:
            for problem in problems:
                parts.text(problem, "chip bad big")
            if not problems:
                parts.text(well, "chip good big")


def _draw_counts(counts: dict[str, Any]) -> None:
    words = {
        "streams": "Streams",
        "open": "Attempts open",
        "failed": "Attempts failed",
        "due": "Letters due",
        "held": "Letters held",
    }
    for name, title in words.items():
        with parts.box("tile"):
            parts.text(title, "tile-name", kind="h2")
            parts.text(f"{counts.get(name, 0):,}", "tile-value")


def _pressing(letters: Sequence[Letter]) -> Sequence[Letter]:
    """Those that somebody may want to decide about first, then the others, the newest first."""
    order = {"held": 0, "due": 1, "failed": 2}
    open_ones = sorted((one for one in letters if one.status in order), key=lambda one: (order[one.status], one.due_at))
    done = sorted((one for one in letters if one.status not in order), key=lambda one: one.due_at, reverse=True)
    return [*open_ones, *done]


#: What a budget counts, and for whom, in the words of the table.
_COUNTED = {"bytes": "Bytes", "mail": "Mails", "sms": "Text messages", "streams": "Stories begun, tickets tried"}
_WHOSE = {"address": "One address", "owner": "One person", "house": "The whole house"}


def _draw_budgets(standing: Sequence[Standing]) -> None:
    if not standing:
        parts.empty("Nothing is limited.")
        return
    by = {(one.kind, one.of): one for one in standing}
    columns = dict.fromkeys((*_WHOSE, *(one.of for one in standing)))
    with (
        parts.box("card"),
        parts.box("table-scroll", tabindex=0, role="region", aria_label="What was taken today, and the most"),
        parts.tag("table", "table"),
    ):
        with parts.tag("thead"), parts.tag("tr"):
            for words in ("What", *(_WHOSE.get(of, of) for of in columns)):
                parts.tag("th", "", words, scope="col")
        with parts.tag("tbody"):
            for kind in dict.fromkeys(one.kind for one in standing):
                with parts.tag("tr"):
                    parts.tag("th", "", _COUNTED.get(kind, kind), scope="row")
                    for of in columns:
                        _budget(by.get((kind, of)))


def _budget(one: Standing | None) -> None:
    with parts.tag("td"):
        if one is None:
            parts.tag("span", "note", "no limit")
            return
        taken, most = (_sized(n) if one.kind == "bytes" else f"{n:,}" for n in (one.taken, one.most))
        parts.tag("span", "", f"{taken} of {most}" if one.most else taken)
        if one.refused:
            parts.chip(plural(one.refused, "refusal"), "bad")


def _sized(count: int) -> str:
    """Bytes in the unit that people read."""
    for unit, size in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return str(count)
