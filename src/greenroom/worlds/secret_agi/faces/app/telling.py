"""What happened, in sentences that the terminal and the console share; made of what a seat was shown."""

from __future__ import annotations

from collections.abc import Callable
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
            no = [name for name, cast in body["ballots"].items() if not cast]
            cast = f"yes {', '.join(yes) or 'nobody'}; no {', '.join(no) or 'nobody'}"
            return f"The {body['vote']} vote {outcome}: {cast}."
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


_DISCUSSED = {
    "pre_nomination": "The table talks before the nomination.",
    "pre_vote": "The table talks before the vote.",
}
_POWERS = {
    "view_allegiance": "may look at somebody's card",
    "choose_director": "chooses the next Director",
    "eliminate": "has to eliminate somebody",
    "agi_must_reveal": "From now on, whoever is asked directly whether they are the AGI must tell the truth.",
    "veto_unlocked": "From now on an Engineer may ask for a veto.",
}


def _triggered(body: dict[str, Any]) -> str:
    what = _POWERS[body["power"]]
    return f"Capability {body['threshold']}: {body['director']} {what}." if body["director"] else what


def _research(body: dict[str, Any]) -> str:
    hand = [f"{p['id']} ({p['capability']}/{p['safety']})" for p in body.get("drawn", ())]
    drawn = f" In the hand: {', '.join(hand)}." if hand else ""
    alone = body["director"] == body["engineer"]
    team = f"{body['director']} goes" if alone else f"{body['director']} and {body['engineer']} go"
    return f"{team} to research{' alone' if alone else ''}.{drawn}"


def _viewed(body: dict[str, Any]) -> str:
    card = f": {body['allegiance']}" if "allegiance" in body else ""
    return f"{body['viewer']} looked at the card of {body['target']}{card}."


def _answered(body: dict[str, Any]) -> str:
    answer = "yes, it is" if body["is_agi"] else "no, it is not"
    return f"{body['seat']} asked {body['target']} directly whether it is the AGI: {answer}."


def _ended(body: dict[str, Any]) -> str:
    roles = ", ".join(f"{seat} {role}" for seat, role in body.get("roles", {}).items())
    return f"{body['winners'] or 'Nobody'} won: {body['reason']}." + (f" The roles: {roles}." if roles else "")


def _returned(body: dict[str, Any]) -> str:
    return f"The deck ran low: {body.get('count', len(body.get('papers', ())))} discarded papers came back."


_VETO = {True: "The veto stands: all papers are thrown away.", False: "No veto: a paper must be published."}
_CHANGES: dict[str, Callable[[dict[str, Any]], str]] = {
    "answered_directly": _answered,
    "papers_returned": _returned,
    "discussion_opened": lambda body: _DISCUSSED[body["talk"]],
    "director_chosen": lambda body: f"{body['target']} will be the next Director.",
    "veto_answered": lambda body: _VETO[body["agreed"]],
    "proposal_began": lambda body: f"Round {body['round']}: {body['director']} is Director.",
    "research_began": _research,
    "allegiance_viewed": _viewed,
    "player_eliminated": lambda body: f"{body['target']} was eliminated and was {body['role']}.",
    "power_triggered": _triggered,
    "game_ended": _ended,
    "game_paused": lambda body: "The game is paused.",
    "game_resumed": lambda body: "The game goes on.",
}


def _changed(kind: str, body: dict[str, Any]) -> str | None:
    return _CHANGES[kind](body) if kind in _CHANGES else None
