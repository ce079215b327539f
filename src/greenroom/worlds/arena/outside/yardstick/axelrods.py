"""The iterated prisoner's dilemma of Axelrod: a look-up of how the other began and what both did last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import axelrod as axl

from greenroom.worlds.arena.outside.yardstick import in_pool

TURNS = 100
#: How many moves are looked at: the other's first, the own last and the other's last.
DEPTH = 2
#: Public strategies that are named beside ours.
REFERENCES = ("Tit For Tat", "EvolvedLookerUp2_2_2")


class Looker(axl.Player):  # type: ignore[misc]
    """Plays by a table: what to do after how the other began, and after each course of the last moves of both."""

    name = "Looker"
    classifier = axl.TitForTat.classifier | {"memory_depth": float("inf")}

    def __init__(self, genome: str = "C" * 64) -> None:
        super().__init__()
        self.genome = genome
        #: Contexts that came up.
        self.met: set[int] = set()

    def strategy(self, opponent: axl.Player) -> axl.Action:
        theirs = opponent.history
        context = 0
        for seen in (theirs[:DEPTH], self.history[-DEPTH:], theirs[-DEPTH:]):
            for action in [axl.Action.C] * (DEPTH - len(seen)) + list(seen):
                context = context * 2 + (action == axl.Action.D)
        self.met.add(context)
        return axl.Action.D if self.genome[context] == "D" else axl.Action.C


@cache
def opponents() -> Mapping[str, type[axl.Player]]:
    """Deterministic strategies that do not take long, by name."""
    stochastic = axl.Classifiers["stochastic"]
    return {kind.name: kind for kind in axl.short_run_time_strategies if not stochastic(kind())}


def scores(genomes: Sequence[str], pool: str, *, references: bool) -> Mapping[str, Any]:
    """Points a turn of each genome against each strategy of a pool, and of named public ones if wanted.

    Beside them stand the places of each genome that came up at all: turning another one changes nothing.
    """
    names = in_pool(list(opponents()), pool)
    games = [[_ours(genome, name) for name in names] for genome in genomes]
    found: dict[str, Any] = {
        "scores": [[score for score, _ in row] for row in games],
        "met": [sorted(frozenset().union(*(met for _, met in row))) for row in games],
    }
    if references:
        kinds = {kind.name: kind for kind in axl.all_strategies}
        named = {name: kinds[name] for name in REFERENCES if name in kinds}
        found["references"] = {label: [_played(kind(), name) for name in names] for label, kind in named.items()}
    return found


@lru_cache(maxsize=20_000)  # deterministic on both sides; a champion is asked for again and again
def _ours(genome: str, name: str) -> tuple[float, frozenset[int]]:
    player = Looker(genome)
    return _played(player, name), frozenset(player.met)


def _played(player: axl.Player, name: str) -> float:
    match = axl.Match((player, opponents()[name]()), turns=TURNS, seed=1)
    match.play()
    return float(match.final_score_per_turn()[0])
