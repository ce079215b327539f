"""``greenroom agi`` as a person or a program calls it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.commands import call
from tests.conftest import NewHome
from tests.counts import count, report
from tests.houses import HOUSES

#: Of a tournament.
GAMES = count(8, soak=1000)
PROGRAM = [sys.executable, "-m", "greenroom.entrypoints.cli"]


def greenroom(home: Path, *args: str) -> Any:
    out = io.StringIO()
    with HOUSES.at(home), redirect_stdout(out):
        code = call([*args, "--home", str(home), "--json"])
    assert code == 0, out.getvalue()
    return json.loads(out.getvalue())


def refused(home: Path, *args: str) -> bool:
    """Whether a command ends with an error that is the caller's."""
    with HOUSES.at(home), redirect_stdout(io.StringIO()):
        return call([*args, "--home", str(home), "--json"]) not in (0, None)


def play(home: Path, games: int, processes: int = 1, *more: str) -> Any:
    size = ("--players", "7", "--seed", "1", "--processes", str(processes))
    return greenroom(home, "agi", "play", "--games", str(games), *size, *more)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house in which a tournament was played."""
    home = tmp_path_factory.mktemp("agi")
    play(home, GAMES)
    return home


def test_a_tournament_gives_the_same_results_twice_and_with_any_number_of_processes(
    house: Path, tmp_path: Path
) -> None:
    games = GAMES
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


def test_every_game_of_a_tournament_ends_exactly_once(house: Path) -> None:
    ends = HOUSES.execute(
        house,
        "SELECT game_id, sum(CASE WHEN event_type = 'game_ended' THEN 1 ELSE 0 END) FROM agi_events "
        "WHERE game_id LIKE 'agi-1-7p-random-0%' GROUP BY game_id",
    )
    assert len(ends) == GAMES
    assert {times for _, times in ends} == {1}


def test_a_game_can_be_replayed_watched_branched_counted_and_exported(house: Path, tmp_path: Path) -> None:
    game = "agi-1-7p-random-00001"
    told = greenroom(house, "agi", "replay", game, "--seat", "player_1")["events"]
    assert told[0]["kind"] == "game_started"
    assert told[-1]["kind"] == "game_ended"
    assert greenroom(house, "agi", "watch", game, "--seat", "player_1")["events"] == told
    made = greenroom(house, "agi", "branch", game, "--at", "10", "--agents", "heuristic/random")
    assert made["outcome"]["winners"] in ("Safety", "Acceleration")
    assert made["at"] == 10
    assert greenroom(house, "agi", "stats")["games"] == GAMES + 1
    assert greenroom(house, "agi", "resume") == {"resumed": [], "open": []}
    file = tmp_path / "games.jsonl"
    assert greenroom(house, "agi", "export", game, "--output", str(file))["games"] == 1
    exported = json.loads(file.read_text())
    assert exported["game"]["final_outcome"]["turns"] == exported["actions"][-1]["turn_number"]


@pytest.mark.parametrize(("name", "begins"), [("wins.png", b"\x89PNG"), ("wins.svg", b"<svg")])
def test_statistics_are_drawn_into_a_file(house: Path, tmp_path: Path, name: str, begins: bytes) -> None:
    found = greenroom(house, "agi", "stats", "--plot", str(tmp_path / name))
    assert (tmp_path / name).read_bytes().startswith(begins)
    assert found["by_role"].keys() == {"AGI", "Accelerationist", "Safety"}
    assert found["by_agent"]["RandomPlayer"]["of"] >= 7 * GAMES
    assert found["decisions_per_second"]["RandomPlayer"] > 0
    assert found["invalid_action_rate"] == 0


def test_a_plot_of_another_kind_is_refused(house: Path, tmp_path: Path) -> None:
    with HOUSES.at(house), redirect_stdout(io.StringIO()) as out:
        args = ["agi", "stats", "--plot", str(tmp_path / "wins.gif"), "--home", str(house), "--json"]
        assert call(args) == 2
    assert ".png or .svg" in json.loads(out.getvalue())["error"]["message"]
    assert not (tmp_path / "wins.gif").exists()


def killed(home: Path, *args: str, after: float) -> bool:
    """Let a tournament play, and kill it so long after it said that it is ready; whether it was still playing."""
    with HOUSES.at(home):
        process = subprocess.Popen(
            [*PROGRAM, "agi", "play", *args, "--home", str(home), "--json"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert process.stderr is not None
    with process.stderr:
        while (line := process.stderr.readline()) and "ready" not in line:
            pass
        assert line, "the tournament ended before it was ready"
        with suppress(subprocess.TimeoutExpired):
            process.wait(after)
        playing = process.poll() is None
        process.kill()
        process.wait()
    return playing


def test_a_tournament_killed_again_and_again_comes_to_the_same_results(tmp_path: Path, new_home: NewHome) -> None:
    games, kills, pause = count(2, soak=200), count(2, soak=60), count(250, soak=1000) / 1000
    # Answers are stored one by one, and there is more to play than so many lives are long.
    slow = ("--players", "8", "--agents", "model,heuristic,random", "--talk", "1")
    undisturbed = play(new_home(tmp_path / "calm"), games, 1, *slow)
    home = new_home(tmp_path / "storm")
    size = ("--games", str(games), "--seed", "1", *slow)
    playing = sum(killed(home, *size, after=pause) for _ in range(kills))
    assert playing
    assert play(home, games, 1, *slow)["games"] == undisturbed["games"]
    assert greenroom(home, "db", "check")["problems"] == []
    report(f"secret_agi: {games} games, killed {kills} times ({playing} of them while playing): the same results")


def test_what_cannot_be_played_is_refused_with_a_reason(tmp_path: Path) -> None:
    for args in (("--agents", "human"), ("--agents", "parrot"), ("--players", "4")):
        with HOUSES.at(tmp_path), redirect_stdout(io.StringIO()) as out:
            code = call(["agi", "play", *args, "--home", str(tmp_path), "--json"])
        assert code == 2
        assert json.loads(out.getvalue())["error"]["message"]


def test_a_person_plays_at_the_terminal_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("look\nrules\nguide\n" + "1\nI agree.\n" * 400))
    ended = greenroom(tmp_path, "agi", "human", "--agents", "heuristic", "--seed", "3", "--talk", "1")
    assert ended["outcome"]["winners"] in ("Safety", "Acceleration")


def test_a_person_may_leave_the_table_and_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("I agree.\nquit\n"))
    left = greenroom(tmp_path, "agi", "human", "--players", "6", "--seed", "4")
    assert left["outcome"] is None
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nI agree.\n" * 400))
    assert greenroom(tmp_path, "agi", "human", "--game", left["game"])["outcome"] is not None


def test_the_game_goes_on_without_whoever_stands_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("stand\n"))
    ended = greenroom(tmp_path, "agi", "human", "--seed", "4", "--talk", "0")
    assert ended["outcome"] is not None


def test_a_misspelt_seat_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    game = greenroom(tmp_path, "agi", "human", "--seed", "4")["game"]
    for command in ("replay", "watch"):
        assert refused(tmp_path, "agi", command, game, "--seat", "player_11")
    assert refused(tmp_path, "agi", "human", "--game", game, "--seat", "player_2")


def test_other_dice_keep_the_agents(tmp_path: Path) -> None:
    greenroom(tmp_path, "agi", "play", "--games", "1", "--agents", "strong")
    made = greenroom(tmp_path, "agi", "branch", "agi-0-5p-strong-00001", "--at", "20", "--seed", "9", "--name", "b")
    assert made["outcome"] is not None
    found = greenroom(tmp_path, "agi", "stats")
    assert set(found["by_agent"]) == {"StrongPlayer"}
