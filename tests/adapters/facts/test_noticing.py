"""What is taken for a fact of whoever speaks, measured on sentences with labels written by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from greenroom.adapters.facts.correcting import mended
from greenroom.adapters.facts.noticing import PatternNoticing, told
from greenroom.adapters.facts.patterns import ALIKE
from greenroom.kernel.facts import SELF, Fact, Noticed, line, read_line

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


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("I'm allergic to shellfish, which is a curse in a fishing village", [(SELF, "allergic to", "shellfish")]),
        ("Ana is my sister", [("sister", "name", "Ana")]),
        ("We travel with my two cats, Biscuit and Olive", [("cats", "name", "Biscuit and Olive")]),
        ("im nell btw, i mend nets", [(SELF, "name", "Nell"), (SELF, "work", "mend nets")]),
        ("right. im zed. got no sleep", [(SELF, "name", "Zed")]),
        ("my da sailed with them. Colm Reidy. a stoker", [("father", "name", "Colm Reidy")]),
        ("allergic to nuts by the way so mind the cake", [(SELF, "allergic to", "nuts")]),
        ("i got a van called green goddess", [(SELF, "has", "a van called Green Goddess")]),
        ("I have dog, Bursztyn, is meaning amber", [("dog", "name", "Bursztyn")]),
        ("my man Olaf is on the rigs", [("man", "name", "Olaf")]),
        ("slept for three days in a hut in Stromness", [(SELF, "told", "slept for three days in a hut in Stromness")]),
    ],
)
def test_what_people_leave_out_or_hang_on_hides_no_fact(said: str, facts: list[tuple[str, str, str]]) -> None:
    noticed = [(fact.subject, fact.relation, fact.value) for fact in told(said)]
    assert all(fact in noticed for fact in [(ALIKE.get(who, who), relation, value) for who, relation, value in facts])


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        (
            "my nan, who raised me in Hull, always said never trust clean boots",
            [("grandmother", "raised me in Hull"), ("grandmother", "always said never trust clean boots")],
        ),
        (
            "I'm Dee, I run a chip van with my brother Kit and we're off to Whitby on Friday",
            [
                (SELF, "Dee"),
                (SELF, "run a chip van with my brother Kit"),
                ("brother", "Kit"),
                (SELF, "to Whitby on Friday"),
            ],
        ),
        ("My daughter wants to sing. Seventeen.", [("daughter", "wants to sing"), ("daughter", "Seventeen")]),
        ("my lad's seven, he's called Alfie", [("son", "is seven"), ("son", "Alfie")]),
        (
            "his dad's a plumber, we split up two years ago",
            [(SELF, "his dad's a plumber"), (SELF, "we split up two years ago")],
        ),
        ("I'm Cass, I paint boats, would you hold still?", [(SELF, "Cass"), (SELF, "paint boats")]),
    ],
)
def test_every_clause_of_a_sentence_tells_for_itself(said: str, facts: list[tuple[str, str]]) -> None:
    assert [(fact.subject, fact.value) for fact in told(said)] == facts


def test_what_was_told_of_somebody_as_he_is_quoted_with_who_he_is() -> None:
    assert [fact.text for fact in told("my sister drives a tram, she hates it")] == [
        "my sister drives a tram",
        "my sister drives a tram, she hates it",
    ]


def test_how_somebody_is_is_no_name_without_a_capital() -> None:
    said = (
        "I sold my boat today.",
        "i saw my sister yesterday",
        "im tired",
        "im knackered, long day",
        "im peckish btw",
        "im soaked, i fell in",
        "it's dark, i can't see",
    )
    assert [fact for one in said for fact in told(one) if fact.relation == "name"] == []


@pytest.mark.parametrize(
    ("subject", "relation", "value", "sentence"),
    [
        (SELF, "name", "Jonah", "Their name is Jonah"),
        (SELF, "leaving", "", "They are leaving"),
        (SELF, "drives", "the night bus", "This person drives the night bus"),
        ("wife", "does", "died two winters ago", "Their wife died two winters ago"),
        ("best friend", "name", "Noor", "Their best friend is called Noor"),
        (SELF, "told", "I count the stops.", "In their own words"),
        (SELF, "work", "a nurse", "For a living they are a nurse"),
        (SELF, "work", "at the harbour", "For a living they work at the harbour"),
        (SELF, "work", "count the stops", "For a living they count the stops"),
        (SELF, "work", "baker", "Their work: baker"),
    ],
)
def test_a_fact_stands_in_a_prompt_as_a_sentence_and_is_read_back(
    subject: str, relation: str, value: str, sentence: str
) -> None:
    at, text = datetime(2031, 3, 1, tzinfo=UTC), "I count the stops."
    stands = line(Fact(id="1", subject=subject, relation=relation, value=value, text=text, at=at))
    assert stands == f"{sentence} (1 March 2031: “{text}”)"
    assert read_line(stands) == Noticed(subject=subject, relation=relation, value=value, text=text)


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


@pytest.mark.parametrize(
    ("apart", "right"),
    [
        (["I'll hear on Friday.", "No wait, Monday, Friday's free."], ["I'll hear on Monday.", "Friday's free."]),
        (["The boat leaves at ten, no, eleven, from the far pier."], ["The boat leaves at eleven, from the far pier."]),
        (["It is on Tuesday.", "Thursday, sorry."], ["It is on Tuesday.", "Thursday, sorry."]),
        (["On Tuesday; Sunday is free.", "No, Thursday, not Tuesday."], ["On Thursday; Sunday is free.", ""]),
        (["I saw Paul there in May.", "Sorry, Peter."], ["I saw Peter there in May.", ""]),
        (["Room 9.", "They turned four.", "Make that room 19."], ["Room 19.", "They turned four.", ""]),
        (["I have two dogs.", "No, I never said that."], ["I have two dogs.", "No, I never said that."]),
    ],
)  # fmt: skip
def test_a_word_that_is_taken_back_is_not_what_was_told(apart: list[str], right: list[str]) -> None:
    assert mended(apart) == right


async def test_a_word_that_is_taken_back_later_replaces_the_fact_it_stood_in() -> None:
    known = _known(SELF, "told", "I fly on the ninth of May", "I fly on the ninth of May.", 1)
    (news,) = await PatternNoticing().notice("Sorry, the nineteenth.", [known])
    assert (news.text, news.replaces) == ("I fly on the nineteenth of May.", known.id)
