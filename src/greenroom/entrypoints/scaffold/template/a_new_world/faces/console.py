"""The page of A New World: a lamp, a riddle, and what was said under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from greenroom.kit.console import addresses, parts
from greenroom.kit.console.stage import Scene, WorldPage
from greenroom.kit.console.wording import clock
from greenroom.kit.numbered import go_on_or_begin
from greenroom.services.house import Look, ShownEvent

from ..rules import NAME
from ..rules.commands import GUESS, SPEECH
from ..rules.state import GUEST

#: Colours are classes of static/a_new_world.css, so that they change with light and dark.
LAMP = (
    '<svg class="a_new_world-lamp" viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice">'
    '<rect class="room" width="320" height="160"/><path class="glow" d="M160 46l96 114H64z"/>'
    '<path class="cord" d="M159 0h2v30h-2z"/><path class="shade" d="M136 46c2-12 12-18 24-18s22 6 24 18z"/>'
    '<circle class="bulb" cx="160" cy="49" r="7"/><path class="table" d="M70 132h180v7H70z"/>'
    '<path class="cup" d="M202 116h18l-2 16h-14z"/></svg>'
)


class EveningPage:
    """The elements of one page. They are drawn from what the seat is told and sees, and from nothing else."""

    def __init__(self, scene: Scene, host: str) -> None:
        self._scene = scene
        self._host = host
        with parts.box("world-a_new_world stage"):
            with parts.tag("aside", "riddle", aria_label="The riddle"):
                parts.picture(LAMP)
                self._riddle = parts.box("card")
            with parts.tag("section", "talk", aria_label="Your evening"):
                self._log = parts.box("log", role="log", aria_live="polite", tabindex=0, aria_label="What was said")
                self._deeds = parts.box("deeds")
                with self._deeds:
                    self._offer()

    def _offer(self) -> None:
        with parts.form(self._say, name="say", classes="say", label="Speak"):
            parts.field("text", "Ask the host", rows=2, required=True, maxlength=SPEECH.most, data_enter="send")
            parts.submitter("Say")
        with parts.form(self._guess, name="guess", classes="say", label="Guess"):
            parts.field("answer", "Your answer", required=True, maxlength=GUESS.most)
            parts.submitter("Guess")
        with parts.box("others"):
            parts.button("Beg for a hint", partial(self._do, "beg"))
            parts.button("Go home", partial(self._do, "leave"), look="quiet")

    async def _say(self, fields: Mapping[str, str], key: str) -> bool:
        return await self._scene.send("say", {"text": fields["text"]}, key) is not None

    async def _guess(self, fields: Mapping[str, str], key: str) -> bool:
        return await self._scene.send("guess", {"answer": fields["answer"]}, key) is not None

    async def _do(self, deed: str) -> None:
        await self._scene.send(deed, {})

    def tell(self, event: ShownEvent) -> None:
        """Called once for every event that the seat may see, in order."""
        body: Any = event.body
        with self._log:
            match event.kind:
                case "said":
                    self._line(event, "You", body["said"], "mine")
                case "answered":
                    self._line(event, self._host, body["line"], "hers")
                case "guessed":
                    self._line(event, "You", body["guess"], "mine")
                    self._happened(event, "Right!" if body["right"] else "No, that is not it.")
                case "hinted" | "shrugged":
                    self._happened(event, body["hint"] or "No hint this time.")
                case "left" | "closed":
                    self._happened(event, "The evening is over.")
                case _:
                    pass

    def _line(self, event: ShownEvent, who: str, words: str, side: str) -> None:
        with parts.tag("article", f"line {side}", aria_label=f"{who}, {clock(event.at)}"):
            with parts.box("line-head"):
                parts.tag("span", "who", who)
                parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
            parts.text(words, "words")
            if event.kind == "answered":
                parts.link("Why this line?", addresses.why(self._scene.stream, event.version), "link small")

    def _happened(self, event: ShownEvent, words: str) -> None:
        with parts.box("happened"):
            parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
            parts.text(words)

    def see(self, look: Look, legal: Sequence[Any]) -> None:
        """Called after each batch of events with what the seat sees and what it may do."""
        body: Any = look.body
        self._deeds.set_visibility(bool(legal))
        self._riddle.clear()
        with self._riddle:
            parts.text(body["question"], "question")
            for hint in body["hints"]:
                parts.text(hint, "note")
            if body["answer"] is not None:
                parts.text(f"The answer was: {body['answer']}.", "lead")
                parts.link("Another evening", addresses.play(NAME), "button main")


async def play(scene: Scene) -> None:
    """Build the page of one evening."""
    body: Any = (await scene.house.view(scene.stream, seat=GUEST)).body
    evening = EveningPage(scene, body["host"] or "The host")
    await scene.follow(tell=evening.tell, see=evening.see)


PAGE = WorldPage(
    world=NAME,
    title="A New World",
    sentence="Sit down under the lamp, and find out what the host will not say.",
    picture=LAMP,
    seat=GUEST,
    find=partial(go_on_or_begin, world=NAME, seat=GUEST),
    play=play,
    static=Path(__file__).parent / "static",
)
