"""Games in a house: tables, usage patterns of the seed, branches, interruptions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import open_house
from greenroom.journal.records import Birth
from greenroom.journal.transitions import suspect
from greenroom.kernel.asks import AskModel
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.errors import CorruptHistory, OutOfRange, Refused, Unknown
from greenroom.kernel.worlds import OPERATOR
from greenroom.ports import Asked
from greenroom.services.house import House
from greenroom.services.requests import opening
from greenroom.services.retention import prune
from greenroom.services.tables import every_stream
from greenroom.services.turns.engine import wall
from greenroom.worlds.secret_agi.faces.app import games, history, metrics, recovery
from greenroom.worlds.secret_agi.faces.app.tournament import Tournament
from greenroom.worlds.secret_agi.rules import NAME, turns
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.tables import ACTION_ROWS, CHAT, EVENT_ROWS, GAMES, METRICS, PLAYERS, STATES
from greenroom.worlds.secret_agi.rules.waiting import outcome_of
from tests.counts import count, report
from tests.houses import HOUSES
from tests.worlds.secret_agi.stage import end_of, named, seats

NOON = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "house.db", work=False, clock=NOON) as opened:
        yield opened


async def played(house: House, config: c.GameConfig, *, seed: int = 7, name: str = "game") -> str:
    await games.create_game(house, config, name=name, seed=seed)
    await house._worker().quiet()
    return name


async def dealt(house: House, config: c.GameConfig) -> None:
    """A game whose process died right after it was opened."""
    birth = Birth(world=NAME, owner="ada", seed=1)
    recording = opening(house.codecs[NAME], config, "game", birth, now=house.now(), secret=house.backend.secret)
    receipt = await house.backend.attempts.record(recording, house.engine.lease())
    assert receipt.claim is not None
    await house.engine.turn(receipt.claim)


def table(*agents: str, **more: Any) -> c.GameConfig:
    return c.GameConfig(player_count=len(agents), seats=seats(*agents), seed=7, **more)


# playing


async def test_a_game_in_the_house_is_the_game_of_its_rules(house: House) -> None:
    for seed in range(count(4, soak=100)):
        wanted = Tournament(games=1, players=5 + seed % 6, agents=("random", "heuristic")[seed % 2], seed=seed)
        name = await played(house, wanted.config(0), seed=seed, name=f"game {seed}")
        stream = await house.backend.streams.get(name)
        assert parse(stream.outcome or b"{}") == outcome_of(end_of(wanted.config(0), seed=seed))


async def test_every_turn_of_a_game_verifies_and_so_do_its_tables(house: House) -> None:
    name = await played(house, table(*["random"] * 6, discussion=c.Discussion(on=True, K=1)))
    verdict = await house.verify(name)
    assert not verdict.problems
    report(f"secret_agi: a stored game of {(await house.backend.streams.get(name)).version} versions verifies")


# tables


async def test_each_turn_has_one_state_with_a_checksum_that_verifies_on_load(house: House) -> None:
    name = await played(house, table(*["heuristic"] * 5))
    stored = await games.rows(house, name, STATES)
    stream = await house.backend.streams.get(name)
    assert [row["turn_number"] for row in stored] == list(range(stream.version))
    for row in stored:
        state = await games.load_game_state(house, name, row["turn_number"])
        assert sha256(canonical(state)).hexdigest() == row["checksum"]
        if row["state_data"] is not None:
            assert row["state_data"] == state
    assert stored[0]["state_data"] is not None
    assert stored[-1]["state_data"]["status"] == "completed"


async def test_a_turn_that_a_game_does_not_have_is_out_of_range(house: House) -> None:
    name = await played(house, table(*["random"] * 5))
    with pytest.raises(OutOfRange):
        await games.load_game_state(house, name, 5000)


async def test_the_game_s_row_tells_config_turn_status_and_outcome(house: House) -> None:
    name = await played(house, table(*["random"] * 5))
    (row,) = await house.backend.tables.rows(name, GAMES)
    stream = await house.backend.streams.get(name)
    assert (row["id"], row["status"], row["current_turn"]) == (name, "completed", stream.version - 1)
    assert row["final_outcome"] == parse(stream.outcome or b"")
    assert house.codecs[NAME].config_from(row["config"]) == table(*["RandomPlayer"] * 5)
    assert row["config"]["seats"][0] == {"player_id": "player_1", "agent_type": "RandomPlayer", "agent_config": {}}


async def test_the_row_of_a_game_in_progress_tells_its_current_turn(house: House) -> None:
    name = await played(house, table("human", *["random"] * 4, decision_seconds=0))
    (row,) = await house.backend.tables.rows(name, GAMES)
    stream = await house.backend.streams.get(name)
    assert (row["status"], row["current_turn"], row["final_outcome"]) == ("active", stream.version - 1, None)


async def test_players_actions_events_chat_and_metrics_have_their_rows(house: House) -> None:
    name = await played(house, table(*["heuristic"] * 5, discussion=c.Discussion(on=True, K=1)))
    sat = await house.backend.tables.rows(name, PLAYERS)
    assert [row["player_id"] for row in sat] == [named(i) for i in range(5)]
    acted = await games.rows(house, name, ACTION_ROWS)
    assert len(acted) == len({row["turn_number"] for row in acted}) == len(await games.rows(house, name, METRICS))
    assert all(row["is_valid"] for row in acted)
    kinds = {row["event_type"] for row in await games.rows(house, name, EVENT_ROWS)}
    assert {"action_attempted", "state_changed", "chat_message", "phase_transition", "game_ended"} <= kinds
    said = await games.rows(house, name, CHAT)
    assert {row["phase"] for row in said} == {"pre_nomination", "pre_vote"}
    whole = await history.record(house, name)
    assert whole["chat_messages"][0]["message"].startswith("I ")


async def test_the_timeline_is_a_union_in_strict_order(house: House) -> None:
    name = await played(house, table(*["random"] * 5, discussion=c.Discussion(on=True, K=1)))
    told = await history.timeline(house, name)
    places = [(row["turn_number"], row["sequence"], row["kind"]) for row in told]
    assert len(places) == len(set(places))
    for kind in ("action", "event", "chat"):
        numbers = [row["sequence"] for row in told if row["kind"] == kind]
        assert numbers == sorted(set(numbers))


async def test_performance_counts_decisions_and_invalid_attempts(house: House) -> None:
    name = await played(house, table("human", *["random"] * 4, decision_seconds=0))
    await games.act(house, name, named(0), "declare_veto")
    found = await metrics.performance(house, name)
    assert found[named(0)]["invalid_attempts"] == 1
    assert sum(one["decisions"] for one in found.values()) > 0


async def test_the_ledger_fills_the_columns_of_time_and_tokens_for_each_seat(tmp_path: Path) -> None:
    def speak(ask: AskModel, asked: Asked) -> Any:
        assert ask.schema is not None
        return {"action": ask.schema["properties"]["action"]["enum"][0], "text": "Hm.", "notes": f"I am {ask.seat}."}

    async def slowly(ask: AskModel, asked: Asked) -> Any:
        await asyncio.sleep(0.002 if ask.seat == named(0) else 0.0)
        return speak(ask, asked)

    cast = table("model", "model", *["random"] * 3)
    async with open_house(tmp_path / "m.db", work=False, clock=NOON, models=ScriptedModels(slowly)) as spoken:
        name = await played(spoken, cast)
        rows = await metrics.rows(spoken, name)
        timed = {row["player_id"] for row in rows if row["response_time_ms"] is not None}
        assert timed == {named(0), named(1)}
        own = [row for row in rows if row["player_id"] == named(0)]
        assert all(row["response_time_ms"] >= 2 and row["tokens_used"] == 0 for row in own)
        assert own[-1]["internal_state_size"] == len("I am player_1.")
        found = await metrics.performance(spoken, name)
        assert found[named(0)]["avg_response_time"] > found[named(1)]["avg_response_time"]
        acted = [row for row in await history.actions(spoken, name) if row["player_id"] == named(0)]
        assert all(row["processing_time_ms"] >= 2 for row in acted)
        made = await spoken.branch(name, 20, name="again", awake=True)
        shared = [row for row in await metrics.rows(spoken, made.name) if row["turn_number"] < 20]
        assert shared == [row for row in rows if row["turn_number"] < 20]


async def test_a_model_that_takes_too_long_is_decided_for_by_chance(tmp_path: Path) -> None:
    async def never(ask: AskModel, asked: Asked) -> Any:
        await asyncio.sleep(60)

    config = table("model", *["human"] * 4, decision_seconds=1)
    async with open_house(tmp_path / "m.db", work=False, clock=NOON, models=ScriptedModels(never)) as spoken:
        name = await games.create_game(spoken, config, seed=1)
        assert (await spoken.states.now(name)).state.director == 0  # the model; nobody else has to act
        await asyncio.wait_for(spoken._worker().quiet(), 10)
        acted = await games.rows(spoken, name, ACTION_ROWS)
        assert [row["action_type"] for row in acted] == ["nominate", "vote_team"]
        assert all(row["action_data"]["fallback"] for row in acted)
        assert [entry.status for _, entry in await spoken.backend.streams.ledger(name)] == ["failed", "failed"]


# actions


async def test_a_valid_action_is_answered_with_events_state_and_what_is_legal_now(house: House) -> None:
    name = await played(house, table("human", *["random"] * 4, decision_seconds=0))
    (first, *_) = await house.legal(name, named(0))
    kind = house.codecs[NAME].kind(first)
    answer = await games.act(house, name, named(0), kind, parse(canonical(first)))
    assert set(answer) == {"success", "error", "events", "state", "legal", "chat"}
    assert answer["success"] is True
    assert answer["events"][0]["action"] == kind


async def test_an_action_is_recorded_pending_and_then_completed_valid_or_not(house: House) -> None:
    name = await played(house, table(*["human"] * 5, decision_seconds=0))
    director = named((await house.states.now(name)).state.director)
    made = await games.record_action(house, name, director, "nominate", {"target_id": named(0)}, key="k")
    assert [row["is_valid"] for row in await history.pending(house, name) if row["id"] == made] == [None]
    assert (await games.complete_action(house, made)) == {"id": made, "is_valid": True, "error_message": None}
    assert await games.record_action(house, name, director, "nominate", {"target_id": named(0)}, key="k") == made
    late = await games.record_action(house, name, director, "nominate", {"target_id": named(0)})
    told = [await games.complete_action(house, late) for _ in range(2)]
    assert told[0] == told[1]
    assert (told[0]["is_valid"], told[0]["error_message"]) == (
        False,
        "nominate is not possible now: the team vote is open",
    )
    with pytest.raises(Unknown):
        await games.complete_action(house, f"{name}/99")
    with pytest.raises(Unknown):
        await games.complete_action(house, "nonsense")


async def test_an_action_given_twice_under_one_key_is_done_once(house: House) -> None:
    name = await played(house, table(*["human"] * 5, decision_seconds=0))
    director = (await house.states.now(name)).state.director
    give = {"target_id": named(0)}
    once = await games.act(house, name, named(director), "nominate", give, key="k")
    again = await games.act(house, name, named(director), "nominate", give, key="k")
    assert once == again


# branches


async def test_a_branch_from_any_turn_plays_on_with_other_agents_and_the_original_stays(house: House) -> None:
    name = await played(house, table(*["random"] * 6))
    before = await history.record(house, name)
    stream = await house.backend.streams.get(name)
    for turn in range(1, stream.version - 1, max(1, stream.version // count(4, soak=20))):
        made = await house.branch(name, turn + 1, name=f"branch {turn}")
        await house.send(made.name, c.Reseat(seats=seats(*["heuristic"] * 6), seed=turn), seat=OPERATOR)
        row = await house.backend.streams.get(made.name)
        assert row.clock_at is not None
        await house.backend.streams.advance(made.name, row.clock_at)
        await house._worker().quiet()
        assert (await house.backend.streams.get(made.name)).outcome is not None
        told = await history.timeline(house, made.name)
        assert [row["turn_number"] for row in told] == sorted(row["turn_number"] for row in told)
        assert {row["agent_type"] for row in await games.players(house, made.name)} == {"HeuristicPlayer"}
        assert not (await house.verify(made.name)).problems
    assert await history.record(house, name) == before


async def test_a_branch_with_the_same_agents_plays_the_same_game(house: House) -> None:
    name = await played(house, table(*["random"] * 5))
    made = await house.branch(name, 20, name="again", awake=True)
    await house._worker().quiet()
    ends = [(await house.backend.streams.get(one)).outcome for one in (name, made.name)]
    assert ends[0] == ends[1]


# interruptions


async def test_a_game_whose_agents_wait_is_found_and_goes_on(house: House) -> None:
    await dealt(house, table(*["random"] * 5))
    assert await recovery.find_interrupted(house) == []  # somebody has it
    house.engine._wall = lambda: wall() + 60_000_000  # the lease of whoever began it is over
    assert await recovery.find_interrupted(house) == ["game"]
    assert (await recovery.analyze(house, "game"))["type"] == "agent_timeout"
    await house._worker().quiet()
    assert await recovery.find_interrupted(house) == []
    assert (await recovery.analyze(house, "game"))["type"] is None


async def test_an_action_that_is_recorded_and_not_settled_is_pending_and_resumed(house: House) -> None:
    name = await played(house, table(*["human"] * 5, decision_seconds=0))
    director = (await house.states.now(name)).state.director
    await house.record(name, c.Nominate(target_id=named(0)), seat=named(director), key="k")
    found = await recovery.analyze(house, name)
    assert found["type"] == "incomplete_action"
    assert [row["is_valid"] for row in found["incomplete_actions"]] == [None]
    await house._worker().quiet()
    assert (await house.states.now(name)).state.nominee == 0
    assert (await recovery.analyze(house, name))["incomplete_actions"] == []


async def test_a_recovery_is_kept_beside_the_game_and_moves_nothing(house: House) -> None:
    calm = await played(house, table(*["random"] * 5), name="calm", seed=1)
    await dealt(house, table(*["random"] * 5))
    house.engine._wall = lambda: wall() + 60_000_000
    version = (await house.backend.streams.get("game")).version
    for _ in range(2):  # twice is once
        assert (await recovery.recover(house, "game"))["type"] == "agent_timeout"
    assert (await house.backend.streams.get("game")).version == version
    await house._worker().quiet()
    assert (await recovery.recover(house, "game"))["type"] is None
    (row,) = await history.recoveries(house, "game")
    assert (row["event_type"], row["turn_number"], row["event_data"]["type"]) == ("recovered", 0, "agent_timeout")
    assert row in await history.events(house, "game")
    assert (await history.record(house, "game"))["game"]["metadata"]["recoveries"] == 1
    assert not (await house.verify("game")).problems
    disturbed = await house.backend.streams.get("game")
    assert disturbed.version == (await house.backend.streams.get(calm)).version


async def test_a_game_whose_wake_was_given_up_can_be_taken_up_again(house: House) -> None:
    await dealt(house, table(*["random"] * 5))
    for death in range(1, 8):  # each worker dies with the game in its hands
        house.engine._wall = lambda death=death: wall() + death * 60_000_000  # type: ignore[misc]
        for claim in await house.backend.attempts.claim(house.engine.lease(), now=house.now(), limit=9):
            if suspect(claim.attempt):
                await house.backend.attempts.begin(claim)
    house.engine._wall = lambda: wall() + 9 * 60_000_000
    await house._worker().quiet()
    assert (await house.backend.streams.get("game")).outcome is None
    assert await recovery.find_interrupted(house) == ["game"]
    assert (await recovery.recover(house, "game"))["type"] == "agent_timeout"
    await house._worker().quiet()
    assert (await house.backend.streams.get("game")).outcome is not None
    assert len(await history.recoveries(house, "game")) == 1
    assert not (await house.verify("game")).problems


async def test_an_action_that_fails_again_and_again_is_marked_with_what_was_tried(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await played(house, table(*["human"] * 5, decision_seconds=0))
    director = named((await house.states.now(name)).state.director)

    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(turns, "check", broken)
    await house.record(name, c.Nominate(target_id=named(0)), seat=director, key="k")
    for second in range(1, 20):
        house.engine._wall = lambda second=second: wall() + second * 60_000_000  # type: ignore[misc]
        await house._worker().quiet()
    (row,) = [row for row in await history.actions(house, name) if row["player_id"] == director]
    assert row["is_valid"] is False
    assert row["action_data"]["recovery"] == {"tries": 5, "status": "failed"}
    assert "given up after 5 tries" in row["error_message"]
    monkeypatch.undo()
    assert (await games.act(house, name, director, "nominate", {"target_id": named(0)}))["success"]


async def test_a_game_whose_sums_do_not_verify_is_not_taken_up(house: House, tmp_path: Path) -> None:
    name = await played(house, table("human", *["random"] * 4, decision_seconds=0))
    house.states.drop(name)
    ((events,),) = HOUSES.execute(tmp_path, "SELECT events FROM steps WHERE version = 1")
    HOUSES.execute(tmp_path, "UPDATE steps SET events = $1 WHERE version = 1", events.replace(b"_1", b"_2"))
    HOUSES.execute(tmp_path, "DELETE FROM snapshots")
    assert (await recovery.analyze(house, name))["type"] == "transaction_failure"
    with pytest.raises(CorruptHistory, match="db check"):
        await recovery.recover(house, name)
    assert await history.recoveries(house, name) == []


async def test_finished_games_go_when_they_are_old_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREENROOM_AGI_KEEP_DAYS", "30")
    async with open_house(tmp_path / "kept.db", work=False, clock=NOON) as kept:
        await played(kept, table(*["random"] * 5), name="old")
        await kept.advance(NOON + timedelta(days=20))
        await played(kept, table("human", *["random"] * 4, decision_seconds=0), name="open")
        await played(kept, table(*["random"] * 5), name="young")
        await kept.advance(NOON + timedelta(days=31))
        dry = await prune(kept.backend, kept.codecs, now=kept.now(), dry=True)
        gone = await prune(kept.backend, kept.codecs, now=kept.now(), dry=False)
        assert dry.removed == gone.removed == ("old",)
        left = [stream.name async for stream in every_stream(kept.backend, NAME)]
        assert sorted(left) == ["open", "young"]
        assert await kept.backend.tables.rows("young", GAMES)


async def test_a_paused_game_stands_still_until_it_is_resumed(house: House) -> None:
    name = await played(house, table("human", *["random"] * 4, decision_seconds=30))
    await house.send(name, c.Pause(), seat=OPERATOR)
    await house.advance(datetime(2031, 3, 1, 13, 0, tzinfo=UTC))
    (row,) = await house.backend.tables.rows(name, GAMES)
    assert row["status"] == "paused"
    await house.send(name, c.Resume(), seat=OPERATOR)
    await house.advance(datetime(2031, 3, 1, 15, 0, tzinfo=UTC))
    assert (await house.backend.streams.get(name)).outcome is not None


async def test_a_person_s_time_runs_out_on_the_house_s_clock(house: House) -> None:
    name = await played(house, table(*["human"] * 5, decision_seconds=30))
    await house.advance(datetime(2031, 3, 1, 13, 0, tzinfo=UTC))
    acted = await games.rows(house, name, ACTION_ROWS)
    assert all(row["action_data"].get("fallback") for row in acted)
    assert (await house.backend.streams.get(name)).outcome is not None


async def test_a_config_that_makes_no_table_is_refused(house: House) -> None:
    with pytest.raises(Refused, match="5 to 10"):
        await games.create_game(house, {"player_count": 3})
