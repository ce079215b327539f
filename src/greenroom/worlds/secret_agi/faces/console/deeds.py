"""What a person at the table may do now, as things to press and a line to speak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import OPERATOR, Pattern
from greenroom.kit.console import parts
from greenroom.kit.console.stage import Scene
from greenroom.worlds.secret_agi.faces.app.choices import may_call, question, words
from greenroom.worlds.secret_agi.rules import commands as c


def offer(scene: Scene, seen: Any, legal: Sequence[Any]) -> None:
    """Offer what is legal; a watcher is told that there is nothing to do."""
    if not legal:
        parts.text("This seat is played by somebody else; you are watching.", "note")
        return
    actions = [option for option in legal if not isinstance(option, Pattern | c.Observe)]
    speaks = [option for option in legal if isinstance(option, Pattern)]
    if actions:
        parts.text(question(seen, actions), "lead")
        with parts.box("others"):
            for action in actions:
                parts.button(words(action, seen), partial(_do, scene, action), look=_look(action))
    if speaks:
        _speech(scene)
    if speaks or may_call(actions):
        parts.button("Pass", partial(_do, scene, c.Observe()), look="quiet")
    if not actions and not speaks:
        parts.text("You wait for the others.", "note")
    parts.button("Let a bot take my seat", partial(_stand, scene), look="quiet")


def _look(action: Any) -> str:
    if isinstance(action, c.CallEmergencySafety | c.DeclareVeto):
        return "danger"
    return "main" if getattr(action, "vote", getattr(action, "agree", False)) else ""


async def _do(scene: Scene, action: Any) -> None:
    fields = {name: getattr(action, name) for name in action.__dataclass_fields__}
    await scene.send(c.NAMES[type(action)], fields)


async def _stand(scene: Scene) -> None:
    """Give the seat away: the game goes on without the person, who may go on watching."""
    taken = c.SeatConfig(player_id=scene.seat, agent_type="strong")
    try:
        await scene.house.send(scene.stream, c.Reseat(seats=(taken,)), seat=OPERATOR)
    except Refused as refusal:
        scene.say(str(refusal))
    else:
        scene.say("A bot takes your seat; the game goes on without you.")


def _speech(scene: Scene) -> None:
    async def say(fields: Mapping[str, str], key: str) -> bool:
        return await scene.send("send_chat_message", {"text": fields["text"].strip()}, key) is not None

    with parts.form(say, name="speech", classes="say", label="Speak"):
        parts.field(
            "text",
            "It is your turn to speak",
            rows=2,
            hint="Who picked that paper, and why?",
            required=True,
            maxlength=c.MESSAGE.most,
            data_enter="send",
        )
        parts.submitter("Say")
