"""Sallow Rock Light: an evening with its keeper. The pattern for other worlds' pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from nicegui import ui

from greenroom.kit.console import addresses, parts
from greenroom.kit.console.stage import Scene, WorldPage
from greenroom.kit.console.wording import clock, day_and_clock
from greenroom.kit.numbered import go_on_or_begin
from greenroom.services.house import Look, ShownEvent
from greenroom.worlds.lighthouse.faces.drawings import LIGHTHOUSE, LIGHTHOUSE_CARD
from greenroom.worlds.lighthouse.rules.commands import ADDRESS, LETTER, SPEECH
from greenroom.worlds.lighthouse.rules.state import VISITOR

WORLD = "lighthouse"


class Evening:
    """The elements of one page, and how they follow the stream."""

    def __init__(self, scene: Scene, keeper: str) -> None:
        self._scene = scene
        self._keeper = keeper
        with parts.box("world-lighthouse stage"):
            with parts.tag("aside", "rock", aria_label="Where you are"):
                self._sky = parts.picture(LIGHTHOUSE, "sky")
                self._weather = parts.text("", "weather")
                self._state = parts.box("rock-facts")
            with parts.tag("section", "talk", aria_label=f"Your evening with {keeper}"):
                self._log = parts.box("log", role="log", aria_live="polite", tabindex=0, aria_label="What was said")
                self._saying = parts.text("", "saying")
                self._saying.set_visibility(False)
                self._deeds = parts.box("deeds")
                with self._deeds:
                    self._offer()
                self._over = parts.box("over")
                with self._over:
                    parts.text("You rowed home. The visit is over, and the story is kept.", "lead")
                    parts.button("Visit again", self._visit_again, look="main")

    # what can be done

    def _offer(self) -> None:
        with parts.form(self._say, name="say", classes="say", label="Speak"):
            parts.field(
                "text",
                f"Say something to {self._keeper}",
                rows=2,
                hint="Good evening. May I come in?",
                required=True,
                maxlength=SPEECH.most,
                data_enter="send",
            )
            parts.submitter("Say")
        with parts.box("others"):
            parts.button("Climb the stairs", partial(self._do, "climb"))
            with parts.tag("details", "letter"):
                parts.tag("summary", "button", "Write a letter")
                with parts.form(self._write, name="letter", classes="letter-form", label="A letter"):
                    parts.field("to", "To", hint="the harbour", required=True, maxlength=ADDRESS.most)
                    parts.field("text", "Words", rows=3, required=True, maxlength=LETTER.most)
                    parts.submitter("Give it to her")
            parts.button("Row home", partial(self._do, "leave"), look="quiet")

    async def _say(self, fields: Mapping[str, str], key: str) -> bool:
        return await self._scene.send("say", {"text": fields["text"].strip()}, key) is not None

    async def _write(self, fields: Mapping[str, str], key: str) -> bool:
        return await self._scene.send("write", {"to": fields["to"], "text": fields["text"]}, key) is not None

    async def _do(self, deed: str) -> None:
        await self._scene.send(deed, {})

    async def _visit_again(self) -> None:
        ui.navigate.to(addresses.play(WORLD, await PAGE.find(self._scene.house)))

    def hear(self, so_far: str) -> None:
        """Show a line that is still being said; it goes when the line is settled."""
        self._saying.set_text(so_far)
        self._saying.set_visibility(bool(so_far))

    # what has happened

    def tell(self, event: ShownEvent) -> None:
        body: Any = event.body
        with self._log:
            match event.kind:
                case "said":
                    self._line(event, "You", body["said"], "mine")
                case "answered" | "went_to_bed":
                    self._line(event, self._keeper, body["line"], "hers", mood=body.get("mood"))
                case "secret_told" if "secret" in body:
                    self._secret(body["secret"])
                case _:
                    pass
            if words := self._happening(event.kind, body):
                self._happened(event, words)

    def _happening(self, kind: str, body: Any) -> str:
        """What is told in a sentence, and not said by anybody."""
        match kind:
            case "arrived":
                return f"You come ashore. {body['weather']}"
            case "climbed" | "held_up":
                return str(body.get("sight") or body["held_up"])
            case "letter_taken":
                return f"{self._keeper} takes your letter. The mail boat comes {day_and_clock(body['due_at'])}."
            case "lamp_lit" | "lamp_out":
                return f"The lamp is {body['lamp']} now."
            case "went_to_bed":
                return f"{self._keeper} goes to bed."
            case _:
                return ""

    def _line(self, event: ShownEvent, who: str, words: str, side: str, mood: str | None = None) -> None:
        with parts.tag("article", f"line {side}", aria_label=f"{who}, {clock(event.at)}"):
            with parts.box("line-head"):
                parts.tag("span", "who", who)
                if mood:
                    parts.tag("span", "mood", mood)
                parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
            parts.text(words, "words")
            if side == "hers" and event.kind == "answered":
                href = addresses.why(self._scene.stream, event.version)
                parts.link("Why did she say that?", href, "link small", data_version=event.version)

    def _happened(self, event: ShownEvent, words: str) -> None:
        with parts.box("happened"):
            parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
            parts.text(words)

    def _secret(self, truth: str) -> None:
        with parts.box("secret"):
            parts.text("What she has told nobody", "secret-title", kind="h3")
            parts.text(truth)

    # how it stands

    def see(self, look: Look, legal: Sequence[Any]) -> None:
        body: Any = look.body
        self._sky.classes(remove="lit out", add=body["lamp"])
        self._weather.set_text(body["weather"])
        self._deeds.set_visibility(bool(legal))
        self._over.set_visibility(body["ended_at"] is not None)
        self._state.clear()
        with self._state:
            doing = "in bed" if body["abed"] else "at the kitchen table"
            parts.facts(
                (
                    (self._keeper, f"{doing}, {body['mood']}" if body["mood"] else doing),
                    ("The lamp", body["lamp"]),
                    ("Mail boat", day_and_clock(body["mail_at"])),
                    *((("Seen upstairs", body["sight"]),) if body["sight"] else ()),
                )
            )
        self._log.client.run_javascript(f"greenroom.toEnd({self._log.html_id!r})")


async def play(scene: Scene) -> None:
    body: Any = (await scene.house.view(scene.stream, seat=VISITOR)).body
    evening = Evening(scene, body["keeper"] or "The keeper")
    await scene.follow(tell=evening.tell, see=evening.see, hear=evening.hear)


PAGE = WorldPage(
    world=WORLD,
    title="Sallow Rock Light",
    sentence="Row out to a lighthouse, talk to the woman who keeps it, and find out what she has told nobody.",
    picture=LIGHTHOUSE_CARD,
    seat=VISITOR,
    find=partial(go_on_or_begin, world=WORLD, seat=VISITOR),
    play=play,
    static=Path(str(files("greenroom.worlds.lighthouse"))) / "faces" / "static",
)
