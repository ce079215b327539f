"""Le Pale Blue Dot: portraits to click, talk that appears as it is said, and a door that opens again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from greenroom.entrypoints.bar.terminal import local_guest
from greenroom.entrypoints.console import addresses, parts
from greenroom.entrypoints.console.bar_portraits import CARD, PORTRAITS
from greenroom.entrypoints.console.stage import Scene, WorldPage
from greenroom.entrypoints.console.wording import clock
from greenroom.services.house import House, Look, ShownEvent
from greenroom.worlds.bar import NAME
from greenroom.worlds.bar.commands import MESSAGE
from greenroom.worlds.bar.ids import stream_of
from greenroom.worlds.bar.prompts import FAST, QUALITY
from greenroom.worlds.bar.state import AGENTS, GUEST, LAST_CALL_AT, MUTABLE, OVER, USER

NAMES = {
    "bart": "Bart",
    "blanca": "Blanca",
    "hermes": "Hermes",
    "bernie": "Bernie",
    "jb": "JB",
    "bukowski": "Bukowski",
}
TITLES = {
    "bart": "behind the bar",
    "blanca": "at the door",
    "hermes": "by the stove",
    "bernie": "third stool",
    "jb": "corner table",
    "bukowski": "the ledger",
}
#: A word appears so many milliseconds after the one before it.
PACE = 28
_COUNT = """(event) => {
  const left = %d - event.target.value.length;
  document.getElementById("bar-count").textContent = `${left} characters left`;
}"""

_COUNTED = """() => { document.getElementById("bar-count").textContent = "%d characters left"; }"""


class Evening:
    """The elements of one page, and how they follow the guest's stream."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._selected: str | None = None
        self._session = ""
        self._settled = False
        self._portraits: dict[str, Any] = {}
        self._mutes: dict[str, Any] = {}
        with parts.box("world-bar stage"):
            with parts.tag("aside", "cast", aria_label="Who is here"):
                self._cast()
                self._facts = parts.box("bar-facts")
                self._speaks()
            with parts.tag("section", "talk", aria_label="Your evening at the bar"):
                self._log = parts.box("log", role="log", aria_live="polite", tabindex=0, aria_label="What was said")
                self._notice = parts.text("", "bar-notice", role="status")
                self._deeds = parts.box("deeds")
                with self._deeds:
                    self._offer()
                self._outside = parts.box("over")
                with self._outside:
                    self._reason = parts.text("", "lead")
                    parts.button("Knock", self._knock, look="main")

    def _cast(self) -> None:
        with parts.box("portraits"):
            for agent in AGENTS:
                with parts.box("person"):
                    made = parts.button(
                        "", partial(self._pick, agent), look="portrait", label=f"Talk to {NAMES[agent]}"
                    )
                    made.props["aria-pressed"] = "false"
                    with made:
                        parts.picture(PORTRAITS[agent], "portrait-picture")
                        parts.tag("span", "portrait-name", NAMES[agent])
                        parts.tag("span", "portrait-title", TITLES[agent])
                    self._portraits[agent] = made
                    if agent in MUTABLE:
                        self._mutes[agent] = parts.button("Mute", partial(self._mute, agent), look="quiet small")

    def _speaks(self) -> None:
        model = self._scene.house.plays(QUALITY) or "somebody who will not say"
        told = "The understudy speaks: lines are scripted, not written for you." if model == "understudy" else model
        parts.text(told if model == "understudy" else f"{told} speaks for the cast.", "note")

    def _offer(self) -> None:
        with parts.form(self._say, name="say", classes="say", label="Speak") as form:
            form.on("reset", js_handler=_COUNTED % MESSAGE.most)
            made = parts.field(
                "text",
                "Say something",
                rows=2,
                hint="Good evening.",
                required=True,
                maxlength=MESSAGE.most,
                data_enter="send",
                aria_describedby="bar-count",
            )
            made.on("input", js_handler=_COUNT % MESSAGE.most)
            with parts.box("say-foot"):
                parts.tag("span", "note", f"{MESSAGE.most} characters left", id="bar-count")
                parts.submitter("Say")
        parts.button("Leave properly", self._leave, look="quiet")

    # what the guest does

    def _pick(self, agent: str) -> None:
        self._selected = None if self._selected == agent else agent
        for name, made in self._portraits.items():
            made.props["aria-pressed"] = "true" if name == self._selected else "false"
            made.classes(remove="picked", add="picked" if name == self._selected else "")
            made.update()

    async def _say(self, fields: Mapping[str, str], key: str) -> bool:
        said = {"session_id": self._session, "text": fields["text"], "selected_agent": self._selected}
        return await self._scene.send("say", said, key) is not None

    async def _mute(self, agent: str) -> None:
        muted = "muted" not in self._portraits[agent].classes
        await self._scene.send("mute", {"session_id": self._session, "agent": agent, "muted": muted})

    async def _leave(self) -> None:
        await self._scene.send("leave", {"session_id": self._session})

    async def _knock(self) -> None:
        await self._scene.send("enter", {})

    # what has happened

    def tell(self, event: ShownEvent) -> None:
        body: Any = event.body
        with self._log:
            match event.kind:
                case "session_started":
                    self._happened(event, "You come down the eleven steps.")
                case "guest_said" | "spoke":
                    self._line(event, body)
                case "session_kicked":
                    self._happened(event, "You are outside. The door is shut, not locked.")
                case "session_ended":
                    self._happened(event, "The session is over.")
                case _:
                    pass

    def _line(self, event: ShownEvent, body: Any) -> None:
        agent = body["agent"]
        mine = agent == USER
        who = "You" if mine else NAMES[agent]
        side = "mine" if mine else f"hers from-{agent} kind-{body.get('kind', 'reply')}"
        with parts.tag("article", f"line {side}", aria_label=f"{who}, {clock(event.at)}"):
            with parts.box("line-head"):
                if not mine:
                    parts.picture(PORTRAITS[agent], "line-portrait")
                parts.tag("span", "who", who)
                parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
            self._words(body["message"], typed=self._settled and not mine)
            if body.get("kind") == "reply":
                href = addresses.why(self._scene.stream, event.version)
                parts.link("Why did they say that?", href, "link small", data_version=event.version)

    def _words(self, words: str, *, typed: bool) -> None:
        """What was said; new lines appear word by word, and whoever wants no movement sees them at once."""
        if not typed or len(words) > 700:
            parts.text(words, "words")
            return
        with parts.tag("p", "words typed"):
            for i, word in enumerate(words.split(" ")):
                made = parts.tag("span", "word", word + " ")
                made.style(f"animation-delay: {i * PACE}ms")

    def _happened(self, event: ShownEvent, words: str) -> None:
        with parts.box("happened"):
            parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
            parts.text(words)

    # how it stands

    def see(self, look: Look, legal: Sequence[Any]) -> None:
        session: Any = look.body["session"]
        inside = session is not None and session["session_status"] not in OVER
        self._session = session["session_id"] if session else ""
        self._deeds.set_visibility(inside)
        self._outside.set_visibility(not inside)
        self._reason.set_text(_outside(session, may_enter=bool(legal)))
        self._notice.set_text(_notice(session) if inside else "")
        muted = set(session["agents_muted"]) if session else {"bukowski"}
        for agent, made in self._portraits.items():
            made.classes(remove="muted", add="muted" if agent in muted else "")
        for agent, made in self._mutes.items():
            made.set_text("Unmute" if agent in muted else "Mute")
            made.props["aria-label"] = f"{'Unmute' if agent in muted else 'Mute'} {NAMES[agent]}"
            made.set_visibility(inside)
        self._tell_facts(look.body, session)
        self._settled = True
        self._log.client.run_javascript(f"greenroom.toEnd({self._log.html_id!r})")

    def _tell_facts(self, body: Any, session: Any) -> None:
        self._facts.clear()
        if session is None:
            return
        left = session["message_limit"] - session["message_count"]
        weather = session["weather"]
        sky = f"{weather['kind']}, {weather['celsius']} °C ({weather['source']})" if weather else "nobody looked"
        with self._facts:
            parts.facts(
                (
                    ("Messages left", f"{left} of {session['message_limit']}"),
                    ("Outside, when you came", sky),
                    ("Sessions today", str(body["sessions_today"])),
                )
            )


