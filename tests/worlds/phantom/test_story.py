"""A story of six days whose letters were written by hand at the desk, replayed with every prompt as it was."""

from __future__ import annotations

import asyncio

import pytest

from tests.desk import Desk
from tests.worlds.phantom.desk import Played, play, read

#: What the player writes, and what of the canon or of themselves nobody could answer it without.
NEEDED = {
    "How many stairs is it down to your desk?": "ninety-four stairs",
    "What happens on Thursday?": "Nothing will happen on Thursday",
    "Do you know anybody called Miro?": "You know nobody called Miro.",
    "I am on your side. Where does the key fit?": "/phantom/access/",
    "I went in. I read the account. You signed seven times.": "0192, 0203, 0266, 0311, 0340, 0352 and 0417",
    "By the rule of the circular you are Roan.": "M. I. Roan",
    "What is my sister called, do you remember?": "Their sister is called Lotte",
    "The memo was written three days before the ferry was lost.": "a list of ten box numbers",
    "It's taken care of.": "whether they have really deleted the mail with the key: ask them",
    "Nothing happened on Thursday, did it?": "Kessler, from counsel",
    "What is on page three?": "Edith M. Berrow, Keys",
    "What will you do now, Edith?": "Edith M. Berrow",
}


@pytest.fixture(scope="module")
def story() -> tuple[Desk, Played]:
    script, desk = read()
    return desk, asyncio.run(play(desk, script))


def test_a_story_of_five_days_and_twenty_five_letters_is_answered_from_what_is_kept(
    story: tuple[Desk, Played],
) -> None:
    desk, played = story
    assert not desk.unanswered, "a letter that nobody wrote"
    assert len(desk.prompts) == len(desk.kept["quality"]) >= 25, "no letter had to be written a second time"
    assert played.days >= 5
    assert set(played.statuses) == {"ok"}, "nobody stood in"


def test_every_prompt_is_the_one_that_was_answered(story: tuple[Desk, Played]) -> None:
    desk, _ = story
    assert not desk.changed, "\n".join(["a prompt is another than the one that was answered:", *desk.changed[:3]])


@pytest.mark.parametrize(("said", "word"), NEEDED.items())
def test_every_prompt_holds_the_canon_that_its_letter_needed(said: str, word: str, story: tuple[Desk, Played]) -> None:
    desk, _ = story
    prompt = next(sheet for _, sheet in desk.prompts if said in sheet.partition("## last")[2])
    assert word in prompt


def test_no_prompt_holds_what_may_not_be_told_yet(story: tuple[Desk, Played]) -> None:
    desk, _ = story
    turned = next(i for i, (_, sheet) in enumerate(desk.prompts) if "The key has been turned" in sheet)
    early = [sheet for _, sheet in desk.prompts[:turned] if "Registrar of Keys at the Saltmere" in sheet]
    assert early
    assert not any("shown to you at once on your private telephone" in sheet for sheet in early)
    assert not any("The eleventh has no number" in sheet for _, sheet in desk.prompts[:turned])
