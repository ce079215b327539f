"""Le Pale Blue Dot for whoever looks after it: what a guest sees, what only the house knows, and what if.

Guests have a page of their own under ``/bar``; nobody speaks for them here, except on a branch, where no guest is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.stage import Lobby, Scene, WorldPage
from greenroom.kit.console.wording import clock
from greenroom.services.house import House, Look, ShownEvent
from greenroom.worlds.bar.faces.app.portraits import CARD, PORTRAITS
from greenroom.worlds.bar.faces.app.terminal import local_guest
from greenroom.worlds.bar.faces.app.visits import content_of
from greenroom.worlds.bar.outside import watched_by
from greenroom.worlds.bar.rules import NAME
from greenroom.worlds.bar.rules.commands import MESSAGE
from greenroom.worlds.bar.rules.ids import stream_of
from greenroom.worlds.bar.rules.state import AGENTS, GUEST, OVER, USER
from greenroom.worlds.bar.settings import BarSettings

_HAPPENED: Mapping[str, str] = {
    "session_started": "The guest comes down the eleven steps.",
    "session_warned": "A quarter of an hour without a word.",
    "session_kicked": "Shown out.",
    "session_ended": "The session is over.",
}
_BY: Mapping[str, str] = {
    "crisis": "a crisis goes before everything",
    "moderation": "the peace has to be kept",
    "selection": "the guest wanted it so",
    "router": "the router thought so",
    "fallback": "the router did not answer",
}


class Watch:
    """One guest's stream as the operator sees it."""

    def __init__(self, scene: Scene, *, what_if: Scene | None) -> None:
        self._scene, self._what_if = scene, what_if
        self._names = {agent: member.name for agent, member in content_of(scene.house).house.cast.items()}
        self._session = ""
        with parts.box("world-bar stage"):
            with parts.tag("aside", "watch", aria_label="How it stands"):
                self._facts = parts.box("card")
                parts.link("The page that guests see", "/bar", "button")
            with parts.tag("section", "talk", aria_label="What was said and decided"):
                self._log = parts.box("log", role="log", aria_live="polite", tabindex=0, aria_label="What was said")
                if what_if is not None:
                    self._offer()

    # what has happened

    def tell(self, event: ShownEvent) -> None:
        body: Any = event.body
        with self._log:
            if event.kind in ("guest_said", "spoke"):
                self._line(event, body)
            elif words := self._happened(event.kind, body):
                with parts.box("happened"):
                    parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
                    parts.text(words)

    def _happened(self, kind: str, body: Any) -> str:
        """What was decided, in words; nothing for what the talk itself tells."""
        match kind:
            case "routed":
                return f"{self._names[body['agent']]} answers: {_BY[body['by']]}."
            case "crisis_flagged":
                return f"Crisis, found by the {body['by']} check. It is remembered at the door for seven days."
            case "hand_over_set" if body["agent"]:
                return f"{self._names[body['agent']]} was promised."
            case "mute_set":
                return f"{self._names[body['agent']]} {'is muted' if body['muted'] else 'may speak again'}."
            case _:
                return _HAPPENED.get(kind, "")

    def _line(self, event: ShownEvent, body: Any) -> None:
        agent = body["agent"]
        theirs = agent == USER
        side = "mine" if theirs else f"hers from-{agent} kind-{body.get('kind', 'reply')}"
        with parts.tag("article", f"line {side}"):
            with parts.box("line-head"):
                if not theirs:
                    parts.picture(PORTRAITS[agent], "line-portrait")
                parts.tag("span", "who", "The guest" if theirs else self._names[agent])
                parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
            parts.text(body["message"], "words")
            if body.get("kind") == "reply":
                href = addresses.why(self._scene.stream, event.version)
                parts.link("Why did they say that?", href, "link small", data_version=event.version)

    # how it stands

    def see(self, look: Look, legal: Sequence[Any]) -> None:
        session: Any = look.body["session"]
        self._session = session["session_id"] if session else ""
        self._facts.clear()
        with self._facts:
            parts.facts(_facts(look.body, session))
        if self._what_if is not None:
            over = session is None or session["session_status"] in OVER
            self._inside.set_visibility(not over)
            self._outside.set_visibility(over)
        self._log.client.run_javascript(f"greenroom.toEnd({self._log.html_id!r})")

    # what if

    def _offer(self) -> None:
        with parts.box("deeds"):
            parts.text("A branch: no guest is here, so you may say what one would have said.", "note")
            self._inside = parts.box("deeds")
            with self._inside:
                with parts.form(self._say, name="say", classes="say", label="Speak as the guest"):
                    parts.field(
                        "text", "Say something", rows=2, required=True, maxlength=MESSAGE.most, data_enter="send"
                    )
                    parts.choice("to", "To", {"": "whoever answers"} | {one: self._names[one] for one in AGENTS}, "")
                    parts.submitter("Say")
                parts.button("Leave properly", self._leave, look="quiet")
            self._outside = parts.button("Knock", self._knock, look="main")

    async def _say(self, fields: Mapping[str, str], key: str) -> bool:
        said = {"session_id": self._session, "text": fields["text"], "selected_agent": fields["to"] or None}
        return await self._do("say", said, key)

    async def _leave(self) -> None:
        await self._do("leave", {"session_id": self._session})

    async def _knock(self) -> None:
        await self._do("enter", {})

    async def _do(self, kind: str, fields: Mapping[str, Any], key: str | None = None) -> bool:
        assert self._what_if is not None
        return await self._what_if.send(kind, fields, key) is not None


