"""A game of five with two models, played by hand: each answer was written from its prompt alone."""

from __future__ import annotations

import asyncio
import re

import pytest

from greenroom.worlds.secret_agi.rules.state import Game
from tests.desk import Desk
from tests.worlds.secret_agi.desk import ROLES, Played, play, read


@pytest.fixture(scope="module")
def played() -> tuple[Desk, Played]:
    script, desk = read()
    return desk, asyncio.run(play(desk, script))


def test_a_game_with_two_models_is_played_to_its_end_from_what_is_kept(played: tuple[Desk, Played]) -> None:
    desk, ended = played
    assert not desk.unanswered, "an ask that nobody answered"
    assert len(desk.prompts) == sum(map(len, desk.kept.values())), "no answer had to be given a second time"
    assert set(ended.statuses) == {"ok"}, "nobody stood in"
    game: Game = ended.game
    assert game.outcome is not None
    assert game.outcome.winners


def test_every_prompt_is_the_one_that_was_answered(played: tuple[Desk, Played]) -> None:
    desk, _ = played
    assert not desk.changed, "\n".join(["a prompt is another than the one that was answered:", *desk.changed[:3]])


def test_each_model_reads_its_own_notes_and_nobody_else_s(played: tuple[Desk, Played]) -> None:
    desk, _ = played
    notes = {role: [one["answer"].get("notes", "") for one in desk.kept[role]] for role in ROLES}
    for role, other in zip(ROLES, reversed(ROLES), strict=True):
        sheets = [sheet for asked, sheet in desk.prompts if asked == role]
        assert any(note and note in sheet for note in notes[role] for sheet in sheets)
        assert not any(note and note in sheet for note in notes[other] for sheet in sheets)


def test_only_the_insider_s_prompts_say_who_is_who(played: tuple[Desk, Played]) -> None:
    desk, ended = played
    insiders = {player.id for player in ended.game.players if player.role != "Safety"}
    for _, sheet in desk.prompts:
        you = re.search(r"You are (\w+)\. Your role is", sheet)
        assert you is not None
        assert ("is Accelerationist" in sheet) == (you[1] in insiders)
