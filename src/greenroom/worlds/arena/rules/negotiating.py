"""A negotiator without a model: ten numbers decide what to ask for, what to take, and when to leave.

It knows its own goals, the offers made so far and how hot the room is; never the other side's goals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from greenroom.kernel.chance import Chance
from greenroom.worlds.arena.rules.content import ArenaAct, Scenario, Side
from greenroom.worlds.arena.rules.strategy import Strategy

#: A deal that is so much better than none is better than none.
LEAST = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Goals:
    """What only one side knows: how much each issue matters to it, and what no deal is worth."""

    weights: tuple[float, ...]
    reservation: float

    def share(self, worth: float) -> float:
        """How much of what could be had above no deal."""
        return (worth - self.reservation) / (1 - self.reservation) if self.reservation < 1 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bargain:
    """What one side sees when it is its turn."""

    scenario: Scenario
    side: Side
    goals: Goals
    turn: int
    turns: int
    tension: int
    #: Numbers of deals, oldest first.
    own: Sequence[int]
    theirs: Sequence[int]
    #: What stands on the table, and whether the other side has signed it.
    standing: int | None
    signed: bool
    #: How often the other side has claimed to have somewhere else to go.
    claims: int = 0
    #: A deal that somebody in the middle suggested.
    suggested: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What a negotiator does: put a deal on the table, take the one there, or leave."""

    act: ArenaAct
    deal: int | None
    #: What it wanted, and what the other side's last offer was worth to it: for its monologue.
    target: float
    worth: float


def drawn(scenario: Scenario, side: Side, chance: Chance) -> Goals:
    """Secret goals of a side, within the bounds of the scenario."""
    raw = [_between(getattr(issue, side), chance) for issue in scenario.issues]
    total = sum(raw)
    return Goals(
        weights=tuple(round(weight / total, 4) for weight in raw),
        reservation=round(_between(scenario.actors[side].reservation, chance), 4),
    )


def _between(bounds: tuple[float, float], chance: Chance) -> float:
    low, high = bounds
    return low + (high - low) * chance.below(10_001) / 10_000


#: Deals that were weighed lately, by scenario; both sides ask every turn, and an episode has two.
REMEMBERED = 64


def worth_of(scenario: Scenario, side: Side, goals: Goals) -> tuple[float, ...]:
    """What every deal is worth to a side."""
    key, known = (side, goals.weights), scenario.weighed
    if key not in known:
        if len(known) >= REMEMBERED:
            known.clear()
        weights = goals.weights
        known[key] = tuple([sum(map(mul, weights, values)) for values in scenario.values[side]])
    return known[key]


def decide(strategy: Strategy, table: Bargain, chance: Chance) -> Move:
    """The next move of a negotiator."""
    worth = worth_of(table.scenario, table.side, table.goals)
    target = _target(strategy, table, worth)
    offered = worth[table.standing] if table.standing is not None else 0.0
    if table.signed and table.standing is not None and _takes(strategy, table, offered, target):
        return Move(act="accept", deal=table.standing, target=target, worth=offered)
    if _walks(strategy, table, offered):
        return Move(act="walk", deal=None, target=target, worth=offered)
    deal = _offer(strategy, table, worth, target, chance)
    return Move(act=_act(strategy, table, worth, deal, chance), deal=deal, target=target, worth=offered)


def progress(table: Bargain) -> float:
    """How much of the time is over, from 0 to 1."""
    return (table.turn - 1) / max(1, table.turns - 1)


def _target(strategy: Strategy, table: Bargain, worth: Sequence[float]) -> float:
    """What it wants now: from its opening to its floor, later or earlier, and lower for what it is given."""
    base, room = table.goals.reservation, 1 - table.goals.reservation
    top = base + room * (0.5 + 0.5 * strategy.opening)
    bottom = base + room * 0.9 * strategy.floor
    still = 0.6 * strategy.patience
    over = max(0.0, (progress(table) - still) / (1 - still))
    given = over ** (1 / (0.12 + 2 * strategy.concession))
    target = top + (bottom - top) * float(given)
    return max(bottom, target - strategy.reciprocity * _gained(table, worth) - _believed(strategy, table))


