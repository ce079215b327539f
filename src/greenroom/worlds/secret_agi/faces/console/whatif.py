"""What if others had sat there? A branch from the turn that is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from nicegui import ui

from greenroom.kernel.errors import UsageError
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.branches import free_name
from greenroom.kit.console.stage import Scene
from greenroom.worlds.secret_agi.faces.app import branches
from greenroom.worlds.secret_agi.rules import NAME
from greenroom.worlds.secret_agi.rules.commands import SeatConfig

EVERYBODY = "*"
AGENTS = {
    "": "the same players",
    "random": "chance",
    "strong": "strong players",
    "middle": "fair players",
    "weak": "weak players",
    "heuristic": "players with rules of thumb",
    "model": "models",
    "human": "a person",
}


class WhatIf:
    """The form: who takes which seats over, from the turn that is looked at."""

    def __init__(self, scene: Scene, seats: Sequence[str], turn: Callable[[], int]) -> None:
        self._scene = scene
        self._seats = seats
        self._turn = turn
        with parts.tag("details", "agi-whatif"):
            parts.tag("summary", "button", "What if …")
            with parts.form(self._branch, name="whatif", classes="agi-whatif-form", label="What if"):
                parts.choice("who", "Instead of", {EVERYBODY: "everybody"} | {s: s for s in seats}, EVERYBODY)
                parts.choice("agent", "play", AGENTS, "")
                parts.submitter("Play on from here")

    async def _branch(self, fields: Mapping[str, str], key: str) -> bool:
        house, stream, turn = self._scene.house, self._scene.stream, self._turn()
        agent, who = fields["agent"], fields["who"]
        chosen = self._seats if who == EVERYBODY else [seat for seat in self._seats if seat == who]
        try:
            if agent == "human" and len(chosen) > 1:
                raise UsageError("one person sits in one seat; choose whose")
            seats = [SeatConfig(player_id=seat, agent_type=agent) for seat in chosen] if agent else []
            name = await free_name(house, stream, turn + 1)
            made = await branches.branch(house, stream, turn=turn, seats=seats, name=name)
        except UsageError as refusal:
            self._scene.say(str(refusal))
            return False
        sits = chosen[0] if agent == "human" else None
        ui.navigate.to(addresses.play(NAME, made.name, seat=sits))
        return True
