"""Whether a mutation is better: paired, one-sided, corrected for three tries, looked at now and then.

The same seeds, opponents and sides are played by the champion and by each variant, and only the differences count. A
short trial culls what is plainly worse. After each look the best variant is taken if its exact signed-rank p-value is
below that look's level; the levels are those of Wang and Tsiatis (0.25), so that looking four times costs no more than
looking once, and Holm's correction divides them among the three. What was taken is checked on a pool that the mutator
never sees. The seed's own rule can be chosen instead: it rejects most true gains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev
from typing import Literal, TypeAlias

from greenroom.worlds.arena.rules.statistics import holm, mann_whitney_greater, standard_error, wilcoxon_greater

Kind: TypeAlias = Literal["paired", "seed"]

#: Variants of one generation: they share the chance of a false acceptance.
FAMILY = 3
#: How often a trial is looked at; the boundary is for this number.
LOOKS = 4
#: The constant of the boundary for four looks, by how many variants are still in question; 5 % among all of them.
_CONSTANTS = {3: 2.265, 2: 2.1138, 1: 1.8325}
_SHAPE = 0.25
#: A variant that loses more than this in the short trial is not tried further.
CULLED_BELOW = -0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How a run accepts. ``lam`` and ``delta``: the mean less so many standard errors must be above so much."""

    kind: Kind = "paired"
    #: Pairs of the short trial, and after how many pairs to look.
    short: int = 6
    looks: tuple[int, ...] = (12, 24, 36, 48)
    #: Pairs on the pool that has the last word.
    last_word: int = 12
    lam: float = 1.0
    delta: float = 0.0
    #: Episodes of a shadow trial by the seed's rule.
    episodes: int = 10
    level: float = 0.05

    @property
    def most_pairs(self) -> int:
        return self.episodes if self.kind == "seed" else self.looks[-1] + self.last_word


#: The rule as the seed has it: the deviation, and not the error of the mean.
SEED_RULE = Rule(kind="seed", lam=1.0, delta=0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What one look came to."""

    #: By variant: p-value, and the same corrected for the family.
    p: dict[int, float]
    corrected: dict[int, float]
    #: Which variant is better, if one is.
    taken: int | None
    #: Which are worth more pairs.
    left: tuple[int, ...]


def nominal_level(look: int, rivals: int = FAMILY) -> float:
    """Below which p-value the best of so many variants is taken at a look, counted from 1."""
    return 1 - NormalDist().cdf(_CONSTANTS[rivals] * (look / LOOKS) ** (_SHAPE - 0.5))


def culled(differences: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """The variants that a short trial leaves: neither plainly worse, nor without any effect."""
    return tuple(variant for variant, found in differences.items() if any(found) and fmean(found) >= CULLED_BELOW)


def look(rule: Rule, number: int, differences: Mapping[int, Sequence[int]]) -> Looked:
    """Look at the differences after some pairs. Variants that were culled count in the family all the same."""
    p = {variant: wilcoxon_greater(found) for variant, found in differences.items()}
    family = [*p.values(), *(1.0,) * (FAMILY - len(p))]
    corrected = dict(zip(p, holm(family), strict=False))
    best = min(p, key=lambda variant: (p[variant], -fmean(differences[variant]), variant), default=None)
    if best is not None and not _is_better(rule, number, differences[best], p[best]):
        best = None
    left = tuple(variant for variant, found in differences.items() if fmean(found) > 0 and p[variant] < 0.5)
    return Looked(p=p, corrected=corrected, taken=best, left=left)


def _is_better(rule: Rule, number: int, found: Sequence[int], p: float) -> bool:
    gains = fmean(found) - rule.lam * standard_error(found) > rule.delta
    return gains and p <= nominal_level(number) * rule.level / 0.05


def confirmed(rule: Rule, differences: Sequence[int]) -> bool:
    """The last word: on opponents that the mutator never sees, it is no worse."""
    return not differences or fmean(differences) >= 0


def seed_rule(rule: Rule, variant: Sequence[int], baseline: Sequence[int]) -> bool:
    """The seed's rule: a mean above the baseline's by half a point and a whole deviation, and a rank-sum test."""
    if len(variant) < 2:
        return False
    above = fmean(variant) - rule.lam * stdev(variant) > fmean(baseline) + rule.delta
    return above and mann_whitney_greater(variant, baseline) < rule.level