def _notice(session: Any) -> str:
    if session["session_status"] == "warning_15min":
        return "You have been silent for a quarter of an hour. Say something within five minutes to keep your stool."
    left = session["message_limit"] - session["message_count"]
    return f"Last call: {left} more." if left <= LAST_CALL_AT else ""


def _outside(session: Any, *, may_enter: bool) -> str:
    if session is None:
        return "Eleven steps down from Tollbugata there is a door."
    if not may_enter:
        return "That was the last of today's sessions. The door opens again after midnight."
    how = "were shown out" if session["session_status"] == "kicked" else "left"
    return f"You {how}. Knock, and Bart will know where you stopped."


async def play(scene: Scene) -> None:
    evening = Evening(scene)
    await scene.follow(tell=evening.tell, see=evening.see)


async def find(house: House) -> str:
    """The guest of this house's own terminal and console: always the same, so that Bart remembers."""
    guest = local_guest(house)
    started = await house.start(NAME, {"anonymous_id": guest}, owner=guest, name=stream_of(guest), seat=GUEST)
    return started.stream


PAGE = WorldPage(
    world=NAME,
    title="Le Pale Blue Dot",
    sentence="A cellar bar in a northern port that never closes. Six regulars, one of whom remembers you.",
    picture=CARD,
    seat=GUEST,
    roles=(QUALITY, FAST),
    find=find,
    play=play,
)
