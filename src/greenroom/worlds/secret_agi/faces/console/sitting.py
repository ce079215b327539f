"""One game in one browser: the table, what happened, what the seat may do, and the way back through its turns."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.stage import Scene
from greenroom.kit.console.wording import clock
from greenroom.services.house import Look, ShownEvent
from greenroom.worlds.secret_agi.faces.app.guide import guide_lines, rules_lines
from greenroom.worlds.secret_agi.faces.app.telling import told
from greenroom.worlds.secret_agi.faces.console import board
from greenroom.worlds.secret_agi.faces.console.deeds import offer
from greenroom.worlds.secret_agi.faces.console.pacing import PACES, Pacing
from greenroom.worlds.secret_agi.faces.console.whatif import WhatIf
from greenroom.worlds.secret_agi.rules import NAME


class Sitting:
    """The elements of one page, and how they follow the game or stand at one of its turns."""

    def __init__(self, scene: Scene, seats: Sequence[str], rules: str) -> None:
        self._scene = scene
        self._rules = rules
        self._turn: int | None = None  # None follows the game
        self._newest = 0
        self._lines: list[tuple[int, Any]] = []
        self._latest: tuple[Look, Sequence[Any]] | None = None
        self._drawing = asyncio.Lock()
        self._pacing = Pacing(self._hold)
        with parts.box("world-agi"):
            self._controls(seats)
            with parts.box("agi-halves"):
                with parts.tag("section", "agi-board", aria_label="How the game stands"):
                    self._table = parts.box("agi-round")
                    self._meters = parts.box("card")
                    with parts.section("Papers"):
                        self._papers = parts.box("agi-part")
                    with parts.section("Votes"):
                        self._votes = parts.box("agi-part")
                with parts.tag("section", "talk", aria_label="What happened"):
                    self._log = parts.box("log", role="log", aria_live="polite", tabindex=0, aria_label="What happened")
                    self._deeds = parts.box("deeds")

    def _guide(self, players: int) -> None:
        """The rules of this table and help for a first game, to be opened."""
        with parts.tag("details", "agi-guide"):
            parts.tag("summary", "button", "Rules and a first game")
            for heading, lines in (
                ("For a first game", guide_lines()),
                ("The rules", rules_lines(players, self._rules)),
            ):
                parts.tag("h3", "", heading)
                with parts.tag("ul", "note"):
                    for line in lines:
                        parts.tag("li", "", line)

    # winding back, looking from elsewhere

    def _controls(self, seats: Sequence[str]) -> None:
        with parts.tag("section", "card agi-controls", aria_label="Moment and viewer"):
            with parts.box("scrub-row"):
                parts.button("←", partial(self._by, -1), label="One turn back")
                self._slider = parts.tag("input", "slider", type="range", step=1, min=0, max=0, aria_label="Turn")
                parts.begin_with(self._slider, 0)
                self._slider.on("input", self._slid, js_handler="(e) => greenroom.slid(e, emit)", throttle=0.08)
                parts.button("→", partial(self._by, +1), label="One turn forward")
                self._where = parts.text("", "scrub-where", aria_live="polite")
            with parts.box("scrub-row"):
                names = {seat: seat for seat in seats} | {OPERATOR: "the operator, who sees all"}
                mine = self._scene.seat
                parts.choice("seat", "As seen by", {mine: mine} | names, mine, self._sit)
                WhatIf(self._scene, seats, self._looked_at)
                parts.choice("pace", "Pace", PACES, "0", self._pacing.set)
                self._guide(len(seats))

    def _looked_at(self) -> int:
        return self._newest if self._turn is None else self._turn

    def _sit(self, seat: str) -> None:
        ui.navigate.to(addresses.play(NAME, self._scene.stream, seat=seat))

    async def _slid(self, event: GenericEventArguments) -> None:
        await self._go(int(event.args), firmly=False)

    async def _by(self, turns: int) -> None:
        await self._go(self._looked_at() + turns)

    async def _go(self, turn: int, *, firmly: bool = True) -> None:
        turn = min(max(turn, 0), self._newest)
        self._turn = None if turn == self._newest else turn
        await self._show(firmly=firmly)

    async def _show(self, *, firmly: bool) -> None:
        """Draw the chosen turn, or the newest."""
        turn = self._turn
        async with self._drawing:
            if turn != self._turn or self._latest is None:
                return  # somebody is elsewhere by now
            look, legal = self._latest
            if turn is not None:
                look = await self._scene.house.view(self._scene.stream, seat=self._scene.seat, version=turn + 1)
            self._draw(look, legal if turn is None else (), firmly=firmly)

    # following

    def tell(self, event: ShownEvent) -> None:
        """Write one line, at its time; what was there when the page was opened is told at once."""
        words = told(event.kind, event.body, self._scene.seat)
        if event.kind != "chat_message" and not words:
            return
        if self._latest is None:
            self._write(event, words)
        else:
            self._pacing.put(partial(self._write_and_follow, event, words), is_line=True)

    def _write_and_follow(self, event: ShownEvent, words: str | None) -> None:
        self._write(event, words)
        self._log.client.run_javascript(f"greenroom.toEnd({self._log.html_id!r})")

    def _write(self, event: ShownEvent, words: str | None) -> None:
        body: Any = event.body
        with self._log:
            made = (
                self._line(event, body["seat"], body["words"])
                if event.kind == "chat_message"
                else self._happened(event, words or "")
            )
        self._lines.append((event.version - 1, made))

    def _line(self, event: ShownEvent, who: str, words: str) -> Any:
        mine = "mine" if who == self._scene.seat else "hers"
        with parts.tag("article", f"line {mine}", aria_label=f"{who}, turn {event.version - 1}") as made:
            with parts.box("line-head"):
                parts.tag("span", "who", "You" if who == self._scene.seat else who)
                parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
            parts.text(words, "words")
        return made

    def _happened(self, event: ShownEvent, words: str) -> Any:
        tone = {"game_ended": "ended", "paper_published": "paper", "vote_completed": "vote"}.get(event.kind, "")
        with parts.box(f"happened {tone}".strip()) as made:
            parts.tag("span", "when", str(event.version - 1), title=f"turn {event.version - 1}, {clock(event.at)}")
            parts.text(words)
        return made

    def see(self, look: Look, legal: Sequence[Any]) -> None:
        """Draw the table, after the lines that lead to it."""
        if self._latest is None:
            self._seen(look, legal)
        else:
            self._pacing.put(partial(self._seen, look, legal), is_line=False)

    def _hold(self) -> None:
        """While lines wait there is nothing to choose, but one may hurry them."""
        self._deeds.clear()
        with self._deeds:
            parts.text("The others play.", "note")
            parts.button("Tell me the rest at once", self._pacing.hurry, look="quiet")

    def _seen(self, look: Look, legal: Sequence[Any]) -> None:
        self._latest = look, legal
        self._newest = look.version - 1
        if self._turn is None:
            self._draw(look, legal, firmly=False)
        else:
            self._point(firmly=False)

    def _draw(self, look: Look, legal: Sequence[Any], *, firmly: bool) -> None:
        seen: Any = look.body
        board.draw(seen, self._scene.seat, (self._table, self._meters, self._papers, self._votes))
        for turn, line in self._lines:
            line.set_visibility(self._turn is None or turn <= self._turn)
        self._deeds.clear()
        with self._deeds:
            self._stands(seen, legal)
        self._point(firmly=firmly)
        self._log.client.run_javascript(f"greenroom.toEnd({self._log.html_id!r})")

    def _stands(self, seen: Any, legal: Sequence[Any]) -> None:
        if self._turn is not None:
            parts.text("You are looking back.", "note")
            parts.button("Back to now", partial(self._go, self._newest), look="main")
        elif seen["outcome"] is not None:
            parts.text(board.situation(seen), "lead")
            parts.link("Play another", addresses.play(NAME), "button main")
        else:
            offer(self._scene, seen, legal)

    def _point(self, *, firmly: bool) -> None:
        turn = self._looked_at()
        self._where.set_text(f"turn {turn} of {self._newest}" if self._turn is not None else f"turn {turn}, now")
        self._slider.props["max"] = self._newest
        pushed = f"greenroom.push({self._slider.html_id!r}, {turn}, {self._newest}, {'true' if firmly else 'false'})"
        self._slider.client.run_javascript(pushed)
