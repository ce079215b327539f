"""The scout: believes something about the opponents every five generations, and is held to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from greenroom.worlds.arena.rules import run as r


def scouted(state: r.Run) -> tuple[r.Event, ...]:
    """Score what was believed, and believe anew, where it is time."""
    if state.number % r.SCOUT_EVERY:
        return ()
    epochs = [one for one in state.ledger if one.purpose == "epoch" and one.generation > state.number - r.SCOUT_EVERY]
    if not epochs:
        return ()
    old = tuple(replace(one, held=_held(one, epochs)) if one.held is None else one for one in state.hypotheses)
    return (r.Scouted(hypotheses=(*old, *_believed(state.number, epochs))),)


def measured(measure: str, epochs: Sequence[r.Played]) -> float:
    """A number of some episodes."""
    match measure:
        case "agreement":
            return fmean(one.reason == "agreement" for one in epochs)
        case "mean_score":
            return fmean(one.score for one in epochs)
        case _:
            return fmean(one.turns > 10 for one in epochs)


def _held(hypothesis: r.Hypothesis, epochs: Sequence[r.Played]) -> bool:
    return hypothesis.low <= measured(hypothesis.measure, epochs) <= hypothesis.high


def _believed(generation: int, epochs: Sequence[r.Played]) -> tuple[r.Hypothesis, ...]:
    agreed, long = measured("agreement", epochs), measured("long_episodes", epochs)
    mean = measured("mean_score", epochs)
    return (
        r.Hypothesis(
            generation=generation,
            text=f"About {agreed:.0%} of these opponents sign in the end.",
            measure="agreement",
            low=round(agreed - 0.1, 3),
            high=round(agreed + 0.1, 3),
        ),
        r.Hypothesis(
            generation=generation,
            text=f"They take their time: {long:.0%} of the talks go beyond the tenth turn.",
            measure="long_episodes",
            low=round(long - 0.15, 3),
            high=round(long + 0.15, 3),
        ),
        r.Hypothesis(
            generation=generation,
            text=f"Against them our side comes to {mean:+.1f} and should not fall below.",
            measure="mean_score",
            low=round(mean - 0.1, 3),
            high=5.0,
        ),
    )
