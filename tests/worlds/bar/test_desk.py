"""Three evenings on different days, played by hand at the desk: replayed, with every prompt held to what it was."""

from __future__ import annotations

import asyncio

import pytest

from tests.desk import Desk
from tests.worlds.bar.desk import Played, play, read

#: What the guest asks for, and the word without which nobody could answer it.
NEEDED = {
    "And my son's name?": "Bas",
    "Yes. You remember when I go to Senegal?": "In May I'm going to Senegal to look for my father.",
    "And where is he now?": "Saint-Louis",
    "What was I scared of, that first night?": "I'm scared of finding out",
    "One last thing: what can't I eat?": "nuts",
    "What did your daughter study again?": "marine biology",
}


@pytest.fixture(scope="module")
def evenings() -> tuple[Desk, Played]:
    given, desk = read()
    return desk, asyncio.run(play(desk, given))


def test_three_evenings_of_fifteen_messages_are_answered_from_what_is_kept(evenings: tuple[Desk, Played]) -> None:
    desk, played = evenings
    given, _ = read()
    assert [len(evening["said"]) for evening in given] == [15, 15, 15]
    assert not desk.unanswered, "an ask that nobody answered"
    assert set(played.statuses) == {"ok"}, "nobody stood in, and nothing had to be repaired"
    answers = [one["answer"] for evening in given for one in evening["answers"] if one["role"] == "quality"]
    assert [reply["line"] for reply in played.replies] == answers, "no alarm, and no line of the house"


def test_every_prompt_is_the_one_that_was_answered(evenings: tuple[Desk, Played]) -> None:
    desk, _ = evenings
    assert not desk.changed, "\n".join(["a prompt is another than the one that was answered:", *desk.changed[:3]])


@pytest.mark.parametrize(("said", "word"), NEEDED.items())
def test_what_mattered_on_day_one_stands_in_the_prompt_of_day_three(
    said: str, word: str, evenings: tuple[Desk, Played]
) -> None:
    desk, _ = evenings
    sheets = [
        sheet
        for role, sheet in desk.prompts
        if role == "quality" and f"Guest: {said}" in sheet.rpartition("## last")[2]
    ]
    assert any(word in sheet for sheet in sheets)


def test_bart_greets_by_what_he_was_told(evenings: tuple[Desk, Played]) -> None:
    _, played = evenings
    assert "Senegal" in played.greetings[1]
