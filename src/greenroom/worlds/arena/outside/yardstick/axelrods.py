"""The iterated prisoner's dilemma of Axelrod: a look-up of the last three moves of both against public strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import axelrod as axl

from greenroom.worlds.arena.outside.yardstick import in_pool

TURNS = 100
#: How many moves of each side are looked at.
DEPTH = 3
#: Public strategies that are named beside ours.
REFERENCES = ("Tit For Tat", "EvolvedLookerUp2_2_2")


class Looker(axl.Player):  # type: ignore[misc]
    """Plays by a table: what to do after each course of the last three moves of both."""

    name = "Looker"
    classifier = axl.TitForTat.classifier | {"memory_depth": DEPTH}

    def __init__(self, genome: str = "C" * 64) -> None:
        super().__init__()
        self.genome = genome

    def strategy(self, opponent: axl.Player) -> axl.Action:
        context = 0
        for history in (self.history, opponent.history):
            last = list(history[-DEPTH:])
            for action in [axl.Action.C] * (DEPTH - len(last)) + last:
                context = context * 2 + (action == axl.Action.D)
        return axl.Action.D if self.genome[context] == "D" else axl.Action.C


@cache
def opponents() -> Mapping[str, type[axl.Player]]:
    """Deterministic strategies that do not take long, by name."""
    stochastic = axl.Classifiers["stochastic"]
    return {kind.name: kind for kind in axl.short_run_time_strategies if not stochastic(kind())}


def scores(genomes: Sequence[str], pool: str, *, references: bool) -> Mapping[str, Any]:
    """Points a turn of each genome against each strategy of a pool, and of named public ones if wanted."""
    names = in_pool(list(opponents()), pool)
    found: dict[str, Any] = {"scores": [[_ours(genome, name) for name in names] for genome in genomes]}
    if references:
        kinds = {kind.name: kind for kind in axl.all_strategies}
        named = {name: kinds[name] for name in REFERENCES if name in kinds}
        found["references"] = {label: [_played(kind(), name) for name in names] for label, kind in named.items()}
    return found


@lru_cache(maxsize=20_000)  # deterministic on both sides; a champion is asked for again and again
def _ours(genome: str, name: str) -> float:
    return _played(Looker(genome), name)


def _played(player: axl.Player, name: str) -> float:
    match = axl.Match((player, opponents()[name]()), turns=TURNS, seed=1)
    match.play()
    return float(match.final_score_per_turn()[0])
