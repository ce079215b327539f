"""Many games among players who deduce: what they come to, and who beats whom. The asked counts run under soak."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.papers import LARGE, LARGE_ONLY, POWERS, RULE_SETS
from tests.counts import SOAK, count, report
from tests.worlds.secret_agi import clairvoyant
from tests.worlds.secret_agi.stage import game_of, seats

SIZES = (5, 7, 10)
#: Endings by what they need: the classic deck runs out, the long one never does, and only large tables eliminate.
ENDINGS = {
    "the AGI was elected Engineer",
    "Capability reached 15 with Safety below 10",
    "Capability ran 6 ahead of Safety",
    "Capability is exactly 10 and Safety keeps up",
    "Safety reached 15",
}
RAN_OUT = {"the papers ran out with Capability ahead", "the papers ran out with Safety level or ahead"}
ELIMINATED = {"the AGI was eliminated"}
#: What the rules allow (test_endings) and good players hardly let happen: counted and reported, not asked for.
RARE = {"Capability reached 15 with Safety below 10"}


def played(players: int, rules: str, safety: str, acceleration: str, seed: int) -> Counter[str]:
    """What happened in one game, counted."""
    cast = seats(*["BySide"] * players, safety=safety, acceleration=acceleration)
    talk = c.Discussion(on=True, K=1)
    config = c.GameConfig(player_count=players, seats=cast, seed=seed, rules=rules, discussion=talk)
    found: Counter[str] = Counter()
    for _, events in game_of(config, seed=seed):
        for event in events:
            _count(found, event)
    return found


def _count(found: Counter[str], event: e.Event) -> None:
    match event:
        case e.VoteCompleted(vote="team", ballots=ballots):
            found["votes"] += 1
            found["unanimous"] += len(set(ballots.values())) == 1
        case e.Attempted(action="nominate"):
            found["nominations"] += 1
            found["alone"] += event.target == event.seat
        case e.PowerTriggered(power=power):
            found[power] += 1
        case e.GameEnded(winners=winners, reason=reason):
            found["Safety"] += winners == "Safety"
            found[reason] += 1
        case _:
            pass


def many(players: int, rules: str, safety: str, acceleration: str, games: int) -> Counter[str]:
    return sum((played(players, rules, safety, acceleration, seed) for seed in range(games)), Counter())


def interval(won: int, n: int) -> tuple[float, float]:
    """Wilson's, 95 %."""
    z, p = 1.96, won / n
    middle, width = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - width) / (1 + z * z / n), (middle + width) / (1 + z * z / n)


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("players", SIZES)
def test_strong_players_play_an_even_and_varied_game(players: int, rules: str) -> None:
    games = count(2, soak=1000)
    found = many(players, rules, "strong", "strong", games)
    endings = ENDINGS | (RAN_OUT if rules == "classic" else set()) | (ELIMINATED if players >= LARGE else set())
    powers = {power for t, power in POWERS.items() if players >= LARGE or t not in LARGE_ONLY}
    shares = ", ".join(f"{name} {found[name] / games:.1%}" for name in sorted(endings | powers))
    alone, unanimous = found["alone"] / found["nominations"], found["unanimous"] / found["votes"]
    report(
        f"secret_agi: {players} players, {rules}, {games} games: Safety {found['Safety'] / games:.1%}, of themselves "
        f"{alone:.1%}, unanimous {unanimous:.1%}; {shares}"
    )
    assert alone <= (0.15 if SOAK else 0.4)
    assert unanimous <= (0.30 if SOAK else 0.5)
    if SOAK:
        assert 0.4 <= found["Safety"] / games <= 0.6
        rare = RARE | ({"Safety reached 15"} if rules == "classic" else set())
        assert all(found[name] for name in (endings | powers) - rare)


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("players", SIZES if SOAK else (5,))
def test_the_stronger_player_wins_more_as_either_side(players: int, rules: str) -> None:
    games = count(3, soak=1000)
    for better, worse in (("strong", "middle"), ("middle", "weak")):
        safety = many(players, rules, better, worse, games)["Safety"]
        acceleration = many(players, rules, worse, better, games)["Safety"]
        report(
            f"secret_agi: {players} players, {rules}, {games} games: {better} wins {safety / games:.1%} as Safety and "
            f"{1 - acceleration / games:.1%} as Acceleration against {worse}"
        )
        if SOAK:
            assert interval(safety, games)[0] > interval(acceleration, games)[1]


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("players", SIZES if SOAK else (5,))
def test_strong_players_do_better_against_the_heuristic_than_it_does_itself(players: int, rules: str) -> None:
    """Most small classic games against it cannot be won by Acceleration (decision 0058): like is compared with like."""
    games = count(3, soak=1000)
    searched = count(1, soak=60) if (players, rules) == (5, "classic") else 0
    safety = many(players, rules, "strong", "heuristic", games)["Safety"]
    among_themselves = many(players, rules, "heuristic", "heuristic", games)["Safety"]
    acceleration = games - many(players, rules, "heuristic", "strong", games)["Safety"]
    winnable = sum(clairvoyant.winnable(players, rules, seed) for seed in range(searched))
    report(
        f"secret_agi: {players} players, {rules}, {games} games: strong wins {safety / games:.1%} as Safety against "
        f"heuristic; as Acceleration {acceleration / games:.1%}, where heuristic wins "
        f"{1 - among_themselves / games:.1%} and {winnable} of {searched} games could be won by whoever sees everything"
    )
    if SOAK:
        assert safety / games >= 0.6
        assert interval(acceleration, games)[1] >= 1 - among_themselves / games
        assert winnable <= 0.45 * searched
