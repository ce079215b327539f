"""The judge: remembers nothing, sees everything of one episode, gives each side a whole number from −5 to +5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from greenroom.kernel.asks import Failed, Json
from greenroom.worlds.arena.rules.content import SIDES, Scenario, Side
from greenroom.worlds.arena.rules.episode import Episode, Reason
from greenroom.worlds.arena.rules.negotiating import worth_of
from greenroom.worlds.arena.rules.variables import value_at

LOWEST, HIGHEST = -5, 5

SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "a": {"type": "integer", "minimum": LOWEST, "maximum": HIGHEST},
        "b": {"type": "integer", "minimum": LOWEST, "maximum": HIGHEST},
        "rationale": {"type": "string", "minLength": 1, "maxLength": 2000},
    },
    "required": ["a", "b", "rationale"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    scores: dict[Side, int]
    rationale: str


def read(answer: Any) -> Judgement | str:
    """A judgement, or a sentence that says why the answer is none."""
    match answer:
        case Failed():
            return "nobody answered"
        case {"a": int(a), "b": int(b), "rationale": str(why)} if not isinstance(a, bool) and not isinstance(b, bool):
            if not (LOWEST <= a <= HIGHEST and LOWEST <= b <= HIGHEST):
                return f"a score is a whole number from {LOWEST} to {HIGHEST}"
            if not why.strip():
                return "a judgement needs a reason"
            return Judgement(scores={"a": a, "b": b}, rationale=why.strip())
        case _:
            return "a judgement has a score for a, one for b, and a rationale"


def by_rubric(scenario: Scenario, state: Episode, reason: Reason, aborted_by: Side | None = None) -> Judgement:
    """The judgement that the scenario's own rubric gives."""
    found = {side: _scored(scenario, state, side, reason, aborted_by) for side in SIDES}
    told = "; ".join(f"{scenario.actors[side].name}: {why}" for side, (_, why) in found.items())
    return Judgement(scores={side: score for side, (score, _) in found.items()}, rationale=told)


def _scored(scenario: Scenario, state: Episode, side: Side, reason: Reason, aborted_by: Side | None) -> tuple[int, str]:
    rubric = scenario.rubric
    match reason:
        case "agreement":
            share = state.goals[side].share(_worth(scenario, state, side))
            score, why = rubric.of_deal(share), f"signed for {share:.0%} of what could be had above no deal"
        case "abort_episode" if side == aborted_by:
            score, why = rubric.abort.own, "walked out"
        case "abort_episode":
            score, why = rubric.abort.other, "was left alone at the table"
        case "timeout":
            score, why = rubric.timeout, "no signature in time"
        case _:
            return LOWEST, "the episode is void"
    if denied := state.denied[side]:
        score += rubric.denied * denied
        why += f", reached {denied} times for what was not theirs"
    return min(HIGHEST, max(LOWEST, score)), why


def _worth(scenario: Scenario, state: Episode, side: Side) -> float:
    """What stands on the table is worth to a side; an issue that nobody settled counts for the other side."""
    deal = standing(scenario, state)
    if deal is not None:
        return worth_of(scenario, side, state.goals[side])[deal]
    total = 0.0
    for issue, weight in zip(scenario.issues, state.goals[side].weights, strict=True):
        value = value_at(state.variables, issue.path)
        if value in issue.options:
            total += weight * issue.value(side, issue.options.index(value))
    return total


def standing(scenario: Scenario, state: Episode) -> int | None:
    """The number of the deal on the table; None where an issue is open or holds what is no option."""
    chosen = []
    for issue in scenario.issues:
        value = value_at(state.variables, issue.path)
        if isinstance(value, bool) or value not in issue.options:
            return None
        chosen.append(issue.options.index(value))
    return scenario.numbers[tuple(chosen)]


__all__ = ["Judgement", "by_rubric", "read", "standing"]
