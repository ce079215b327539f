"""Secret AGI in PettingZoo: its own tests, whole games, and no secret in an observation."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="Secret AGI as a PettingZoo environment: run 'make interop'")

import numpy as np
from msgspec.structs import replace
from pettingzoo.test import api_test, seed_test

from greenroom.integrations.pettingzoo import SecretAgiEnv, env, raw_env
from greenroom.integrations.pettingzoo.secret_agi import CALL, NO, PAPER, PASS, TARGET, YES
from greenroom.kernel.errors import Refused
from tests.counts import count

SIZES = range(5, 11)
#: What PettingZoo says of every environment with a mask that is not in its own list of such.
LISTED = (
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)


def played(table: Any, seed: int, *, upto: int = 10_000) -> int:
    """Play at random to the end, or so far; how many actions that took."""
    table.reset(seed=seed)
    chance = np.random.default_rng(seed)
    for step, agent in enumerate(table.agent_iter()):
        seen, _, ended, cut, _ = table.last()
        if ended or cut or step == upto:
            return step
        table.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
        assert agent in table.possible_agents
    return upto


# PettingZoo's own tests, as they are


@pytest.mark.filterwarnings(*LISTED)
@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("make", [env, raw_env])
def test_it_passes_the_api_test(players: int, make: Any) -> None:
    api_test(make(players), num_cycles=count(200, soak=2000))


@pytest.mark.parametrize("players", SIZES)
def test_it_passes_the_seed_test(players: int) -> None:
    seed_test(lambda: env(players), num_cycles=count(100, soak=1000))


# games


@pytest.mark.parametrize("players", SIZES)
def test_random_games_end_with_a_reward_for_everybody(players: int) -> None:
    table = raw_env(players)
    sides = set()
    for seed in range(count(20, soak=300)):
        played(table, seed)
        outcome, roles = table._game.outcome, {p.id: p.role for p in table._game.players}
        assert outcome is not None
        sides.add(outcome.winners)
        for name in table.possible_agents:
            won = (roles[name] == "Safety") == (outcome.winners == "Safety")
            assert table.rewards[name] == (1.0 if won else -1.0)
            assert table.terminations[name]
    assert sides == {"Safety", "Acceleration"}


def test_agents_take_their_leave_with_none_and_nothing_else() -> None:
    table = env(5)
    played(table, 1)
    with pytest.raises(ValueError, match="only valid action is None"):
        table.step(0)
    while table.agents:
        table.step(None)
    assert table.agents == []


def test_a_game_that_is_too_long_is_truncated_and_pays_nothing() -> None:
    table = raw_env(5, max_turns=10)
    assert played(table, 1) <= 12
    assert set(table.truncations.values()) == {True}
    assert set(table.terminations.values()) == {False}
    assert set(table.rewards.values()) == {0.0}


def test_the_same_seed_deals_the_same_game_and_without_one_another_follows() -> None:
    table, other = raw_env(7), raw_env(7)
    table.reset(seed=5)
    other.reset(seed=5)
    assert table._game == other._game
    table.reset()
    other.reset()
    assert table._game == other._game
    first = table._game
    table.reset()
    assert table._game != first


def test_a_setting_of_the_game_counts_and_one_that_needs_words_is_not_taken() -> None:
    table = raw_env(5, self_nomination=False)
    table.reset(seed=1)
    place = table.possible_agents.index(table.agent_selection)
    assert not table.observe(table.agent_selection)["action_mask"][TARGET + place]
    with pytest.raises(TypeError, match="discussion"):
        raw_env(5, discussion=None)


@pytest.mark.parametrize("players", [4, 11])
def test_there_is_no_table_of_another_size(players: int) -> None:
    with pytest.raises(Refused, match=f"5 to 10 players, not {players}"):
        raw_env(players)


def test_what_the_mask_forbids_is_refused_and_changes_nothing() -> None:
    table = raw_env(5)
    table.reset(seed=1)
    before, agent = table._game, table.agent_selection
    for action in (YES, PAPER, PASS, 99, -1, None):
        with pytest.raises(Refused, match=f"{agent} cannot take action"):
            table.step(action)
    assert (table._game, table.agent_selection) == (before, agent)


@pytest.mark.parametrize("players", [5, 10])
def test_every_action_that_the_mask_allows_is_legal_and_only_the_selected_may_act(players: int) -> None:
    table = raw_env(players)
    kinds: set[int] = set()
    for seed in range(count(30, soak=300)):
        table.reset(seed=seed)
        chance = np.random.default_rng(seed)
        while not any(table.terminations.values()):
            for name in table.possible_agents:
                able = set(np.flatnonzero(table.observe(name)["action_mask"]))
                assert able == ({PASS} if name != table.agent_selection else set(table._commands(name)))
            action = int(chance.choice(np.flatnonzero(table.observe(table.agent_selection)["action_mask"])))
            kinds.add(min(action, TARGET))
            table.step(action)
    assert kinds >= {PASS, YES, NO, CALL, PAPER, PAPER + 1, PAPER + 2, TARGET}


# secrets


def hidden(table: SecretAgiEnv, viewer: str, seed: int) -> Any:
    """The game with everything changed that a Safety player cannot know: others' roles, the deck, hands, ballots."""
    game = table._game
    chance = np.random.default_rng(seed)
    view = table._view(viewer)
    unknown = [i for i, seated in enumerate(view.players) if seated.role == seated.allegiance == "unknown"]
    roles = [game.players[i].role for i in unknown]
    mixed = dict(zip(unknown, chance.permutation(np.array(roles, object)), strict=True)) if unknown else {}
    players = tuple(replace(p, role=mixed.get(i, p.role)) for i, p in enumerate(game.players))
    shown = {int(paper.id[-2:]) - 1 for r in view.published for paper in (r.paper, *r.drawn, *r.passed) if paper}
    shown |= {int(paper.id[-2:]) - 1 for paper in view.hand}
    loose = [k for k in range(len(game.deck)) if k not in shown]
    order = dict(zip(loose, chance.permutation(loose), strict=True))
    deck = tuple(game.deck[order.get(k, k)] for k in range(len(game.deck)))
    me = table.possible_agents.index(viewer)
    flipped = str.maketrans("yn", "ny")
    ballots = "".join(b if i == me else b.translate(flipped) for i, b in enumerate(game.ballots))
    return replace(game, players=players, deck=deck, ballots=ballots)


