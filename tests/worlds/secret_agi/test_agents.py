"""Who plays the seats: random, heuristic, models, people; inside the game's own turns."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

from greenroom.kernel.asks import AskModel, Failed
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import canonical
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.worlds.secret_agi.rules import agents
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.playing import MOST_STEPS
from tests.counts import count, report
from tests.worlds.secret_agi.stage import WORLD, Table, end_of, named, seats

MODEL, RANDOM, HUMAN = "LLMPlayer", "RandomPlayer", "HumanPlayer"


def attempts(table: Table) -> list[e.Attempted]:
    return [told.event for told in table.told if isinstance(told.event, e.Attempted)]


def choosing(action: str, **more: Any) -> Any:
    return {"action": action, **more}


# strength


def share(players: int, games: int, safety: str, acceleration: str) -> float:
    """How often Safety wins when each side is played by one kind of agent."""
    sides = {"safety": safety, "acceleration": acceleration}
    won = 0
    for seed in range(games):
        config = c.GameConfig(player_count=players, seats=seats(*["BySide"] * players, **sides), seed=seed)
        ended = end_of(config, seed=seed).outcome
        won += ended is not None and ended.winners == "Safety"
    return won / games


def interval(p: float, n: int) -> tuple[float, float]:
    """Wilson's, 95 %."""
    z = 1.96
    middle, width = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - width) / (1 + z * z / n), (middle + width) / (1 + z * z / n)


@pytest.mark.parametrize("players", [5, 7, 10])
def test_heuristic_players_beat_random_ones_as_either_side(players: int) -> None:
    games = count(60, soak=1000)
    even = share(players, games, "random", "random")
    safety = share(players, games, "heuristic", "random")
    acceleration = share(players, games, "random", "heuristic")
    report(
        f"secret_agi: {players} players, {games} games: Safety wins {even:.1%} random against random, {safety:.1%} "
        f"heuristic against random, {acceleration:.1%} random against heuristic"
    )
    assert interval(safety, games)[0] > interval(even, games)[1]
    assert interval(acceleration, games)[1] < interval(even, games)[0]


# local agents


def test_a_random_game_takes_a_few_turns_of_many_steps() -> None:
    table = Table.opened(c.GameConfig(player_count=7, seed=3), seed=3)
    turns = 0
    while WORLD.wake_at(table.game) is not None:
        before = len(table.steps)
        table.wake()
        turns += 1
        assert len(table.steps) - before <= MOST_STEPS + 10
    assert table.winners is not None
    assert turns <= 1 + len(table.steps) // MOST_STEPS


def test_random_players_never_observe() -> None:
    config = c.GameConfig(player_count=6, seed=3, discussion=c.Discussion(on=True, K=1))
    table = Table.opened(config, seed=3).play_out()
    assert table.winners is not None
    assert "observe" not in {attempt.action for attempt in attempts(table)}


def test_agents_stop_where_a_person_has_to_act() -> None:
    config = c.GameConfig(seats=seats("human", *["random"] * 4), seed=5)
    table = Table.opened(config, seed=5).play_out()
    assert table.winners is None
    assert any(WORLD.legal(table.game, named(0)))
    due = WORLD.wake_at(table.game)
    assert due is not None
    assert (due - table.game.since).total_seconds() == 30


def test_a_person_who_takes_too_long_is_played_by_chance_without_burning_anything() -> None:
    table = Table(agents=[HUMAN] * 5, seconds=30, capability=12, safety=12)
    table.elect(1)
    table.do(0, c.DiscardPaper(paper_id=WORLD.view(table.game, named(0), table.at).hand[0].id))
    table.wait(31)
    events = table.wake()
    assert isinstance(events[0], e.Attempted)
    assert (events[0].action, events[0].fallback) == ("publish_paper", True)


def test_a_person_has_time_to_call_an_emergency_before_an_agent_nominates() -> None:
    table = Table(agents=[RANDOM, HUMAN, HUMAN, HUMAN, HUMAN], capability=4, seconds=30)
    due = WORLD.wake_at(table.game)
    assert due is not None
    assert due > table.at
    for i in (1, 2, 3):
        table.do(i, c.Observe())
    assert table.game.silent == (1, 2, 3)
    table.do(4, c.CallEmergencySafety())
    assert table.game.vote == "emergency"


def test_people_who_let_the_time_pass_call_no_emergency() -> None:
    table = Table(agents=[RANDOM, HUMAN, HUMAN, HUMAN, HUMAN], capability=4, seconds=30)
    table.wait(30)
    events = table.wake()
    assert events[0] == e.EmergencyLetPass(seats=tuple(named(i) for i in (1, 2, 3, 4)))
    assert isinstance(events[1], e.Attempted)
    assert events[1].seat == named(0)


def test_without_a_limit_a_person_may_take_for_ever() -> None:
    assert WORLD.wake_at(Table(agents=[HUMAN] * 5, seconds=0).game) is None


def test_a_paused_game_wakes_nobody() -> None:
    table = Table(agents=[RANDOM] * 5)
    table.operate(c.Pause())
    assert WORLD.wake_at(table.game) is None
    table.operate(c.Resume())
    assert WORLD.wake_at(table.game) is not None


def test_a_game_that_is_too_long_failed() -> None:
    table = Table.opened(c.GameConfig(player_count=5, max_turns=7), seed=2).play_out()
    assert table.game.status == "failed"
    assert table.game.outcome is not None
    assert (table.game.outcome.winners, table.game.outcome.turns) == (None, 7)
    assert len(table.steps) == 8  # turn 0 is the beginning


