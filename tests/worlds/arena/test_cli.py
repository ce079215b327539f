"""``greenroom arena`` as people and programs use it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import invoke

NAME = "arena-harbour-2g-7"


def greenroom(home: Path, *args: str, code: int = 0) -> str:
    done = invoke(home, ["arena", *args])
    assert done.exit_code == code, done.stderr[-2000:]
    return done.stdout if code == 0 else done.stderr


def data(home: Path, *args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(greenroom(home, *args, "--json"))
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("arena")
    found = data(folder, "evolve", "--generations", "2")
    assert found["run"] == NAME
    assert found["phase"] == "over"
    return folder


@pytest.mark.sqlite
def test_the_same_command_again_finds_the_run_as_it_ended(home: Path) -> None:
    again = data(home, "evolve", "--generations", "2")
    assert again["speed"]["episodes"] == 0
    assert again["lineage"] == data(home, "lineage")["sum"]


@pytest.mark.sqlite
def test_profiles_stats_and_plots_are_told(home: Path, tmp_path: Path) -> None:
    assert len(data(home, "profiles")["profiles"]) == 7
    assert "margin" in greenroom(home, "stats")
    found = data(home, "stats", NAME, "--plot", str(tmp_path / "scores.svg"))
    assert len(found["points"]) == 4
    assert "<svg" in (tmp_path / "scores.svg").read_text()


@pytest.mark.sqlite
def test_watching_tells_standings_a_scene_with_its_thoughts_and_every_challenger(home: Path) -> None:
    told = greenroom(home, "watch")
    assert told.count("in the chair") == 2
    assert told.count("the talk that went") == 2
    assert told.count(" a pair over ") == 6
    assert "Upper Ness: " in told
    assert told.splitlines()[-1].startswith("over: margin")


@pytest.mark.sqlite
def test_similar_failures_are_found_over_all_runs_and_in_one(home: Path) -> None:
    everywhere = data(home, "similar", "failed tactic in harbour")
    assert everywhere["from"] == "house"
    assert everywhere["found"] == data(home, "similar", "failed tactic in harbour", "--run", NAME)["found"]
    assert "ail" in everywhere["found"][0]["text"]


@pytest.mark.sqlite
def test_tables_are_written_as_csv_and_parquet_says_what_it_needs(home: Path, tmp_path: Path) -> None:
    for table, column in (("episodes", "agent_a_score"), ("action_logs", "public_dialogue"), ("generations", "status")):
        file = tmp_path / f"{table}.csv"
        written = data(home, "export", "--table", table, "--output", str(file))
        rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines(keepends=True)))
        assert len(rows) == written["rows"] > 0
        assert column in rows[0]
    try:
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        assert "pyarrow" in greenroom(home, "export", "--output", str(tmp_path / "e.parquet"), code=2)
    else:
        greenroom(home, "export", "--output", str(tmp_path / "e.parquet"))
        assert parquet.read_table(tmp_path / "e.parquet").num_rows > 0


@pytest.mark.sqlite
def test_an_episode_is_told_with_what_each_side_thought(home: Path) -> None:
    told = greenroom(home, "episode", "--scenario", "border", "--b", "smuggler", "--seed", "3")
    assert "The Sarn crossing" in told
    assert "(" in told
    with_models = data(home, "episode", "--models", "--seed", "4")
    assert with_models["events"][-1]["kind"] == "ended"


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("evolve", "--scenario", "moon"), "there is no scenario moon"),
        (("evolve", "--rule", "luck"), "a run accepts by one of"),
        (("episode", "--a", "nobody"), "there is nobody called nobody"),
        (("lineage", "nowhere"), "nowhere"),
        (("approve", NAME, "3"), "no agent 3 waits"),
        (("export", "--output", "file.txt"), ".csv or .parquet"),
        (("yardstick", "--game", "chess"), "a yardstick is one of"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(home: Path, args: tuple[str, ...], said: str) -> None:
    told = greenroom(home, *args, code=2)
    assert said in told.splitlines()[-1]
    assert "Traceback" not in told
