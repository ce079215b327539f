"""Recorded games, compared whole; and what every recorded game must allow: restoring, replaying, checking."""

from __future__ import annotations

import pytest

from greenroom.journal.sums import fold_sum
from greenroom.kernel.codec import canonical
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.alone import NOON
from greenroom.worlds.secret_agi.rules.folding import after
from greenroom.worlds.secret_agi.rules.rules import Scene, act
from greenroom.worlds.secret_agi.rules.state import Game, place_of
from tests.counts import count, report
from tests.worlds.secret_agi.playthrough import CASES, FOLDER, text
from tests.worlds.secret_agi.stage import CODEC, WORLD, game_of, seats
from tests.worlds.secret_agi.test_against_naive import action_of

AGENTS = ("random", "heuristic")


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_recorded_game_is_played_again_line_by_line(name: str) -> None:
    assert text(*CASES[name]) == (FOLDER / f"{name}.txt").read_text()


def _config(seed: int) -> c.GameConfig:
    players = 5 + seed % 6
    return c.GameConfig(player_count=players, seats=seats(*[AGENTS[seed % 7 == 0]] * players), seed=seed)


def test_a_game_restored_at_any_turn_is_the_game_that_was_saved() -> None:
    """Rules are deterministic: a restored state that equals the live one goes on to the same end."""
    turns = 0
    for seed in range(count(10, soak=1000)):
        for game, events in game_of(_config(seed), seed=seed):
            data = CODEC.state(game)
            assert CODEC.read_state(data, WORLD.shape, "") == game
            assert CODEC.read_events(CODEC.events(events)) == events
            turns += 1
    report(f"secret_agi: restored {turns} turns of {count(10, soak=1000)} games")


def test_replaying_the_action_log_reproduces_every_checksum() -> None:
    for seed in range(count(10, soak=1000)):
        steps = list(game_of(_config(seed), seed=seed))
        game = Game()
        for event in steps[0][1]:
            game = after(game, event, NOON)
        for turn, (live, events) in enumerate(steps[1:], 1):
            game = _replayed(game, events, turn)
            assert fold_sum(WORLD.shape, canonical(game)) == fold_sum(WORLD.shape, canonical(live)), (seed, turn)


def _replayed(game: Game, events: tuple[e.Event, ...], turn: int) -> Game:
    """From the action alone; what follows from it is worked out anew."""
    first = events[0]
    scene = Scene(game, NOON, turn)
    if isinstance(first, e.Attempted):
        act(scene, place_of(game, first.seat), action_of(first))
    else:
        scene.tell(first)
    return scene.game


def test_every_game_ends_once_within_the_deck_and_the_limit() -> None:
    for seed in range(count(60, soak=3000)):
        kinds = [e.KINDS[type(event)] for _, events in game_of(_config(seed), seed=seed) for event in events]
        assert kinds.count("game_ended") == 1
        assert kinds[-1] == "game_ended"
        assert len(kinds) < 2000
