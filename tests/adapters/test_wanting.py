"""What a message wants: something that was told, something of the hearer's, a favour, or nothing."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from greenroom.adapters.understudy import asks_of_self
from greenroom.adapters.understudy.wanting import WANTS, runs, wants

MESSAGES = Path(__file__).parents[2] / "tools/wanting/messages.tsv"


@pytest.mark.parametrize(
    ("told", "not_told"),
    [
        ("do you remember my mother's name?", "do you remember your mother?"),
        ("what was I going to name the boat?", "what was the last boat called that came by?"),
        ("who's been telling me to quit nights?", "who comes up here in winter?"),
        ("which song was it, do you still know?", "which songs do you sing?"),
        ("so what's my thesis on", "what would you write a thesis on?"),
        ("where did I say my son works?", "where would you send your son to work?"),
    ],
)
def test_what_was_told_is_told_from_what_the_hearer_knows(told: str, not_told: str) -> None:
    assert asks_of_self(told)
    assert not asks_of_self(not_told)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("can you tell me a story but a short one", "favour"),
        ("are you sad when people go home?", "hearer"),
        ("should I ring him, what do you think?", "counsel"),
        ("my sister had her baby on Sunday and I cried in the shop", "nothing"),
        ("Thank you. I'll find my way down.", "nothing"),
    ],
)
def test_a_message_wants_what_its_words_say(said: str, wanted: str) -> None:
    likely = wants(said)
    assert max(likely, key=lambda one: likely[one]) == wanted
    assert sum(likely.values()) == pytest.approx(1)


def test_of_words_that_it_never_saw_the_table_thinks_nothing() -> None:
    likely = wants("Kylläpä tuulee")
    assert max(likely.values()) < 0.9
    assert set(likely) == set(WANTS)


def test_every_message_learned_from_has_its_label() -> None:
    with MESSAGES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) > 4_000
    assert all(row["text"].strip() and row["act"] for row in rows)
    assert len({row["text"] for row in rows}) == len(rows), "one twice counts twice"


def test_a_long_message_is_known_by_its_length_no_further() -> None:
    assert "#5" in runs("well " * 40) & runs("well " * 400)
