"""What a person at the table may do now, as things to press and a line to speak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import OPERATOR, Pattern
from greenroom.kit.console import parts
from greenroom.kit.console.stage import Scene
from greenroom.worlds.secret_agi.rules import commands as c

_ASKED: dict[type[Any], str] = {
    c.Nominate: "Whom do you nominate as Engineer?",
    c.VoteTeam: "Shall this team go to research?",
    c.VoteEmergency: "Is this an emergency?",
    c.DiscardPaper: "You drew three papers. Which one do you discard, unseen by all?",
    c.PublishPaper: "Which paper do you publish?",
    c.RespondVeto: "The Engineer wants to throw all papers away. Do you agree?",
    c.UsePower: "Your power must be used. On whom?",
    c.AskDirectly: "Once a game you may ask somebody directly. The answer is always true.",
}


def offer(scene: Scene, seen: Any, legal: Sequence[Any]) -> None:
    """Offer what is legal; a watcher is told that there is nothing to do."""
    if not legal:
        parts.text("This seat is played by somebody else; you are watching.", "note")
        return
    actions = [option for option in legal if not isinstance(option, Pattern | c.Observe)]
    speaks = [option for option in legal if isinstance(option, Pattern)]
    if actions:
        parts.text(_question(seen, actions), "lead")
        with parts.box("others"):
            for action in actions:
                parts.button(words(action, seen), partial(_do, scene, action), look=_look(action))
    if speaks:
        _speech(scene)
    if speaks or _may_call(actions):
        parts.button("Pass", partial(_do, scene, c.Observe()), look="quiet")
    if not actions and not speaks:
        parts.text("You wait for the others.", "note")
    parts.button("Let a bot take my seat", partial(_stand, scene), look="quiet")


def _question(seen: Any, actions: Sequence[Any]) -> str:
    asked = next((_ASKED[type(action)] for action in actions if type(action) in _ASKED), "")
    if isinstance(actions[0], c.VoteTeam):
        return f"Shall {seen['director']} and {seen['nominee']} go to research?"
    return asked or "An emergency may be called: the next paper would give one Capability less."


def _may_call(actions: Sequence[Any]) -> bool:
    return bool(actions) and all(isinstance(action, c.CallEmergencySafety) for action in actions)


def _look(action: Any) -> str:
    if isinstance(action, c.CallEmergencySafety | c.DeclareVeto):
        return "danger"
    return "main" if getattr(action, "vote", getattr(action, "agree", False)) else ""


def words(action: Any, seen: Any) -> str:
    """An action in the words of a button."""
    match action:
        case c.Nominate(target_id=target):
            return target
        case c.UsePower(target_id=target, power_type=power):
            return f"{power.replace('_', ' ')}: {target}"
        case c.VoteTeam(vote=yes) | c.VoteEmergency(vote=yes) | c.RespondVeto(agree=yes):
            return "Yes" if yes else "No"
        case c.DiscardPaper(paper_id=paper) | c.PublishPaper(paper_id=paper):
            verb = "Discard" if isinstance(action, c.DiscardPaper) else "Publish"
            held = next((one for one in seen["hand"] if one["id"] == paper), None)
            return verb if held is None else f"{verb} C {held['capability']} / S {held['safety']}"
        case c.AskDirectly(target_id=target):
            return f"Ask {target}: are you the AGI?"
        case c.CallEmergencySafety():
            return "Call an emergency"
        case _:
            return c.label(action).replace("_", " ").capitalize()


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