def test_other_agents_can_take_the_seats() -> None:
    table = Table(agents=[HUMAN] * 5)
    table.operate(c.Reseat(seats=seats(*["heuristic"] * 5), seed=4))
    assert {player.agent for player in table.game.players} == {"HeuristicPlayer"}
    table.play_out()
    assert table.winners is not None
    with pytest.raises(Refused):
        Table().operate(c.Reseat(seats=(c.SeatConfig(player_id="nobody"),)))


# models


def test_all_voters_are_asked_at_once_each_from_its_own_view() -> None:
    table = Table(agents=[HUMAN, MODEL, MODEL, MODEL, RANDOM])
    table.do(0, c.Nominate(target_id=named(1)))
    table.says = [choosing("vote_team yes"), choosing("vote_team no"), choosing("vote_team yes")]
    table.wake()
    asked = table.prompts()
    assert [ask.seat for ask in asked] == [named(1), named(2), named(3)]
    assert [f"Your role is {table.game.players[i].role}." in asked[i - 1].sections[1].texts[0] for i in (1, 2, 3)]
    cast = {a.seat: a.yes for a in attempts(table) if a.action == "vote_team"}
    assert (cast[named(1)], cast[named(2)], cast[named(3)]) == (True, False, True)
    assert len(table.steps) == 1 + 4
    assert table.waits_for() == (0,)


def test_a_model_is_asked_under_the_role_of_its_config() -> None:
    table = Table.opened(c.GameConfig(seats=seats(*[MODEL] * 5, role="cheap")), seed=1)
    table.says = [lambda ask: choosing(ask.schema["properties"]["action"]["enum"][0])]
    table.wake()
    assert {ask.role for ask in table.prompts()} == {"cheap"}


def test_an_unusable_answer_is_recorded_changes_nothing_and_is_asked_for_again() -> None:
    table = Table(agents=[MODEL, *[HUMAN] * 4])
    before = canonical(table.game)
    sums = []
    table.says = [choosing("conquer"), "nonsense", choosing("nominate player_3", notes="Watch player_2.")]
    table.wake()
    invalid, also, valid = attempts(table)
    assert (invalid.error, also.error, valid.error) == (
        "the action is not one of those offered",
        "the answer names no action",
        "",
    )
    assert (valid.tries, valid.target) == (2, named(2))
    assert len(table.steps) == 3
    game = Table(agents=[MODEL, *[HUMAN] * 4]).game
    for told in table.told[:2]:
        game = WORLD.evolve(game, told)
        sums.append(canonical(game))
    assert sums == [before, before]
    assert [len(ask.objections) if isinstance(ask.objections, tuple) else 0 for ask in table.prompts()] == [0, 1, 2]


def test_after_three_unusable_answers_chance_decides() -> None:
    table = Table(agents=[MODEL, *[HUMAN] * 4])
    table.says = [choosing("conquer")] * 3
    table.wake()
    last = attempts(table)[-1]
    assert (last.action, last.fallback, last.tries, last.error) == ("nominate", True, 3, "")


def test_a_dead_provider_lets_chance_decide_at_once() -> None:
    table = Table(agents=[MODEL, *[HUMAN] * 4])
    table.says = [Failed("time-out")]
    table.wake()
    (only,) = attempts(table)
    assert (only.action, only.fallback) == ("nominate", True)


def test_the_fallback_never_burns_the_emergency_call_or_a_veto() -> None:
    able: list[c.Action] = [c.CallEmergencySafety(), c.Nominate(target_id="a"), c.DeclareVeto()]
    picked = {c.label(agents.fallback_action(able, Chance(i))) for i in range(50)}
    assert picked == {"nominate a"}
    assert agents.fallback_action([c.CallEmergencySafety(), c.Observe()], Chance(1)) == c.Observe()
    assert agents.fallback_action([c.SendChatMessage(text=Words("x")), c.Observe()], Chance(1)) == c.Observe()


def test_a_model_may_call_an_emergency_or_let_it_pass() -> None:
    for said, called in (("call_emergency_safety", True), ("observe", False)):
        table = Table(agents=[HUMAN, MODEL, HUMAN, HUMAN, HUMAN], capability=4)
        table.says = [choosing(said)]
        table.wake()
        assert table.game.called is called
        assert (1 in table.game.silent) is not called


def test_a_model_talks_and_remembers_in_private() -> None:
    table = Table(agents=[MODEL, MODEL, HUMAN, HUMAN, HUMAN], talk="pre_nomination", talks=1)
    said = choosing("send_chat_message", text="Trust me.", notes="I am lying.")
    table.says = [said, choosing("observe")]
    table.wake()
    table.wake()
    speech, note = table.memories
    assert (speech.agent, speech.text, note.agent, note.text) == ("table", "Trust me.", named(0), "I am lying.")
    seen = [part for ask in table.prompts() if ask.seat == named(1) for s in ask.sections for part in s.texts]
    assert any("Trust me." in text for text in seen)
    assert not any("lying" in text for text in seen)
    assert table.game.notes[0] == Words(id=note.id)


def test_its_own_note_comes_back_to_a_model() -> None:
    table = Table(agents=[MODEL, *[HUMAN] * 4])
    table.says = [choosing("nominate player_2", notes="player_2 owes me."), choosing("vote_team yes")]
    table.wake()
    table.wake()
    last = table.prompts()[-1]
    assert isinstance(last, AskModel)
    assert any("player_2 owes me." in text for section in last.sections for text in section.texts)


def test_a_model_that_must_act_ends_the_turn_of_local_agents() -> None:
    table = Table(agents=[RANDOM, *[RANDOM] * 3, MODEL])
    table.wake()
    assert not table.prompts()
    assert WORLD.wake_at(table.game) is not None
    table.says = [choosing("vote_team yes")]
    table.wake()
    assert len(table.prompts()) == 1
