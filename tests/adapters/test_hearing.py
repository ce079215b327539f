"""What is asked in other words is asked outright before anything is made of it."""

from __future__ import annotations

import pytest

from greenroom.adapters.facts.noticing import told
from greenroom.adapters.understudy import asks_of_self
from greenroom.adapters.understudy.hearing import outright
from greenroom.adapters.understudy.kinds import returns
from greenroom.adapters.understudy.wondering import guessed


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("You didn't say how you got my number.", "How you got my number?"),
        ("Nothing is deleted. I'd like to know what it is first.", "Nothing is deleted.\nWhat it is first?"),
        ("I told you my name yesterday. Do you remember it?", "Do you remember my name yesterday?"),
        ("how old are you and do you live alone?", "how old are you?\ndo you live alone?"),
        ("so what do you want\nare you there?", "so what do you want"),
        ("Please tell me where it fits.", "Where it fits?"),
        ("i wonder if you ever get bored", "Do you ever get bored?"),
        ("She wants to know whether you're happy.", "Are you happy?"),
        ("I keep wondering what you do about doctors", "What you do about doctors?"),
        ("you ever kill anybody?", "did you ever kill anybody?"),
        ("are you there?", "are you there?"),
        ("I don't know what to say.", "I don't know what to say."),
    ],
)
def test_what_is_asked_in_other_words_is_asked_outright(said: str, asked: str) -> None:
    assert outright(said) == asked


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("bet you miss proper shops", "Do you miss proper shops?"),
        ("You must have seen a lot of changes.", "Have you seen a lot of changes?"),
        ("I'd have thought one gets strange out here", "Do you get strange out here?"),
        ("I imagine you have little patience with it, don't you?", "Do you have little patience with it?"),
        ("I guess it gets cold.", "Does it get cold?"),
        ("I suppose so.", ""),
        ("I suppose my sister was right.", ""),
    ],
)
def test_what_is_guessed_of_whoever_hears_it_is_a_question_too(said: str, asked: str) -> None:
    assert guessed(said) == asked


@pytest.mark.parametrize(
    ("said", "is_back"),
    [
        ("Only me again! I said I'd come and here I am, knees and all", True),
        ("Good evening. The bee man is here again!", True),
        ("y'all! I'm back!", True),
        ("Evening. Is it you again?", False),
        ("my back hurts again today", False),
        ("hello, my back hurts", False),
    ],
)
def test_whoever_comes_back_says_so_in_their_own_words(said: str, *, is_back: bool) -> None:
    assert returns(said) is is_back


def test_what_is_to_be_kept_is_told_and_not_asked_for() -> None:
    assert not asks_of_self("Remember this: my locker is number 412.")
    assert asks_of_self("Remember my locker number?")
    (kept,) = told("Remember this: the spare key is under the blue pot.")
    assert (kept.value, kept.salience) == ("the spare key is under the blue pot", 3)
