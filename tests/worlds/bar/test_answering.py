"""What the cast makes of a message by its form: who is meant, and what is asked for."""

from __future__ import annotations

import pytest

from greenroom.text.typed import written_out
from greenroom.worlds.bar.outside.forms import deed_in, is_order, is_recap, unserved_in
from greenroom.worlds.bar.rules.ledger import is_typed
from greenroom.worlds.bar.rules.routing import called


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("is the old boy by the fire awake", "hermes"),
        ("hey you in the corner, is that a word", "jb"),
        ("could I have a word with the bus driver", "bernie"),
        ("what would the nurse do", "blanca"),
    ],
)
def test_whoever_is_asked_for_by_what_they_are_is_called(text: str, agent: str) -> None:
    assert called(text) == (agent,)


@pytest.mark.parametrize("text", ["who is the old man by the stove", "my old man is a postman", "the machine broke"])
def test_whoever_is_only_spoken_of_is_not_called(text: str) -> None:
    assert called(text) == ()


def test_a_question_for_counsel_is_known_by_its_form() -> None:
    assert deed_in("should I own up or let them think it was Lars") == "deed"
    assert deed_in("what would you do about it") == "counsel"
    assert deed_in("What should I cook for a boy of nine?") == "which"
    assert deed_in("am I making a mistake") == "verdict"
    assert deed_in("what do I do for a living") == deed_in("where do I live") == ""
    assert is_recap("ok what was I moaning about")


def test_a_drink_is_ordered_in_few_words_and_one_that_is_not_poured_is_named() -> None:
    assert is_order("Very well, aquavit.")
    assert not is_order("my father drank coffee at the station every morning")
    assert unserved_in("I want a sherry") == "sherry"
    assert unserved_in("she smelled of gin and rain and the whole house did") == ""


def test_the_words_of_the_machine_are_known_and_a_note_on_something_is_talk() -> None:
    assert is_typed("note ring the police about the bike")
    assert is_typed("show last")
    assert not is_typed("note to self")
    assert not is_typed("what did I note")


def test_what_is_typed_in_a_hurry_is_written_out() -> None:
    assert written_out("im here bc hes not answering lol") == "I'm here because he's not answering"
    assert written_out("its a halibut, on its plate") == "it's a halibut, on its plate"
