"""What happened, in sentences that the terminal and the console share; made of what a seat was shown."""

from __future__ import annotations

from typing import Any

from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.state import Game


def person_of(game: Game) -> Seat | None:
    """The first seat that a person plays."""
    return next((player.id for player in game.players if player.agent == "HumanPlayer"), None)


def told(kind: str, body: dict[str, Any], seat: Seat) -> str | None:
    """One event in a sentence; None where it says nothing that another does not."""
    match kind:
        case "chat_message":
            return f"{body['seat']}: {body['words']}"
        case "vote_completed":
            yes = [name for name, cast in body["ballots"].items() if cast]
            outcome = "passed" if body["passed"] else "failed"
            return f"The {body['vote']} vote {outcome}; for it: {', '.join(yes) or 'nobody'}."
        case "paper_published":
            paper, who = body["paper"], body["engineer"] or "Nobody: the top paper"
            meters = f"Capability {body['capability']}, Safety {body['safety']}"
            return f"{who} published {paper['id']} ({paper['capability']}/{paper['safety']}): {meters}."
        case "action_attempted":
            return _acted(body, seat)
        case _:
            return _changed(kind, body)


def _acted(body: dict[str, Any], seat: Seat) -> str | None:
    who = "You" if body["seat"] == seat else body["seat"]
    if body.get("error"):
        return f"{who} could not {body['action'].replace('_', ' ')}: {body['error']}."
    did = _did(body)
    return None if did is None else f"{who} {did}."


def _did(body: dict[str, Any]) -> str | None:
    target, yes = body.get("target"), "yes" if body.get("yes") else "no"
    match body["action"]:
        case "nominate":
            return f"nominated {target} as Engineer"
        case "vote_team" | "vote_emergency":
            return f"voted {yes}"
        case "call_emergency_safety":
            return "called an emergency"
        case "discard_paper":
            return f"discarded {body.get('paper', 'a paper')}"
        case "use_power":
            return f"used the power to {body['power'].replace('_', ' ')} on {target}"
        case action:
            return {"declare_veto": "asked for a veto", "respond_veto": f"answered the veto: {yes}"}.get(action)


def _changed(kind: str, body: dict[str, Any]) -> str | None:
    match kind:
        case "proposal_began":
            return f"Round {body['round']}: {body['director']} is Director."
        case "research_began":
            hand = [f"{p['id']} ({p['capability']}/{p['safety']})" for p in body.get("drawn", ())]
            drawn = f" You drew {', '.join(hand)}." if hand else ""
            return f"{body['director']} and {body['engineer']} go to research.{drawn}"
        case "allegiance_viewed":
            card = f": {body['allegiance']}" if "allegiance" in body else ""
            return f"{body['viewer']} looked at the card of {body['target']}{card}."
        case "player_eliminated":
            return f"{body['target']} was eliminated and was {body['role']}."
        case "power_triggered":
            return f"Capability {body['threshold']}: {body['power'].replace('_', ' ')}."
        case "game_ended":
            return f"{body['winners'] or 'Nobody'} won: {body['reason']}."
        case _:
            return None
