"""Leagues, ratings, and the document's own queries on its own indexes."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from greenroom.journal.records import Entry
from greenroom.kernel.chance import Chance
from greenroom.worlds.secret_agi.faces.app.ratings import contest_of, ratings
from greenroom.worlds.secret_agi.faces.app.stats import model_of, named
from tests.commands import call
from tests.houses import HOUSES


def greenroom(home: Path, *args: str) -> Any:
    out = io.StringIO()
    with HOUSES.at(home), redirect_stdout(out):
        assert call([*args, "--home", str(home), "--json"]) == 0, out.getvalue()
    return json.loads(out.getvalue())


def test_ratings_find_who_is_stronger_and_by_how_much() -> None:
    """Two agents whose true difference is 1.5 on the scale of log odds."""
    dice, contests = Chance("ratings"), []
    for k in range(600):
        strong_safety = k % 2 == 0
        cast = [("strong" if strong_safety else "weak", "Safety")] * 3
        cast += [("weak" if strong_safety else "strong", "AGI")] * 2
        won = dice.below(1000) < 818
        contests.append(contest_of("Safety" if won == strong_safety else "Acceleration", cast))
    found = ratings(contests)
    ahead = found["strong as Safety"]["rating"] - found["weak as AGI"]["rating"]
    assert ahead == pytest.approx(1.5, abs=0.35)
    assert found["strong as Safety"]["low"] > found["weak as Safety"]["high"]


def test_a_league_is_played_once_and_taken_up_again(tmp_path: Path) -> None:
    size = ("--games", "2", "--seed", "3")
    first = greenroom(tmp_path, "agi", "league", "strong,random,heuristic", *size)
    assert greenroom(tmp_path, "agi", "league", "strong,random,heuristic", *size) == first
    assert len(first["matches"]) == 6
    assert sum(first["points"].values()) == 12
    assert {name.rpartition(" as ")[2] for name in first["ratings"]} == {"Safety", "Accelerationist", "AGI"}
    swiss = greenroom(tmp_path, "agi", "league", "strong,random,heuristic,weak", "--swiss", "1", *size)
    assert len(swiss["matches"]) == 4
    found = greenroom(tmp_path, "agi", "stats")
    assert found["ratings"]
    assert sum(found["endings"].values()) == found["games"]


def test_a_seat_that_no_model_answered_for_is_an_understudy() -> None:
    account = json.dumps({"seat": "player_1"}).encode()
    entries = [Entry(n=1, role="quality", model="understudy", at=0, account=account)]
    rows = [{"player_id": "player_1", "agent_type": "LLMPlayer"}, {"player_id": "player_2", "agent_type": "LLMPlayer"}]
    assert [row["agent_type"] for row in named(rows, entries)] == ["understudy", "understudy"]
    assert model_of({"openai:large"}) == "LLMPlayer openai:large"
    assert model_of({"openai:large", "understudy"}) == "understudy"


#: The document's example queries, and the columns whose index they use.
QUERIES = {
    "SELECT * FROM agi_game_states WHERE game_id = 'x' AND turn_number = 7": "ix_agi_game_states_game_id_turn_number",
    "SELECT * FROM agi_game_states WHERE game_id = 'x' ORDER BY turn_number DESC LIMIT 1": (
        "ix_agi_game_states_game_id_turn_number"
    ),
    "SELECT * FROM agi_actions WHERE game_id = 'x' AND is_valid IS NULL": "ix_agi_actions_game_id_is_valid",
    "SELECT * FROM agi_actions WHERE game_id = 'x' AND player_id = 'p'": "ix_agi_actions_game_id_player_id",
    "SELECT * FROM agi_actions WHERE game_id = 'x' ORDER BY turn_number": "ix_agi_actions_game_id_turn_number",
    "SELECT * FROM agi_events WHERE game_id = 'x' AND event_type = 'game_ended'": "ix_agi_events_game_id_event_type",
    "SELECT * FROM agi_players WHERE game_id = 'x' AND player_id = 'p'": "ix_agi_players_game_id_player_id",
    "SELECT player_id, avg(response_time_ms), sum(invalid_attempts) FROM agi_agent_metrics WHERE game_id = 'x' "
    "GROUP BY player_id": "ix_agi_agent_metrics_game_id_player_id",
}


@pytest.mark.sqlite
def test_the_document_s_queries_use_indexes_on_its_columns(tmp_path: Path) -> None:
    greenroom(tmp_path, "agi", "play", "--games", "1")
    (file,) = tmp_path.glob("*.db")
    with sqlite3.connect(file) as house:
        for query, index in QUERIES.items():
            plan = " ".join(row[3] for row in house.execute(f"EXPLAIN QUERY PLAN {query}"))
            assert index in plan, f"{query}: {plan}"


def test_the_export_has_every_state_and_the_words(tmp_path: Path) -> None:
    played = greenroom(tmp_path, "agi", "play", "--games", "1", "--agents", "weak", "--talk", "1")
    file = tmp_path / "games.jsonl"
    greenroom(tmp_path, "agi", "export", "--output", str(file))
    game = json.loads(file.read_text())
    assert len(game["game_states"]) == played["games"][0]["turns"] + 1
    assert all(row["state_data"]["players"] for row in game["game_states"])
    assert all(isinstance(row["message"], str) and " " in row["message"] for row in game["chat_messages"])
