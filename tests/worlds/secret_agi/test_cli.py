"""``greenroom agi`` as a person or a program calls it."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from greenroom.entrypoints.cli import app
from tests.counts import count, report

PROGRAM = [sys.executable, "-c", "from greenroom.entrypoints.cli import main; main()"]


def greenroom(home: Path, *args: str) -> Any:
    """Run a command in this process: a new one would spend most of its time on imports."""
    out = io.StringIO()
    with redirect_stdout(out):
        code = get_command(app).main([*args, "--home", str(home), "--json"], standalone_mode=False)
    assert code == 0, out.getvalue()
    return json.loads(out.getvalue())


def play(home: Path, games: int, processes: int = 1, *more: str) -> Any:
    size = ("--players", "7", "--seed", "1", "--processes", str(processes))
    return greenroom(home, "agi", "play", "--games", str(games), *size, *more)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house in which a tournament was played."""
    home = tmp_path_factory.mktemp("agi")
    play(home, count(40, soak=1000))
    return home


def test_a_tournament_gives_the_same_results_twice_and_with_any_number_of_processes(
    house: Path, tmp_path: Path
) -> None:
    games = count(40, soak=1000)
    first, again, divided = play(house, games), play(house, games), play(tmp_path, games, 2)
    for other in (again, divided):
        assert (other["results"], other["games"]) == (first["results"], first["games"])
    assert first["results"]["completed"] == games
    low, high = first["results"]["safety"]["low"], first["results"]["safety"]["high"]
    assert low < 0.53 < high or games > 100
    report(
        f"secret_agi: {games} games of 7: Safety {first['results']['safety']['share']:.1%} [{low:.1%}, {high:.1%}]; "
        f"two processes kept {divided['speed']['actions_per_second']:.0f} actions/s, "
        f"rules alone {first['speed']['pure']['games_per_second']:.0f} games/s"
    )


def test_every_game_of_a_tournament_verifies(house: Path) -> None:
    checked = greenroom(house, "db", "check")
    assert checked["problems"] == []


def test_a_game_can_be_replayed_watched_branched_counted_and_exported(house: Path, tmp_path: Path) -> None:
    game = "agi-1-7p-random-00001"
    told = greenroom(house, "agi", "replay", game, "--seat", "player_1")["events"]
    assert told[0]["kind"] == "game_started"
    assert told[-1]["kind"] == "game_ended"
    assert greenroom(house, "agi", "watch", game, "--seat", "player_1")["events"] == told
    made = greenroom(house, "agi", "branch", game, "--at", "10", "--agents", "heuristic/random")
    assert made["outcome"]["winners"] in ("Safety", "Acceleration")
    assert made["at"] == 10
    assert greenroom(house, "agi", "stats")["games"] == count(40, soak=1000) + 1
    assert greenroom(house, "agi", "resume") == {"resumed": []}
    file = tmp_path / "games.jsonl"
    assert greenroom(house, "agi", "export", game, "--output", str(file))["games"] == 1
    exported = json.loads(file.read_text())
    assert exported["game"]["final_outcome"]["turns"] == exported["actions"][-1]["turn_number"]


def test_a_tournament_killed_again_and_again_comes_to_the_same_results(tmp_path: Path) -> None:
    games, kills = count(24, soak=200), count(3, soak=60)
    undisturbed = play(tmp_path / "calm", games)
    home = tmp_path / "storm"
    size = ("--games", str(games), "--players", "7", "--seed", "1", "--home", str(home), "--json")
    for k in range(kills):
        process = subprocess.Popen(
            [*PROGRAM, "agi", "play", *size], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(1.0 + 0.1 * (k % 7))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert play(home, games)["games"] == undisturbed["games"]
    assert greenroom(home, "db", "check")["problems"] == []
    report(f"secret_agi: {games} games killed {kills} times came to the same results")


def test_what_cannot_be_played_is_refused_with_a_reason(tmp_path: Path) -> None:
    for args in (("--agents", "human"), ("--agents", "parrot"), ("--players", "4")):
        with redirect_stdout(io.StringIO()) as out:
            code = get_command(app).main(
                ["agi", "play", *args, "--home", str(tmp_path), "--json"], standalone_mode=False
            )
        assert code == 2
        assert json.loads(out.getvalue())["error"]["message"]


def test_a_person_plays_at_the_terminal_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("look\n" + "1\n" * 400))
    ended = greenroom(tmp_path, "agi", "human", "--agents", "heuristic", "--seed", "3", "--talk", "1")
    assert ended["outcome"]["winners"] in ("Safety", "Acceleration")


def test_a_person_may_leave_the_table_and_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nquit\n"))
    left = greenroom(tmp_path, "agi", "human", "--players", "6", "--seed", "4")
    assert left["outcome"] is None
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 400))
    assert greenroom(tmp_path, "agi", "human", "--game", left["game"])["outcome"] is not None
