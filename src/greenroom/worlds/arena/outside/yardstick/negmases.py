"""Negotiations of NegMAS: the arena's ten numbers behind its alternating offers, against agents of the ANAC years."""

from __future__ import annotations

import inspect
import random
import warnings
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from negmas import LinearAdditiveUtilityFunction, ResponseType, SAOMechanism, make_issue
from negmas.preferences.value_fun import TableFun
from negmas.sao import BoulwareTBNegotiator, LinearTBNegotiator, SAONegotiator

from greenroom.kernel.chance import Chance
from greenroom.worlds.arena.outside.yardstick import in_pool
from greenroom.worlds.arena.rules.strategy import Strategy, read

ISSUES, OPTIONS, STEPS = 4, 5, 100
#: Opponents of one generation's trial, and of the validation; the end meets them all.
SAMPLED = {"training": 12, "validation": 12}
#: Public agents that are named beside ours.
REFERENCES = ("Atlas3", "HardHeaded")


class Ours(SAONegotiator):  # type: ignore[misc]
    """A negotiator of the arena: what it wants falls with time, what they like is guessed from what they offer."""

    def __init__(self, strategy: Strategy, **more: Any) -> None:
        super().__init__(**more)
        self.strategy = strategy
        self.theirs: list[Any] = []
        self.worth: dict[Any, float] = {}
        self.seen: list[dict[Any, float]] = [{} for _ in range(ISSUES)]
        self.base = 0.0

    def on_negotiation_start(self, state: Any) -> None:
        self.worth = {outcome: float(self.ufun(outcome)) for outcome in self.nmi.outcomes}
        self.base = float(self.ufun.reserved_value)

    def propose(self, state: Any, dest: str | None = None) -> Any:
        self._hear(state)
        if self._left(state) <= 2 and self.strategy.closing > 0.5 and self.theirs:
            best = max(self.theirs, key=self.worth.__getitem__)
            if self.worth[best] > self.base:
                return best
        target, trade = self._target(state), self.strategy.trade
        near = 0.03 + 0.12 * trade
        fitting = [one for one, value in self.worth.items() if target <= value <= target + near]
        if not fitting:
            return max(self.worth, key=self.worth.__getitem__)
        return max(fitting, key=lambda one: (trade * self._liked(one) + (1 - trade) * self.worth[one], one))

    def respond(self, state: Any, source: str | None = None) -> Any:
        self._hear(state)
        offer = state.current_offer
        if offer is None:
            return ResponseType.REJECT_OFFER
        room, value = 1 - self.base, self.worth[offer]
        if value <= self.base:
            return ResponseType.REJECT_OFFER
        wanted = self._target(state) - 0.2 * self.strategy.acceptance * room
        if self._left(state) <= 1 and self.strategy.closing > 0.25:
            wanted = self.base
        return ResponseType.ACCEPT_OFFER if value >= wanted else ResponseType.REJECT_OFFER

    def _left(self, state: Any) -> int:
        return STEPS - int(state.step) - 1

    def _target(self, state: Any) -> float:
        own, room = self.strategy, 1 - self.base
        top, bottom = self.base + room * (0.5 + 0.5 * own.opening), self.base + room * 0.9 * own.floor
        still = 0.6 * own.patience
        over = max(0.0, (float(state.relative_time) - still) / (1 - still))
        given = float(over ** (1 / (0.05 + 2 * own.concession)))
        gained = max(map(self.worth.__getitem__, self.theirs)) - self.worth[self.theirs[0]] if self.theirs else 0.0
        best = max(self.worth.values())
        return min(best, max(bottom, top + (bottom - top) * given - 0.5 * own.reciprocity * gained))

    def _hear(self, state: Any) -> None:
        offer = state.current_offer
        if offer is None or state.current_proposer == self.id or (self.theirs and self.theirs[-1] == offer):
            return
        self.theirs.append(offer)
        weight = 0.98 ** len(self.theirs)
        for seen, option in zip(self.seen, offer, strict=True):
            seen[option] = seen.get(option, 0.0) + weight

    def _liked(self, outcome: Any) -> float:
        total = 0.0
        for seen, option in zip(self.seen, outcome, strict=True):
            if seen:
                total += seen.get(option, 0.0) / max(seen.values())
        return total / ISSUES


