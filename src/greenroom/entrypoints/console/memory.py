"""Memory: what a cast remembers of one owner, found by a question and with scores; and forgetting a person."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from nicegui import ui

from greenroom.entrypoints.console.frame import Console, Query, say
from greenroom.entrypoints.console.listing import recent
from greenroom.journal.records import Removed, Stream
from greenroom.kernel.asks import Fact, Recalled
from greenroom.kernel.errors import UsageError
from greenroom.kernel.facts import SELF
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.wording import full, person, sentence
from greenroom.services.house import Remembered
from greenroom.services.retention import Forgot
from greenroom.text.counting import amounts, plural

#: Memories shown at most.
MOST = 20
#: Streams to choose from; another one is named by the link from its own page.
CHOICE = 100


async def build(console: Console, query: Query) -> None:
    parts.title(
        "Memory",
        "What was said is remembered for one person, by one world. A search looks there and nowhere else, exactly as a "
        "character does before it speaks.",
    )
    name = query.text("stream")
    rows = list(await recent(console.house, limit=CHOICE))
    if name is None and not rows:
        parts.empty("Nothing has been said in this house yet. Play a world, and come back.")
        return
    row = rows[0] if name is None else await console.house.stream(name)
    page = _Page(console, row, agent=query.text("agent"))
    await page.open(rows, asked=query.text("query"))


class _Page:
    def __init__(self, console: Console, row: Stream, *, agent: str | None) -> None:
        self._console = console
        self._house = console.house
        self._row = row
        self._agent = agent

    async def open(self, rows: Sequence[Stream], *, asked: str | None) -> None:
        head = await self._house.head(self._row.name)
        world = self._house.codec(self._row.world).world
        seats = dict.fromkeys((*world.seats(head.state), *((self._agent,) if self._agent else ())))
        with parts.section("What they remember"):
            with parts.box("card scope"):
                with parts.box("filters"):
                    streams = {row.name: row.name for row in (self._row, *rows)}
                    parts.choice("stream", "Stream", streams, self._row.name, self._other_stream)
                    agents = {"": "everybody in it"} | {seat: seat for seat in seats}
                    parts.choice("agent", "Heard by", agents, self._agent or "", self._other_agent)
                with parts.form(self._search, name="search", classes="say", label="Search"):
                    hint = "What does she know of my sister?"
                    parts.field(
                        "query", "Question or words", value=asked or "", hint=hint, required=True, maxlength=500
                    )
                    parts.submitter("Search")
            self._found = parts.box("found", role="status")
            with self._found:
                await (self._scope() if asked is None else self._answer(asked))
        self._facts = parts.box("facts-section")
        with self._facts:
            await self._known()
        with parts.section("Forget a person", "For good, and only after you said so twice."):
            self._forget = parts.box("card forget")
            with self._forget:
                self._ask_first()

    def _other_stream(self, name: str) -> None:
        ui.navigate.to(addresses.memory(name))

    def _other_agent(self, agent: str) -> None:
        ui.navigate.to(addresses.memory(self._row.name, agent=agent or None))

    # searching

    async def _scope(self) -> None:
        """Before anything is asked: how much there is."""
        there = await self._house.recall(self._row.name, "", agent=self._agent, limit=1)
        parts.text(self._went_by(there), "note")

    async def _search(self, fields: Mapping[str, str], key: str) -> bool:
        self._found.clear()
        with self._found:
            await self._answer(fields["query"])
        address = addresses.memory(self._row.name, agent=self._agent, query=fields["query"])
        self._found.client.run_javascript(f"history.replaceState(null, '', {json.dumps(address)})")
        return False  # the words stay in the field

    async def _answer(self, words: str) -> None:
        found = await self._house.recall(self._row.name, words, agent=self._agent, limit=MOST)
        if not found.found:
            parts.empty("Nothing that was said answers that.")
        else:
            with parts.tag("ol", "hits", aria_label="Memories found, best first"):
                for hit in found.found:
                    _hit(hit)
        parts.text(self._went_by(found), "note")

    def _went_by(self, found: Remembered) -> str:
        scope, page = found.scope, self._console.worlds.get(found.scope.world)
        whose = f"{person(scope.owner)} in {page.title if page else scope.world}"
        whose += f", heard by {scope.agent}" if scope.agent else ""
        match found.lacking:
            case None:
                how = "they are found by words"
            case 0:
                how = "they are found by words and by meaning"
            case lacking:
                how = f"{plural(lacking, 'memory is', 'memories are')} found by words alone until their meaning is read"
        return f"{plural(found.memories, 'memory', 'memories')} of {whose}; {how}."

    # facts

    async def _known(self) -> None:
        """What is known of the owner, each with the words it was taken from; and how to set it right."""
        facts = await self._house.facts(self._row.name, agent=self._agent)
        with parts.section("What is known of them", f"Facts that {person(self._row.owner)} told, newest words last."):
            if not facts:
                parts.empty("Nothing has been told yet that was kept as a fact.")
            with parts.tag("ul", "known", aria_label="Facts, the most telling first"):
                for fact in facts:
                    self._fact(fact)

    def _fact(self, fact: Fact) -> None:
        with parts.tag("li", "memory card"):
            whose = "" if fact.subject == SELF else f" of {fact.subject}"
            parts.tag("b", "", f"{fact.relation}{whose}: {fact.value}")
            parts.text(f"“{fact.text}”", "memory-words")
            parts.text(f"{full(fact.at)} · salience {fact.salience}", "note")
            if "correct" in self._house.codec(self._row.world).world.commands:
                with parts.tag("details", "letter"):
                    parts.tag("summary", "button", "Correct")
                    form = parts.form(
                        partial(self._correct, fact.id), name=f"correct-{fact.id}", classes="say", label="Correct"
                    )
                    with form:
                        parts.field("text", "What is so instead; leave it empty to strike it out", maxlength=500)
                        parts.submitter("Correct it")

    async def _correct(self, fact: str, fields: Mapping[str, str], key: str) -> bool:
        text = fields.get("text", "").strip()
        given = self._house.codec(self._row.world).command_from("correct", {"fact": fact, "text": text or None})
        try:
            await self._house.send(self._row.name, given, seat=OPERATOR, key=key)
        except UsageError as refusal:
            say(sentence(refusal), tone="bad")
            return False
        self._facts.clear()
        with self._facts:
            await self._known()
        return True

    # forgetting

    def _ask_first(self) -> None:
        owner = self._row.owner
        parts.text(
            f"Everything of {person(owner)} goes: their words everywhere, and every stream they own with its whole "
            "history. What others said stays; where it quoted them, readers see [removed].",
        )
        parts.button(f"Forget {person(owner)} …", self._ask_again, look="danger")

    async def _ask_again(self) -> None:
        owner = self._row.owner
        going = await self._house.belongings(owner)
        self._forget.clear()
        with self._forget:
            _what_goes(owner, going)
            with parts.form(self._forget_now, name="forget", classes="say", label="Forget for good"):
                parts.field("name", f"Type {owner} to go on", required=True, autofocus=True)
                tag = parts.submitter("Forget for good", look="danger")
                tag.classes("danger")
            parts.button("Keep everything", self._keep)

    def _keep(self) -> None:
        self._forget.clear()
        with self._forget:
            self._ask_first()

    async def _forget_now(self, fields: Mapping[str, str], key: str) -> bool:
        if fields["name"].strip() != self._row.owner:
            say(f"That is not the name; nothing was removed. Type {self._row.owner}.", tone="bad")
            return False
        try:
            gone = await self._house.forget(self._row.owner)
        except UsageError as refusal:
            say(sentence(refusal), tone="bad")
            return False
        self._forget.clear()
        self._found.clear()
        with self._forget:
            _gone(self._row.owner, gone)
        return True


def _hit(hit: Recalled) -> None:
    with parts.tag("li", "memory card"):
        parts.tag("span", "score", f"{hit.score:.3f}", title="How well it answers; the best is first.")
        with parts.box("memory-words"):
            parts.text(hit.text)
            parts.text(f"{hit.speaker or 'somebody'} · {hit.kind}", "note")


def _what_goes(owner: str, going: Removed) -> None:
    parts.text(f"This goes for good with {person(owner)}: {amounts(dict(going.counts))}.", "strong")
    if going.streams:
        with parts.tag("ul", "going"):
            for name in going.streams[:MOST]:
                parts.tag("li", "mono", name)
        if len(going.streams) > MOST:
            parts.text(f"and {plural(len(going.streams) - MOST, 'further stream')}", "note")


def _gone(owner: str, gone: Forgot) -> None:
    counts: dict[str, Any] = dict(gone.counts)
    parts.text(f"{person(owner)} is forgotten: {amounts(counts)} removed.", "chip good big")
    if gone.backups:
        parts.text("These backups still hold something of them; remove or replace them:")
        with parts.tag("ul", "going"):
            for backup in gone.backups:
                parts.tag("li", "mono", backup)