@pytest.mark.parametrize("players", SIZES)
def test_no_observation_depends_on_what_its_seat_cannot_know(players: int) -> None:
    table = raw_env(players)
    compared = changed = 0
    for seed in range(count(5, soak=100)):
        for upto in (5, 25, 60, 120):
            played(table, seed, upto=upto)
            for viewer, role in [(p.id, p.role) for p in table._game.players]:
                if role != "Safety" or table._game.outcome is not None:
                    continue
                before, game = table.observe(viewer), table._game
                table._game = hidden(table, viewer, seed)
                changed += table._game != game
                after = table.observe(viewer)
                table._game = game
                np.testing.assert_array_equal(before["observation"], after["observation"])
                compared += 1
    assert compared > 20
    assert changed > compared / 2


def test_an_insider_sees_the_roles_and_a_safety_player_does_not() -> None:
    table = raw_env(5)
    table.reset(seed=2)
    roles = {p.id: p.role for p in table._game.players}
    agi = next(name for name, role in roles.items() if role == "AGI")
    insider = next(name for name, role in roles.items() if role == "Accelerationist")
    other = replace(
        table._game, players=tuple(replace(p, role="Safety") if p.id == agi else p for p in table._game.players)
    )
    before = {name: table.observe(name)["observation"] for name in roles}
    table._game = other
    assert not np.array_equal(before[insider], table.observe(insider)["observation"])
    for name, role in roles.items():
        if role == "Safety":
            np.testing.assert_array_equal(before[name], table.observe(name)["observation"])


def test_it_is_drawn_in_a_line_without_a_secret() -> None:
    table = env(5, render_mode="ansi")
    table.reset(seed=1)
    line = table.render()
    assert line.startswith("round 1, TeamProposal: Capability 0, Safety 0, Director player_")
    assert not any(word in line for word in ("AGI", "Accelerationist"))
    silent = env(5)
    silent.reset(seed=1)
    assert silent.render() is None