@cache
def opponents() -> Mapping[str, type[SAONegotiator]]:
    """Every agent of the package, by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import negmas_genius_agents  # noqa: PLC0415  slow, and it warns

    kinds = vars(negmas_genius_agents).items()
    return {name: kind for name, kind in kinds if inspect.isclass(kind) and issubclass(kind, SAONegotiator)}


def scores(genomes: Sequence[str], pool: str, *, seed: int, series: int, references: bool) -> Mapping[str, Any]:
    """What each genome gets above its reserve, as a share of what could be had, against agents of a pool."""
    names = in_pool(list(opponents()), pool)
    if references:  # the end: every opponent, and the same negotiations for all seeds
        games = _dealt(names, Chance("negmas", pool, "end"))
        told = {label: [_reference(label, name, dice) for name, dice in games] for label in _public()}
        return {"scores": [_all(genome, games) for genome in genomes], "references": told}
    chance = Chance("negmas", seed, pool, series)
    games = _dealt(sorted(chance.shuffled(names)[: SAMPLED.get(pool, len(names))]), chance)
    return {"scores": [_all(genome, games) for genome in genomes]}


def _dealt(names: Sequence[str], chance: Chance) -> list[tuple[str, int]]:
    return [(name, chance.below(1 << 31)) for name in names]


def _all(genome: str, games: Sequence[tuple[str, int]]) -> list[float]:
    return [_ours(genome, name, dice) for name, dice in games]


@lru_cache(maxsize=4096)  # the same dice are the same negotiation; a champion is asked for again
def _ours(genome: str, name: str, dice: int) -> float:
    return _played(Ours(read(genome)), name, dice)


def _public() -> Mapping[str, type[SAONegotiator]]:
    named = {name: opponents()[name] for name in REFERENCES if name in opponents()}
    return {**named, "Boulware": BoulwareTBNegotiator, "linear": LinearTBNegotiator}


@lru_cache(maxsize=4096)
def _reference(label: str, name: str, dice: int) -> float:
    return _played(_public()[label](), name, dice)


def _played(player: SAONegotiator, name: str, dice: int) -> float:
    """One negotiation; who speaks first, and what everybody wants, follows from the dice."""
    chance = Chance("scenario", dice)
    issues = [make_issue([str(i) for i in range(OPTIONS)], f"issue {k}") for k in range(ISSUES)]
    first, second = _wants(issues, chance), _wants(issues, chance)
    random.seed(dice)
    np.random.seed(dice % (1 << 32))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mechanism = SAOMechanism(issues=issues, n_steps=STEPS, ignore_negotiator_exceptions=True)
        sides = [(player, first), (opponents()[name](), second)]
        for negotiator, wants in sides if chance.below(2) else reversed(sides):
            mechanism.add(negotiator, ufun=wants)
        agreement = mechanism.run().agreement
    reserve = float(first.reserved_value)
    return 0.0 if agreement is None else max(0.0, (float(first(agreement)) - reserve) / (1 - reserve))


def _wants(issues: Sequence[Any], chance: Chance) -> LinearAdditiveUtilityFunction:
    """Values and weights of one's own, from 0 to 1, and a reserve; what is good for one may be good for both."""
    raw = [1 + chance.below(9) for _ in issues]
    values = []
    for issue in issues:
        drawn = [chance.below(1000) + i / 10 for i in range(OPTIONS)]
        low, high = min(drawn), max(drawn)
        values.append(
            TableFun({option: (one - low) / (high - low) for option, one in zip(issue.all, drawn, strict=True)})
        )
    weights = [one / sum(raw) for one in raw]
    reserve = (10 + chance.below(30)) / 100
    return LinearAdditiveUtilityFunction(values=values, weights=weights, issues=issues, reserved_value=reserve)
