"""What is asked in other words is asked outright before anything is made of it."""

from __future__ import annotations

import pytest

from greenroom.adapters.understudy.hearing import outright


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("You didn't say how you got my number.", "How you got my number?"),
        ("Nothing is deleted. I'd like to know what it is first.", "Nothing is deleted.\nWhat it is first?"),
        ("I told you my name yesterday. Do you remember it?", "Do you remember my name yesterday?"),
        ("how old are you and do you live alone?", "how old are you?\ndo you live alone?"),
        ("so what do you want\nare you there?", "so what do you want"),
        ("Please tell me where it fits.", "Where it fits?"),
        ("are you there?", "are you there?"),
        ("I don't know what to say.", "I don't know what to say."),
    ],
)
def test_what_is_asked_in_other_words_is_asked_outright(said: str, asked: str) -> None:
    assert outright(said) == asked
