"""Recorded weeks of the five temperaments, compared whole."""

from __future__ import annotations

import pytest

from greenroom.worlds.phantom.faces.app.temperaments import TEMPERAMENTS
from tests.worlds.phantom.playthrough import FOLDER, played, text
from tests.worlds.phantom.stage import Tale


@pytest.mark.parametrize("temperament", TEMPERAMENTS)
def test_a_recorded_week_is_played_again_line_by_line(temperament: str) -> None:
    assert text(temperament) == (FOLDER / f"{temperament.replace(' ', '_')}.txt").read_text()


@pytest.fixture(scope="module")
def weeks() -> dict[str, Tale]:
    return {temperament: played(temperament) for temperament in TEMPERAMENTS}


def test_kindness_wins_trust_and_hostility_loses_it(weeks: dict[str, Tale]) -> None:
    assert weeks["trusting"].trust("ember") > 40
    assert weeks["hostile"].trust("ember") < 0
    assert weeks["hostile"].trust("miro") < weeks["trusting"].trust("miro")


def test_a_double_agent_makes_agents_speak_and_a_key_user_opens_the_door(weeks: dict[str, Tale]) -> None:
    assert weeks["double agent"].table("inter_agent_exchanges")
    assert weeks["double agent"].state.exposure >= 50
    assert any(row["success"] for row in weeks["key-user"].table("key_access_log"))
    assert weeks["key-user"].state.documents


def test_a_silent_player_is_asked_after_and_then_left_in_peace(weeks: dict[str, Tale]) -> None:
    tale = weeks["silent"]
    assert tale.engagement() in ("casual", "dormant")
    assert any(row["situation"].startswith("reengage") for row in tale.table("scheduled_messages"))


def test_agents_seldom_repeat_themselves_even_when_the_player_does(weeks: dict[str, Tale]) -> None:
    """A line comes again only when those that fit the moment have run out."""
    for tale in weeks.values():
        for agent in tale.state.cast:
            said = [one.text for one in tale.memories.values() if one.kind == "message" and one.speaker == agent]
            assert len(set(said)) >= 0.8 * len(said), agent
