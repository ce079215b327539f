"""The world against a second, naive implementation of the same page: same decisions, same game; same chances."""

from __future__ import annotations

import random
from math import sqrt
from typing import Any

import pytest

from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.alone import end_of, game_of
from greenroom.worlds.secret_agi.rules.papers import paper_id
from greenroom.worlds.secret_agi.rules.rules import choices
from greenroom.worlds.secret_agi.rules.state import Game, place_of
from tests.counts import SOAK, count, report
from tests.worlds.secret_agi import naive
from tests.worlds.secret_agi.stage import seats

SIZES = (5, 6, 7, 8, 9, 10)
LETTERS = {"Safety": "S", "Accelerationist": "A", "AGI": "G"}


def naive_table(started: e.GameStarted) -> naive.NaiveGame:
    roles = "".join(LETTERS[player.role] for player in started.players)
    deck = [(paper_id(i), capability, safety) for i, (capability, safety) in enumerate(started.deck)]
    director = [player.id for player in started.players].index(started.director)
    return naive.NaiveGame(roles, deck, director)


def naive_move(game: Game, action: c.Action) -> naive.Move:  # noqa: C901  one line for each action
    match action:
        case c.Nominate(target_id=target):
            return "nominate", place_of(game, target)
        case c.VoteTeam(vote=yes) | c.VoteEmergency(vote=yes):
            return "vote", yes
        case c.CallEmergencySafety():
            return ("call",)
        case c.DiscardPaper(paper_id=paper):
            return "discard", paper
        case c.PublishPaper(paper_id=paper):
            return "publish", paper
        case c.DeclareVeto():
            return ("veto",)
        case c.RespondVeto(agree=agree):
            return "answer", agree
        case c.UsePower(target_id=target):
            return "power", place_of(game, target)
        case _:
            raise AssertionError(f"the naive game has no {c.label(action)}")


def action_of(event: e.Attempted) -> c.Action:
    given: dict[str, Any] = {
        "target_id": event.target,
        "vote": event.yes,
        "agree": event.yes,
        "paper_id": event.paper,
        "power_type": event.power,
    }
    kind = c.ACTIONS[event.action]
    return kind(**{name: given[name] for name in kind.__dataclass_fields__})


def assert_same(game: Game, other: naive.NaiveGame) -> None:
    ours = (game.capability, game.safety, game.outcome.winners if game.outcome else None)
    assert ours == (other.C, other.S, other.winner)
    if game.outcome is None:
        ours_too = (game.director, game.failed, game.emergency, len(game.deck) - game.taken)
        assert ours_too == (other.director, other.fails, other.emergency_on, len(other.deck))
        for i in range(len(game.players)):
            assert {naive_move(game, a) for a in choices(game, i)} == set(other.legal(i))


@pytest.mark.parametrize("agent", ["random", "heuristic"])
@pytest.mark.parametrize("players", SIZES)
def test_the_same_decisions_lead_through_the_same_game_to_the_same_end(players: int, agent: str) -> None:
    for seed in range(count(8, soak=300)):
        config = c.GameConfig(player_count=players, seats=seats(*[agent] * players), seed=seed)
        steps = game_of(config, seed=seed)
        before, (started, *_) = next(steps)
        assert isinstance(started, e.GameStarted)
        other = naive_table(started)
        for game, events in steps:
            first = events[0]
            if isinstance(first, e.Attempted):
                other.do(place_of(game, first.seat), naive_move(before, action_of(first)))
            assert_same(game, other)
            before = game
        assert other.winner is not None


@pytest.mark.parametrize("players", SIZES)
def test_safety_wins_as_often_as_in_the_naive_game(players: int) -> None:
    games = count(100, soak=4000)
    config = c.GameConfig(player_count=players)
    ours = sum(_winners(end_of(config, seed=seed)) == "Safety" for seed in range(games)) / games
    naive_games = count(400, soak=4000)
    dice = random.Random(players)
    theirs = sum(naive.play(players, dice).winner == "Safety" for _ in range(naive_games)) / naive_games
    report(f"secret_agi: {players} players, {games} random games: Safety wins {ours:.1%}, naively {theirs:.1%}")
    # Three points are the claim; with few games the width of chance is added.
    room = 0.03 if SOAK else 0.03 + 3 * sqrt(0.25 / games + 0.25 / naive_games)
    assert abs(ours - theirs) <= room
    assert 0.45 <= theirs <= 0.60


def _winners(game: Game) -> str | None:
    assert game.outcome is not None, "a game did not end"
    return game.outcome.winners
