"""Before a game: lay a table and sit down, or let agents play among themselves."""

from __future__ import annotations

from collections.abc import Mapping

from nicegui import ui

from greenroom.kernel.errors import UsageError
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.stage import Lobby
from greenroom.kit.numbered import newest
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import games
from greenroom.worlds.secret_agi.rules import NAME
from greenroom.worlds.secret_agi.rules.commands import Discussion, GameConfig, SeatConfig
from greenroom.worlds.secret_agi.rules.papers import FEWEST, MOST

AGENTS = {
    "weak": "weak players",
    "middle": "fair players",
    "strong": "strong players",
    "heuristic": "players with rules of thumb",
    "random": "chance",
    "model": "models",
}
RULES = {"long": "long: discards come back", "classic": "classic: the deck once"}
YOU = {"play": "I sit down as player 1", "watch": "I only watch"}


async def begin(
    house: House,
    *,
    players: int,
    agents: str = "middle",
    plays: bool = True,
    talks: int = 1,
    rules: str = "long",
) -> str:
    """Lay a table of this size and give the name of its game."""
    seats = tuple(
        SeatConfig(player_id=f"player_{i + 1}", agent_type="HumanPlayer" if plays and i == 0 else agents)
        for i in range(players)
    )
    config = GameConfig(
        player_count=players,
        seats=seats,
        discussion=Discussion(on=talks > 0, K=max(1, talks)),
        decision_seconds=0,
        rules=rules,
    )
    last = await newest(house, NAME)
    number = 1 if last is None else int(last.name.rpartition("-")[2]) + 1
    return await games.create_game(house, config, name=f"{NAME}-{number}")


async def lobby(given: Lobby) -> None:
    async def laid(fields: Mapping[str, str], key: str) -> bool:
        try:
            game = await begin(
                given.house,
                players=int(fields["players"]),
                agents=fields["agents"],
                plays=fields["you"] == "play",
                talks=int(fields["talks"]),
                rules=fields["rules"],
            )
        except UsageError as refusal:
            given.say(str(refusal))
            return False
        ui.navigate.to(addresses.play(NAME, game))
        return True

    parts.text("Safety players know nobody; Accelerationists and the AGI know each other. The rest is talk.", "note")
    card = parts.tag("section", "card world-agi", aria_label="A new game")
    with card, parts.form(laid, name="table", classes="agi-lobby", label="A new game"):
        parts.choice("players", "Players", {str(n): str(n) for n in range(FEWEST, MOST + 1)}, "7")
        parts.choice("agents", "The others are", AGENTS, "middle")
        parts.choice("rules", "Rules", RULES, "long")
        parts.choice("talks", "Talk", {"0": "no talk", "1": "one line each", "2": "two lines each"}, "1")
        parts.choice("you", "You", YOU, "play")
        parts.submitter("Sit down")
