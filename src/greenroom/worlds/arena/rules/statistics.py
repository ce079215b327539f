"""The few tests that decide here, exact where samples are small: nothing beyond the standard library.

Ranks are doubled, so that the middle ones of ties are whole numbers. The distribution of a rank sum is counted in one
large integer whose digits are the counts; adding a rank is a shift and a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import NormalDist, fmean, stdev

from greenroom.kernel.chance import Chance

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    mean: float
    low: float
    high: float


def doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the rank of each value, equal ones sharing the middle of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    start = 0
    while start < len(order):
        stop = start
        while stop + 1 < len(order) and values[order[stop + 1]] == values[order[start]]:
            stop += 1
        for place in order[start : stop + 1]:
            ranks[place] = start + stop + 2
        start = stop + 1
    return ranks


def wilcoxon_greater(differences: Sequence[float]) -> float:
    """Exact one-sided signed-rank test that differences lie above zero, ties and all; zeros are left out."""
    moved = [one for one in differences if one]
    if not moved:
        return 1.0
    ranks = doubled_ranks([abs(one) for one in moved])
    above = sum(rank for rank, one in zip(ranks, moved, strict=True) if one > 0)
    width = len(moved) + 1
    counts = 1
    for rank in ranks:
        counts += counts << (rank * width)
    # The digits from a place on add up to what is left by their base less one.
    return int(counts >> (above * width)) % ((1 << width) - 1) / (1 << len(moved))


def mann_whitney_greater(first: Sequence[float], second: Sequence[float]) -> float:
    """Exact one-sided rank-sum test that the first sample lies above the second, ties and all."""
    if not first or not second:
        return 1.0
    ranks = doubled_ranks([*first, *second])
    total, size = sum(ranks[: len(first)]), len(first)
    width = comb(len(ranks), size).bit_length() + 1
    counts = [1] + [0] * size
    for rank in ranks:
        for taken in range(size, 0, -1):
            counts[taken] += counts[taken - 1] << (rank * width)
    return int(counts[size] >> (total * width)) % ((1 << width) - 1) / comb(len(ranks), size)


def holm(values: Sequence[float]) -> list[float]:
    """Adjusted p-values of a family, step by step down."""
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted, highest = [0.0] * len(values), 0.0
    for step, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - step) * values[place]))
        adjusted[place] = highest
    return adjusted


def standard_error(values: Sequence[float]) -> float:
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def interval(values: Sequence[float], level: float = 0.95) -> Interval:
    """A mean with its interval, by the standard error."""
    mean = fmean(values) if values else 0.0
    reach = _NORMAL.inv_cdf(0.5 + level / 2) * standard_error(values)
    return Interval(mean=mean, low=mean - reach, high=mean + reach)


def bootstrap(values: Sequence[float], *, seed: int, times: int = 2000, level: float = 0.95) -> Interval:
    """A mean with its percentile interval, from samples drawn again and again; the same seed gives the same."""
    chance, size = Chance("bootstrap", seed), len(values)
    means = sorted(sum(values[chance.below(size)] for _ in range(size)) / size for _ in range(times))
    cut = int(times * (1 - level) / 2)
    return Interval(mean=fmean(values), low=means[cut], high=means[times - 1 - cut])
