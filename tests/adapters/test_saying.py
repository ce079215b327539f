"""What somebody told, as its hearer says it back."""

from __future__ import annotations

import pytest

from greenroom.adapters.understudy.saying import said_of


@pytest.mark.parametrize(
    ("told", "manner", "said"),
    [
        ("So I mend umbrellas, mostly on Mondays", "said_habit", "You mend umbrellas, mostly on Mondays"),
        ("I don't whistle any more", "said_not", "You don't whistle any more"),
        ("well my uncle sold the barn lol", "said_other_past", "Your uncle sold the barn"),
        ("We will paint it next year.", "said_plan", "You will paint it next year"),
        ("My eyesight is going, I can read the labels", "said_mine", "Your eyesight is going"),
        ("forty metres of rope", "said_few", "Forty metres of rope"),
        ("You would hate our street", "said_you", "“You would hate our street”"),
        ("The captain he don't like it", "said_other", "“The captain he don't like it”"),
        ("I left the pan in this kitchen", "said_own_past", "You left the pan in this kitchen"),
    ],
)
def test_a_sentence_is_turned_or_quoted_and_known_by_how_it_tells(told: str, manner: str, said: str) -> None:
    found = said_of(told)
    assert found is not None
    assert found[:2] == (manner, said)


@pytest.mark.parametrize("told", ["Hello there!", "Is it far?", "one two " * 20])
def test_what_tells_nothing_or_too_much_is_not_said_back(told: str) -> None:
    assert said_of(told) is None
