"""Our statistics are those of SciPy and statsmodels; the reference was computed by these once and is kept beside."""

from __future__ import annotations

import json
from itertools import product
from math import isclose, sqrt
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from greenroom.kernel.chance import Chance
from greenroom.worlds.arena.rules import statistics as s

REFERENCE: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "statistics.json").read_text())


def same(found: float, wanted: float) -> bool:
    return isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-12)


def test_the_exact_signed_rank_test_is_scipys() -> None:
    for differences, p in REFERENCE["wilcoxon_exact"]:
        assert same(s.wilcoxon_greater(differences), p), differences


def test_the_exact_signed_rank_test_with_ties_is_scipys_over_all_signs() -> None:
    for differences, p in REFERENCE["wilcoxon_tied"]:
        assert same(s.wilcoxon_greater(differences), p), differences


def test_the_exact_rank_sum_test_is_scipys_with_ties_and_without() -> None:
    for first, second, p in REFERENCE["mann_whitney_exact"] + REFERENCE["mann_whitney_tied"]:
        assert same(s.mann_whitney_greater(first, second), p), (first, second)


def test_holms_correction_is_that_of_statsmodels() -> None:
    for values, adjusted in REFERENCE["holm"]:
        assert all(map(same, s.holm(values), adjusted)), values


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_the_signed_rank_test_counts_every_assignment_of_signs(differences: list[int]) -> None:
    moved = [one for one in differences if one]
    ranks = s.doubled_ranks([abs(one) for one in moved])
    seen = sum(rank for rank, one in zip(ranks, moved, strict=True) if one > 0)
    every = [
        sum(rank for rank, up in zip(ranks, signs, strict=True) if up) for signs in product((0, 1), repeat=len(moved))
    ]
    assert same(s.wilcoxon_greater(differences), sum(one >= seen for one in every) / len(every))


def test_no_difference_at_all_is_no_evidence() -> None:
    assert s.wilcoxon_greater([0, 0, 0]) == s.mann_whitney_greater([], [1]) == 1.0


def test_a_bootstrap_interval_holds_the_mean_and_is_about_as_wide_as_theory_says() -> None:
    chance = Chance("sample")
    values = [chance.below(7) - 3 for _ in range(200)]
    found = s.bootstrap(values, seed=1, times=800)
    assert found.low < found.mean < found.high
    width = 2 * 1.96 * s.standard_error(values)
    assert 0.85 * width < found.high - found.low < 1.15 * width
    assert found == s.bootstrap(values, seed=1, times=800)
    assert same(s.standard_error([1, 2, 3, 4]), sqrt(5 / 3) / 2)