def _facts(body: Any, session: Any) -> tuple[tuple[str, str], ...]:
    guest = (
        ("Sessions", f"{body['sessions']} in all, {body['sessions_today']} on the last day"),
        ("Invite code", body["invite_code"] or "none"),
        ("Last crisis", body["crisis_flag_date"] or "none"),
    )
    if session is None:
        return guest
    weather = session["weather"]
    sky = f"{weather['kind']}, {weather['celsius']} °C ({weather['source']})" if weather else "nobody looked"
    return (
        ("Status", session["session_status"]),
        ("Messages", f"{session['message_count']} of {session['message_limit']}"),
        ("Outside, at the start", sky),
        ("Muted", ", ".join(session["agents_muted"]) or "nobody"),
        *guest,
    )


async def play(scene: Scene) -> None:
    row = await scene.house.stream(scene.stream)
    eyes = Scene(house=scene.house, live=scene.live, stream=scene.stream, seat=OPERATOR, say=scene.say)
    watch = Watch(eyes, what_if=None if row.parent is None else scene)
    await eyes.follow(tell=watch.tell, see=watch.see)


async def lobby(lobby: Lobby) -> None:
    with parts.box("world-bar lobby"):
        parts.link("Sit down at the bar", "/bar", "button main big")
        parts.text(
            "Guests come in by the same page and need no ticket. 'greenroom bar invite' makes codes; from then on the "
            "door opens to those who have one.",
            "note",
        )
        told = watched_by(lobby.house.settings(NAME, BarSettings))
        parts.text(f"{told[0].upper()}{told[1:]}.", "note")


async def find(house: House) -> str:
    """The guest of this house's own terminal: always the same, so that Bart remembers."""
    guest = local_guest(house)
    started = await house.start(NAME, {"anonymous_id": guest}, owner=guest, name=stream_of(guest), seat=GUEST)
    return started.stream


PAGE = WorldPage(
    world=NAME,
    title="Le Pale Blue Dot",
    sentence="A cellar bar in a northern port that never closes. Six regulars, one of whom remembers you.",
    picture=CARD,
    seat=GUEST,
    find=find,
    play=play,
    lobby=lobby,
    static=Path(str(files("greenroom.worlds.bar"))) / "faces" / "static",
)
