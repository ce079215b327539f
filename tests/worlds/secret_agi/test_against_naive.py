"""The world against a second, naive implementation of the same page: same decisions, same game; same chances."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt
from typing import Any

import pytest

from greenroom.kernel.words import Words
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.claims import Assertion
from greenroom.worlds.secret_agi.rules.papers import RULE_SETS, paper_id
from greenroom.worlds.secret_agi.rules.rules import choices
from greenroom.worlds.secret_agi.rules.state import NOBODY, Game, place_of
from tests.counts import SOAK, count, report
from tests.worlds.secret_agi import naive
from tests.worlds.secret_agi.stage import end_of, game_of, seats

SIZES = (5, 6, 7, 8, 9, 10)
LETTERS = {"Safety": "S", "Accelerationist": "A", "AGI": "G"}


def naive_table(started: e.GameStarted) -> naive.NaiveGame:
    roles = "".join(LETTERS[player.role] for player in started.players)
    deck = [(paper_id(i), capability, safety) for i, (capability, safety) in enumerate(started.deck)]
    director = [player.id for player in started.players].index(started.director)
    return naive.NaiveGame(roles, deck, director, started.talks, started.rules == "long")


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
        case c.SendChatMessage():
            return ("say",)
        case c.AskDirectly(target_id=target):
            return "ask", place_of(game, target)
        case c.Observe():
            return ("silence",)
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
    if event.action == "send_chat_message":
        return c.SendChatMessage(text=Words("…"))
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


def claim_of(game: Game, claim: Assertion | None) -> dict[str, Any] | None:
    """A claim in the naive game's plain words."""
    if claim is None:
        return None
    target = place_of(game, claim.target or "")
    return {
        "kind": claim.kind,
        "target": None if target == NOBODY else target,
        "side": claim.side,
        "round": claim.round,
        "papers": list(claim.papers),
        "passed": list(claim.passed),
        "agi": claim.about == "role" and claim.side == "Acceleration",
    }


def follow(before: Game, events: Sequence[e.Event], other: naive.NaiveGame) -> None:
    """Do in the naive game what was done in ours; what chance shuffled is told, what is a lie is compared."""
    first = events[0]
    if not isinstance(first, e.Attempted):
        return
    for event in events:
        if isinstance(event, e.PapersReturned):
            other.shuffled = list(event.papers)
    move = naive_move(before, action_of(first))
    said = next((event for event in events if isinstance(event, e.ChatMessage)), None)
    if said is not None:
        move = ("say", claim_of(before, said.claim))
    other.lied = False
    other.do(place_of(before, first.seat), move)
    assert said is None or said.lie == other.lied
    asked = [event for event in events if isinstance(event, e.AnsweredDirectly)]
    assert all(event.is_agi == (other.roles[place_of(before, event.target)] == "G") for event in asked)


def play_both(config: c.GameConfig, seed: int) -> naive.NaiveGame:
    steps = game_of(config, seed=seed)
    before, (started, *_) = next(steps)
    assert isinstance(started, e.GameStarted)
    other = naive_table(started)
    for game, events in steps:
        follow(before, events, other)
        assert_same(game, other)
        before = game
    assert other.winner is not None
    return other


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("agent", ["random", "heuristic"])
@pytest.mark.parametrize("players", SIZES)
def test_the_same_decisions_lead_through_the_same_game_to_the_same_end(players: int, agent: str, rules: str) -> None:
    for seed in range(count(5, soak=300)):
        talk = c.Discussion(on=seed % 2 == 1, K=1)
        config = c.GameConfig(
            player_count=players, seats=seats(*[agent] * players), seed=seed, rules=rules, discussion=talk
        )
        play_both(config, seed)


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("players", [5, 7, 10])
def test_what_players_who_deduce_claim_and_ask_is_the_same_in_both_games(players: int, rules: str) -> None:
    for seed in range(count(2, soak=100)):
        cast = seats(*(["strong", "middle", "weak"] * 4)[:players])
        talk = c.Discussion(on=True, K=2)
        config = c.GameConfig(player_count=players, seats=cast, seed=seed, rules=rules, discussion=talk)
        play_both(config, seed)


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
