"""What is taken for a fact of whoever speaks, measured on sentences with labels written by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from greenroom.adapters.facts.noticing import told
from greenroom.kernel.facts import SELF, Fact, Noticed

HERE = Path(__file__).parent
#: Facts whose value is a whole clause: a label may stand in the sentence they quote.
WHOLE = ("told", "does", "has")


def _fits(label: str, fact: Noticed) -> bool:
    """Whether a fact is what a label means: ``subject|subject: words|words``, of which one each must hold."""
    subjects, _, words = label.partition(": ")
    for part in words.split("|"):
        own, named, word = part.rpartition(": ")
        text = f"{fact.value} {fact.text if fact.relation in WHOLE else ''}".casefold()
        if fact.subject in (own if named else subjects).split("|") and word.casefold() in text:
            return True
    return False


def _measured(rows: list[dict[str, Any]]) -> tuple[float, float]:
    """Precision over all facts that were taken, and recall over all labels."""
    taken = justified = labels = found = 0
    for row in rows:
        facts = told(row["said"])
        taken += len(facts)
        justified += sum(any(_fits(label, fact) for label in row["facts"]) for fact in facts)
        labels += len(row["facts"])
        found += sum(any(_fits(label, fact) for fact in facts) for label in row["facts"])
    return justified / taken, found / labels


@pytest.mark.parametrize(("name", "precision", "recall"), [("heard", 0.75, 0.85), ("unseen", 0.9, 0.9)])
def test_most_of_what_is_told_is_noticed_and_little_else(name: str, precision: float, recall: float) -> None:
    rows = yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))
    measured = _measured(rows)
    print(f"{name}: {len(rows)} sentences, precision {measured[0]:.2f}, recall {measured[1]:.2f}")
    assert measured >= (precision, recall)
    assert measured[1] >= recall


@pytest.mark.parametrize(
    "said",
    [
        "If I had a dog I would call him Pepper.",
        "He told me: my name is Legion.",
        "I'm the Queen of Sheba, obviously. Just kidding.",
        "Is my sister called Ada, or is yours?",
        "The captain says he is fifty and from Malta.",
        "“I'm Batman”, he shouted, and fell off the pier.",
    ],
)
def test_what_nobody_says_of_themself_in_earnest_is_no_fact(said: str) -> None:
    assert told(said) == []


def test_a_form_that_is_denied_does_not_hold() -> None:
    assert [fact.relation for fact in told("I'm not allergic to anything, luckily.")] == ["told"]


def _known(subject: str, relation: str, value: str, text: str, hour: int) -> Fact:
    at = datetime(2026, 11, 18, hour, tzinfo=UTC)
    return Fact(id=f"fact-{hour}", subject=subject, relation=relation, value=value, text=text, at=at)


DOG = _known(SELF, "told", "I had a dog", "I had a dog once.", 20)
RUTH = _known("sister", "name", "Ruth", "My sister Ruth lives in Cork.", 19)


@pytest.mark.parametrize(
    ("said", "known", "subject", "value"),
    [
        ("I had a dog. He was called Salt.", [], "dog", "Salt"),
        ("He was called Salt.", [RUTH, DOG], "dog", "Salt"),
        ("Ruth moved to Leeds.", [RUTH, DOG], "sister", "Ruth moved to Leeds"),
        ("Actually, Ruth moved. She lives in Galway now.", [RUTH, DOG], "sister", "She lives in Galway now"),
        ("Remember this: my locker is number 412.", [], "locker", "is number 412"),
    ],
)
def test_whom_a_sentence_tells_of_is_found_in_what_was_told_before(
    said: str, known: list[Fact], subject: str, value: str
) -> None:
    assert (subject, value) in [(fact.subject, fact.value) for fact in told(said, known)]


@pytest.mark.parametrize("said", ["He is an idiot.", "She was called away.", "Ruth, one beer.", "Leeds is cold."])
def test_what_was_told_before_makes_no_fact_of_other_talk(said: str) -> None:
    assert told(said, [RUTH, DOG]) == []
