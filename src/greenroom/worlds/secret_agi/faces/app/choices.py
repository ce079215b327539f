"""What a person may choose from, in words that the terminal and the console share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
_USED = {
    "view_allegiance": "Look at the card of {}",
    "choose_director": "Make {} the next Director",
    "eliminate": "Eliminate {}",
}


def question(seen: Any, actions: Sequence[Any]) -> str:
    """What is to be decided, as it is asked of whoever decides."""
    asked = next((_ASKED[type(action)] for action in actions if type(action) in _ASKED), "")
    if isinstance(actions[0], c.VoteTeam):
        if seen["director"] == seen["nominee"]:
            return f"Shall {seen['director']} go to research alone?"
        return f"Shall {seen['director']} and {seen['nominee']} go to research?"
    return asked or "An emergency may be called: the next paper would give one Capability less."


def may_call(actions: Sequence[Any]) -> bool:
    """Whether an emergency may be called, and nothing has to be done."""
    return bool(actions) and all(isinstance(action, c.CallEmergencySafety) for action in actions)


def words(action: Any, seen: Any) -> str:
    """One of the choices, as short as a button."""
    match action:
        case c.Nominate(target_id=target):
            return target
        case c.UsePower(target_id=target, power_type=power):
            return _USED[power].format(target)
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
        case c.DeclareVeto():
            return "Ask for a veto"
        case _:
            return c.label(action).replace("_", " ").capitalize()
