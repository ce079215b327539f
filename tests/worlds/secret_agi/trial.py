"""What the suite of all worlds needs to try this one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from greenroom.kernel.asks import Ask, AskModel, Failed, Json
from greenroom.kernel.chance import Chance
from greenroom.testing.worlds import Secret, Trial
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.state import Game
from tests.worlds.secret_agi.stage import WORLD, seats

CAST = ("human", "human", "human", "random", "heuristic")


def trial() -> Trial:
    return Trial(world=WORLD, configs=config, answer=answer, secrets=secrets, weight=weight, pause=timedelta(minutes=2))


def config(chance: Chance) -> c.GameConfig:
    """Any table with at least one person, or there would be nothing to be sent.

    One model at most: the driver writes the ledger of a tuple of asks in no fixed order, and two plays would differ.
    And none where people are timed: a model's wake that follows a timer's lets a waiting command pass (decision 0003),
    which a late worker sees and one in time does not.
    """
    players = 5 + chance.below(6)
    seconds = chance.choose((0, 30, 60))
    second = "random" if seconds else "model"
    cast = ["human", second, *(chance.choose(CAST) for _ in range(players - 2))]
    return c.GameConfig(
        player_count=players,
        seats=seats(*chance.shuffled(cast)),
        seed=chance.below(1000),
        discussion=c.Discussion(on=chance.below(2) == 0, K=1),
        self_nomination=chance.below(3) > 0,
        decision_seconds=seconds,
    )


def answer(ask: Ask) -> Json | Failed:
    """Chooses by the prompt; now and then what cannot be used. Its note is its own."""
    assert isinstance(ask, AskModel)
    assert ask.schema is not None
    chance = Chance(repr(ask.sections))
    if chance.below(8) == 0:
        return {"action": "surrender"}
    labels = ask.schema["properties"]["action"]["enum"]
    return {"action": chance.choose(labels), "text": "Perhaps.", "notes": note_of(ask.seat)}


def note_of(seat: str) -> str:
    return f"quiet thought number {seat.removeprefix('player_')} of this seat"


def secrets(game: Game) -> Iterable[Secret]:
    for player, words in zip(game.players, game.notes, strict=True):
        if words is not None:
            yield Secret(text=note_of(player.id), known_to=(player.id,))


def weight(command: Any) -> int:
    return 1 if isinstance(command, c.Observe) else 8
