"""Chance without state."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greenroom.kernel.chance import Chance, roll

KEYS = st.tuples(st.integers(0, 1 << 62), st.integers(0, 1000), st.integers(0, 50))


@given(KEYS, st.lists(st.integers(1, 1 << 64), max_size=12))
def test_the_same_place_always_rolls_the_same_dice_within_their_sides(
    key: tuple[int, int, int], sides: list[int]
) -> None:
    rolled = roll(*key, sides)
    assert rolled == roll(*key, sides)
    assert all(0 <= value < side for value, side in zip(rolled, sides, strict=True))


@given(KEYS)
def test_another_seed_attempt_or_ask_rolls_otherwise(key: tuple[int, int, int]) -> None:
    sides = (1 << 60,) * 3
    for i in range(3):
        other = [value + (place == i) for place, value in enumerate(key)]
        assert roll(*key, sides) != roll(other[0], other[1], other[2], sides)


def test_dice_stay_as_they_are() -> None:
    """Stored stories depend on these numbers: they never change."""
    assert roll(7, 1, 0, (6, 6, 6, 100, 1 << 40)) == (4, 3, 0, 93, 411235999548)
    chance = Chance("a", 1)
    assert [chance.below(10) for _ in range(12)] == [4, 1, 8, 9, 2, 6, 4, 0, 4, 8, 4, 8]


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 10])
def test_every_side_comes_up_equally_often(sides: int) -> None:
    count, chance = 6000, Chance("bias", sides)
    seen = [0] * sides
    for _ in range(count):
        seen[chance.below(sides)] += 1
    expected = count / sides
    chi_squared = sum((n - expected) ** 2 / expected for n in seen)
    assert chi_squared < sides + 5 * (2 * sides) ** 0.5


def test_a_range_that_does_not_divide_the_word_is_not_biased() -> None:
    """With 3 · 2⁶² sides a plain remainder would favour the lower third two to one."""
    sides, chance = 3 << 62, Chance("wide")
    low = sum(chance.below(sides) < (1 << 62) for _ in range(3000))
    assert 900 < low < 1100


@given(st.lists(st.integers(), max_size=20), st.integers())
def test_shuffling_keeps_every_item_and_leaves_the_original_alone(items: list[int], key: int) -> None:
    before = list(items)
    mixed = Chance(key).shuffled(items)
    assert sorted(mixed) == sorted(items)
    assert items == before
    assert mixed == Chance(key).shuffled(items)


def test_every_order_of_three_comes_up() -> None:
    orders = [Chance("order", i).shuffled("abc") for i in range(600)]
    counts = {order: orders.count(order) for order in set(orders)}
    assert len(counts) == 6
    assert min(counts.values()) > 60


def test_choosing_takes_one_of_the_items() -> None:
    assert {Chance("choice", i).choose("abc") for i in range(100)} == set("abc")


@pytest.mark.parametrize("sides", [0, -1])
def test_a_die_needs_a_side(sides: int) -> None:
    with pytest.raises(ValueError, match="at least one side"):
        Chance(1).below(sides)