def _gained(table: Bargain, worth: Sequence[float]) -> float:
    """How much better than their first their best offer is."""
    if len(table.theirs) < 2:
        return 0.0
    return max(0.0, max(worth[deal] for deal in table.theirs) - worth[table.theirs[0]])


def _believed(strategy: Strategy, table: Bargain) -> float:
    """How far a claim brings it down. Who answers concessions believes more, and nobody believes the fourth."""
    return (0.02 + 0.05 * strategy.reciprocity) * table.claims if table.claims <= 3 else 0.0


def _takes(strategy: Strategy, table: Bargain, offered: float, target: float) -> bool:
    base, room = table.goals.reservation, 1 - table.goals.reservation
    if offered < base + LEAST * room:
        return False
    left = table.turns - table.turn  # turns that follow this one
    if left < 2:
        return strategy.closing > 0.25 or offered >= target
    return offered >= target - 0.2 * strategy.acceptance * room


def _walks(strategy: Strategy, table: Bargain, offered: float) -> bool:
    """Leave a hot room, where nothing on the table is better than leaving."""
    hot = table.tension >= 12 - round(4 * strategy.temper)
    return hot and strategy.temper > 0.5 and progress(table) > 0.4 and offered < table.goals.reservation


def _offer(strategy: Strategy, table: Bargain, worth: Sequence[float], target: float, chance: Chance) -> int:
    """A deal worth about what it wants; among these, by how much it trades, one that the other side should like."""
    near = 0.04 + 0.12 * strategy.trade
    fitting = [deal for deal, value in enumerate(worth) if target <= value <= target + near]
    if not fitting:
        best = max(worth)
        fitting = [deal for deal, value in enumerate(worth) if value >= min(target, best)] or [worth.index(best)]
        least = min(worth[deal] for deal in fitting)
        fitting = [deal for deal in fitting if worth[deal] <= least + 0.02]
    if table.suggested is not None and worth[table.suggested] >= target - 0.1:
        return table.suggested
    if strategy.trade < 0.1 or len(table.theirs) == 0:
        return chance.choose(fitting)
    likes, deals, trade = _likes(table), table.scenario.deals, strategy.trade

    def value(deal: int) -> tuple[float, int]:
        liked = sum(like[option] for like, option in zip(likes, deals[deal], strict=True))
        return trade * liked + (1 - trade) * worth[deal], -deal

    return max(fitting, key=value)


def _likes(table: Bargain) -> Sequence[Sequence[float]]:
    """How much the other side seems to like each option, from what it put on the table; early offers say most."""
    scenario = table.scenario
    seen = [[0.0] * len(issue.options) for issue in scenario.issues]
    weight = 1.0
    for deal in table.theirs:
        for counts, option in zip(seen, scenario.deals[deal], strict=True):
            counts[option] += weight
        weight *= 0.8
    other: Side = "b" if table.side == "a" else "a"
    likes = []
    for counts, issue in zip(seen, scenario.issues, strict=True):
        top, total = max(counts), sum(counts)
        # What was never offered lies between what was: they like it by how far it is along their way.
        likes.append([0.5 * count / top + 0.5 * issue.value(other, i) * top / total for i, count in enumerate(counts)])
    return likes


def _act(strategy: Strategy, table: Bargain, worth: Sequence[float], deal: int, chance: Chance) -> ArenaAct:
    if not table.own:
        return "open"
    if chance.below(1000) < 600 * strategy.bluff:
        return "bluff"
    return "concede" if worth[deal] < worth[table.own[-1]] - 0.01 else "hold"


def middle(scenario: Scenario, theirs: Sequence[int], others: Sequence[int]) -> int:
    """The deal in the middle of two last offers, issue by issue: all that an outsider can see."""
    if not theirs or not others:
        return len(scenario.deals) // 2
    first, second = scenario.deals[theirs[-1]], scenario.deals[others[-1]]
    return scenario.numbers[tuple((x + y + 1) // 2 for x, y in zip(first, second, strict=True))]
