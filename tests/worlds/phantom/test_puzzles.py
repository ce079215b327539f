"""Puzzles: each can be solved from the player's own post and papers, and whoever solves none is told in the end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from greenroom.kernel.codec import filled
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.classify import fits
from greenroom.worlds.phantom.rules.drafting import against_canon
from greenroom.worlds.phantom.rules.sentences import numbers
from greenroom.worlds.phantom.rules.state import PLAYER
from tests.worlds.phantom.stage import START, Tale, classifies, met
from tests.worlds.phantom.trial import CONTENT

DAYS = 14
#: What somebody writes who has read the papers, by puzzle.
FOUND = {
    "names": "By the rule of the circular you are Roan. M. I. Roan, of the night office.",
    "sum": "With the struck line it is 33,100 and without it 29,900, so the difference is three thousand two hundred.",
    "memo": "The memo was written on the Monday, three days before the ferry was lost.",
    "pencil": "The pencil says that Mrs Adeyemi was making jam when she was telephoned.",
    "note": "Nobody lost it. The first key was never fetched.",
    "date": "It was Kessler, counsel's man. It is in the fourth note of the log.",
    "eleventh": "She still had the keys. The eleventh is the registrar, Berrow.",
}


def post(tale: Tale) -> Mapping[str, Any]:
    """What the player sees, and nothing else."""
    body: Mapping[str, Any] = filled(
        tale.world.view(tale.state, PLAYER, tale.at), lambda id: tale.memories[id].text or ""
    )
    return body


def letters(tale: Tale) -> list[tuple[str, str]]:
    """Every letter that has come, oldest first: the channel and the words."""
    mails = [(mail["at"], one["channel"], mail["words"]) for one in post(tale)["threads"] for mail in one["messages"]
             if mail["by"] != "player"]  # fmt: skip
    return [(channel, words) for _, channel, words in sorted(mails)]


def day_by_day(tale: Tale, solves: bool) -> Tale:
    """Two weeks of somebody who reads their post in the morning and in the evening, and answers what is asked."""
    answered: set[str] = set()
    read: set[str] = set()
    for day in range(DAYS):
        for hour in (3, 10):
            tale.until(START + timedelta(days=day, hours=hour))
            came = letters(tale)
            if solves:
                _open(tale, came, read)
            for channel, words in came[-8:]:
                asked = _asked(words)
                if asked is not None and asked not in answered:
                    answered.add(asked)
                    tale.say(FOUND[asked] if solves else "I have no idea, I am sorry.", channel)
                    break
            else:
                if hour == 3 and came and day < 10:
                    tale.say("I believe you. What should I look at next?", came[-1][0])
    return tale.until(START + timedelta(days=DAYS + 1))


def _asked(words: str) -> str | None:
    """Which puzzle a letter puts to its reader."""
    for name in CONTENT.puzzles:
        for agent in CONTENT.agents.values():
            lines = (*agent.lines.get(f"ask_{name}", ()), *agent.lines.get(f"hint_{name}", ()))
            if any(line.text in words for line in lines):
                return name
    return None


def _open(tale: Tale, came: list[tuple[str, str]], read: set[str]) -> None:
    """Go in with the key of the first mail once a letter has said where, and read what has not been read."""
    if not any("/phantom/access/" in words for _, words in came) and not read:
        return
    if not read:
        key = next(line for _, words in came for line in words.split("\n") if line.count("-") == 3 and len(line) == 19)
        tale.do(c.UseKey(key=key))
    for document in list(CONTENT.documents.documents)[: len(read) + 2]:
        if document not in read:
            read.add(document)
            tale.do(c.ReadDocument(document=document))


@pytest.fixture(scope="module")
def solver() -> Tale:
    return day_by_day(Tale(seed=4).start(), solves=True)


@pytest.fixture(scope="module")
def loser() -> Tale:
    return day_by_day(Tale(seed=5).start(), solves=False)


def test_there_are_at_least_six_puzzles_and_each_is_solved_from_papers_that_there_are() -> None:
    assert len(CONTENT.puzzles) >= 6
    for name, puzzle in CONTENT.puzzles.items():
        assert puzzle.papers, name
        assert fits(puzzle.accepts, FOUND[name]), name
        assert not fits(puzzle.accepts, "I have no idea, I am sorry."), name


def test_every_puzzle_is_solved_and_the_story_finished_from_the_inbox_alone(solver: Tale) -> None:
    solved = {name.removesuffix("_solved") for name in solver.state.milestones if name.endswith("_solved")}
    assert solved == set(CONTENT.puzzles)
    assert "story_over" in solver.state.milestones
    assert [one.situation for one in solver.events(e.LetterWritten)].count("ending_forward") == 1
    assert any("Hallam Street" in words for _, words in letters(solver))


def test_the_address_of_the_door_stands_in_every_letter_that_reveals_it(solver: Tale, loser: Tale) -> None:
    for tale in (solver, loser):
        shown = [one for one in tale.events(e.LetterWritten) if one.situation == "reveal_dashboard"]
        assert shown
        assert all("/phantom/access/" in (tale.memories[one.words.id].text or "") for one in shown)


def test_no_letter_gets_a_number_of_the_story_wrong(solver: Tale, loser: Tale) -> None:
    letters = [
        one.text or "" for tale in (solver, loser) for one in tale.memories.values() if one.speaker in tale.state.cast
    ]
    assert len(letters) > 60
    assert [wrong for text in letters if (wrong := against_canon(CONTENT, text)) is not None] == []
    lines = [line.text for agent in CONTENT.agents.values() for group in agent.lines.values() for line in group]
    assert [wrong for text in lines if (wrong := against_canon(CONTENT, text)) is not None] == []


def test_page_three_is_paid_for_by_the_pencil(solver: Tale) -> None:
    order = [told.event for told in solver.told if not isinstance(told.event, e.Planned)]
    solved = next(i for i, one in enumerate(order) if getattr(one, "milestone", "") == "pencil_solved")
    paid = next(i for i, one in enumerate(order) if getattr(one, "situation", "") == "page_three_paid")
    assert solved < paid


def test_whoever_solves_nothing_is_told_and_still_reaches_an_ending(loser: Tale) -> None:
    assert not [name for name in loser.state.milestones if name.endswith("_solved")]
    assert "story_over" in loser.state.milestones
    assert [one.situation for one in loser.events(e.LetterWritten)].count("ending_lost") == 1


def test_a_puzzle_that_nobody_solves_is_helped_with_and_then_given_away() -> None:
    tale = met()
    assert tale.state.key is not None
    tale.do(c.UseKey(key=tale.state.key.value))
    for document in CONTENT.documents.documents:
        tale.do(c.ReadDocument(document=document))
    tale.models = classifies(trust_delta=5)
    for _ in range(6):
        tale.reply("Well.", "sms").after(hours=20)
    written = [one.situation for one in tale.events(e.LetterWritten)]
    for what in ("ask_names", "hint_names", "given_names"):
        assert written.count(what) == 1, what
    assert written.index("ask_names") < written.index("hint_names") < written.index("given_names")


def test_a_near_miss_is_told_from_an_answer() -> None:
    puzzle = CONTENT.puzzles["sum"]
    assert fits(puzzle.near, "I make it 33,100.")
    assert not fits(puzzle.accepts, "I make it 33,100.")
    assert not fits(puzzle.accepts, "Is it 3,200?"), "a question is no answer"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3200", {3200}),
        ("3,200 or 3.200", {3200}),
        ("three thousand two hundred", {3200}),
        ("twenty-nine thousand nine hundred and one", {29901}),
        ("ninety-four stairs, 5 papers", {94, 5}),
        ("none", set()),
    ],
)
def test_numbers_are_read_however_they_are_written(text: str, found: set[int]) -> None:
    assert numbers(text) == found
