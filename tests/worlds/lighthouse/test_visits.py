"""Two visits on different days, played by hand at the desk: replayed, with every prompt held to what it was."""

from __future__ import annotations

import asyncio

import pytest

from tests.desk import Desk
from tests.worlds.lighthouse.desk import PAGE, Played, play, read, shown

#: What the visitor asks for, and the word without which nobody could answer it.
NEEDED = {
    "What's my daughter called, do you remember?": "Inés",
    "Do you remember my name?": "Jonah Reyes",
    "And what can't I eat?": "honey",
    "What did I want to do before, when I was here last?": "Porto",
    "Did you know my uncle Teo?": "missed her by a day",
    "Do you know what I drive?": "night bus",
    "What will you do when the electric lamp comes?": "sixty-five",
    "Inés asks whether she may come out and wind the weights.": "daughter",
}


@pytest.fixture(scope="module")
def visits() -> tuple[Desk, Played]:
    given, desk = read()
    return desk, asyncio.run(play(desk, given))


def test_two_visits_of_fifteen_messages_or_more_are_answered_from_what_is_kept(visits: tuple[Desk, Played]) -> None:
    desk, played = visits
    given, _ = read()
    assert [len(visit["said"]) >= 15 for visit in given] == [True, True]
    assert not desk.unanswered, "an ask that nobody answered"
    assert set(played.statuses) == {"ok"}, "nobody stood in, and nothing had to be repaired"
    assert len(desk.prompts) == sum(len(visit["answers"]) for visit in given)


def test_every_prompt_is_the_one_that_was_answered(visits: tuple[Desk, Played]) -> None:
    desk, _ = visits
    assert not desk.changed, "\n".join(["a prompt is another than the one that was answered:", *desk.changed[:3]])


@pytest.mark.parametrize(("said", "word"), NEEDED.items())
def test_what_the_visitor_said_and_matters_stands_in_the_prompt_that_needs_it(
    said: str, word: str, visits: tuple[Desk, Played]
) -> None:
    desk, _ = visits
    (prompt,) = [sheet for _, sheet in desk.prompts if sheet.rpartition("] ")[2].startswith(said)]
    assert word in prompt


def test_the_secret_is_in_no_prompt_before_its_moment_and_is_told_in_her_own_words(
    visits: tuple[Desk, Played],
) -> None:
    desk, played = visits
    telling = [i for i, (_, sheet) in enumerate(desk.prompts) if "This is the moment." in sheet]
    assert len(telling) == 1
    assert not any("nine minutes dark" in sheet for _, sheet in desk.prompts[: telling[0]])
    (told,) = [reply for reply in played.replies if reply.get("told")]
    assert "nine minutes" in told["line"]
    assert "secret" not in told


def test_the_page_in_the_documentation_shows_the_second_visit_as_it_is(visits: tuple[Desk, Played]) -> None:
    desk, played = visits
    page = PAGE.read_text(encoding="utf-8")
    assert page == shown(page, [sheet for role, sheet in desk.prompts if role == "quality"]), (
        "python -m tests.worlds.lighthouse.desk --keep"
    )
    for reply in played.replies:
        if reply["visit"] == 2:
            assert reply["said"] in page
            assert reply["line"] in page
