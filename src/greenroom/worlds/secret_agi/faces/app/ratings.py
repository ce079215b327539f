"""Bradley–Terry ratings of agents in their roles, with 95 % intervals.

A game is a contest of two sides. A side is as strong as its members are on average, so every agent in a role has one
rating on the scale of log odds: two sides that differ by 1 win 73 to 27.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, sqrt
from typing import Any, NamedTuple

#: Steps of the ascent, and how strongly ratings are drawn to 0: what was never measured stays there.
STEPS, PRIOR = 400, 0.05
Z = 1.959964


class Contest(NamedTuple):
    """Who played for either side, each agent in a role with its share of the side, and whether Safety won."""

    safety: Mapping[str, float]
    acceleration: Mapping[str, float]
    safety_won: bool | None


def contest_of(winners: str | None, players: Sequence[tuple[str, str]]) -> Contest:
    """A game as a contest."""
    sides: list[Counter[str]] = [Counter(), Counter()]
    for agent, role in players:
        sides[role != "Safety"][f"{agent} as {role}"] += 1
    safety, acceleration = ({name: n / side.total() for name, n in side.items()} for side in sides)
    return Contest(safety, acceleration, None if winners is None else winners == "Safety")


def ratings(contests: Iterable[Contest]) -> dict[str, dict[str, Any]]:
    """The rating of every agent in every role, with its interval; 0 is the average."""
    played = [one for one in contests if one.safety_won is not None]
    weights = [({**one.safety, **{name: -n for name, n in one.acceleration.items()}}, one.safety_won) for one in played]
    names = sorted({name for weight, _ in weights for name in weight})
    found = dict.fromkeys(names, 0.0)
    for _ in range(STEPS):
        slope, curve = _slopes(weights, found)
        for name in names:
            found[name] += 0.5 * slope[name] / curve[name]
    _, curve = _slopes(weights, found)
    return {name: _told(found[name], 1 / sqrt(curve[name])) for name in names}


def _slopes(
    weights: Sequence[tuple[Mapping[str, float], bool | None]], found: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, float]]:
    slope, curve = {name: -PRIOR * value for name, value in found.items()}, dict.fromkeys(found, PRIOR)
    for weight, won in weights:
        ahead = sum(n * found[name] for name, n in weight.items())
        chance = 1 / (1 + exp(-max(-30.0, min(30.0, ahead))))
        for name, n in weight.items():
            slope[name] += n * (bool(won) - chance)
            curve[name] += n * n * chance * (1 - chance)
    return slope, curve


def _told(value: float, error: float) -> dict[str, Any]:
    return {"rating": round(value, 3), "low": round(value - Z * error, 3), "high": round(value + Z * error, 3)}
