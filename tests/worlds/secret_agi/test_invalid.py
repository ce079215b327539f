"""Actions that are no good: each is refused with a reason and recorded, and no sum of the game moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from greenroom.bootstrap import open_house
from greenroom.kernel.codec import canonical
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import games, history, metrics, stats
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.rules import choices
from greenroom.worlds.secret_agi.rules.state import Game, candidates
from tests.worlds.secret_agi.stage import named, seats
from tests.worlds.secret_agi.test_house import NOON, played, table

Answer = Mapping[str, Any]
#: Whose action, which one, with what.
Wrong = tuple[int, str, Any]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "house.db", work=False, clock=NOON) as opened:
        yield opened


async def state_of(house: House, game: str) -> Game:
    state: Game = (await house.states.now(game)).state
    return state


async def sums(house: House, game: str) -> Any:
    """The two sums of every turn, and the state they stand for."""
    version = (await house.backend.streams.get(game)).version
    steps = [(step.fold, step.history) async for step in house.backend.history.steps(game, 0, version)]
    return version, steps, canonical(await games.load_game_state(house, game))


async def invalid(house: House, game: str) -> list[Answer]:
    return [row for row in await history.actions(house, game) if row["is_valid"] is False]


@asynccontextmanager
async def unmoved(house: House, game: str) -> AsyncIterator[list[Answer]]:
    """Within this, actions are refused: every answer must say why, every one is recorded, and no sum moves."""
    before, recorded = await sums(house, game), len(await invalid(house, game))
    answers: list[Answer] = []
    yield answers
    assert answers
    assert all(answer["success"] is False and answer["error"] and not answer["events"] for answer in answers)
    assert all(answer["state"]["phase"] for answer in answers)
    rows = (await invalid(house, game))[recorded:]
    assert len(rows) == len(answers)
    assert all(row["error_message"] for row in rows)
    assert await sums(house, game) == before
    assert not (await house.verify(game)).problems


async def waiting_for_a_person(house: House) -> str:
    """A game that waits for its only person."""
    return await played(house, table("human", *["random"] * 4, decision_seconds=0))


async def all_people(house: House) -> tuple[str, int]:
    """A game of people, and its Director."""
    name = await played(house, table(*["human"] * 5, decision_seconds=0))
    return name, (await state_of(house, name)).director


MALFORMED: Sequence[Wrong] = (
    (0, "conquer", {}),
    (0, "", {}),
    (0, "nominate", {}),
    (0, "nominate", {"target": named(1)}),
    (0, "nominate", {"target_id": 7}),
    (0, "nominate", {"target_id": "half a \ud800 character"}),
    (0, "vote_team", {"vote": "maybe"}),
    (0, "vote_team", [True]),
    (0, "use_power", {"target_id": named(1), "power_type": "resurrect"}),
    (0, "send_chat_message", {"text": None}),
)


@pytest.mark.parametrize(("i", "action", "given"), MALFORMED, ids=lambda value: ascii(value)[:40])
async def test_a_malformed_action_is_refused_with_a_reason_and_recorded_and_moves_no_sum(
    house: House, i: int, action: str, given: Any
) -> None:
    name = await waiting_for_a_person(house)
    async with unmoved(house, name) as answers:
        answers.append(await games.act(house, name, named(i), action, given))
    (row,) = await invalid(house, name)
    assert row["action_type"] == (action if action in c.ACTIONS else "unknown")
    assert (await metrics.performance(house, name))[named(0)]["invalid_attempts"] == 1


@pytest.mark.sqlite
async def test_nothing_that_a_malformed_action_said_is_kept(house: House, tmp_path: Path) -> None:
    name = await waiting_for_a_person(house)
    answer = await games.act(house, name, named(0), "nominate", {"a very private thing": "another one"})
    assert "private" in answer["error"], "whoever sent it is told what was wrong"
    await games.act(house, name, named(0), "a third secret", {})
    kept = stored(tmp_path)
    assert b"misread" in kept
    assert not any(word in kept for word in (b"very private", b"another one", b"third secret"))


async def test_an_illegal_action_is_refused_with_a_reason_and_recorded_and_moves_no_sum(house: House) -> None:
    name, director = await all_people(house)
    wrong: Sequence[tuple[str, Any]] = (
        ("nominate", {"target_id": "mallory"}),
        ("declare_veto", {}),
        ("vote_team", {"vote": True}),
        ("publish_paper", {"paper_id": "P01"}),
        ("use_power", {"target_id": named(1), "power_type": "eliminate"}),
        ("call_emergency_safety", {}),
        ("send_chat_message", {"text": "Hello?"}),
        ("pause", {}),
        ("record_recovery", {"cause": "agent_timeout", "turn": 1, "stalled": True}),
    )
    async with unmoved(house, name) as answers:
        for action, given in wrong:
            answers.append(await games.act(house, name, named(director), action, given))
    assert await history.recoveries(house, name) == []


async def test_an_action_out_of_turn_is_refused_with_a_reason_and_recorded_and_moves_no_sum(house: House) -> None:
    name, director = await all_people(house)
    others = [i for i in range(5) if i != director]
    async with unmoved(house, name) as answers:
        for i in others:
            answers.append(await games.act(house, name, named(i), "nominate", {"target_id": named(0)}))
    assert {answer["error"] for answer in answers} == {
        f"nominate is not possible now: {named(director)} has to nominate an Engineer"
    }


async def test_whoever_has_no_seat_and_a_seat_that_an_agent_plays_are_refused(house: House) -> None:
    name = await waiting_for_a_person(house)
    async with unmoved(house, name) as answers:
        for seat in ("mallory", named(1)):
            answers.append(await games.act(house, name, seat, "observe", {}))


async def test_an_action_after_the_end_is_refused_with_a_reason_and_recorded_and_moves_no_sum(house: House) -> None:
    name = await to_the_end(house, table("human", *["random"] * 4, decision_seconds=0), named(0))
    assert (await state_of(house, name)).outcome is not None
    async with unmoved(house, name) as answers:
        for action, given in (("vote_team", {"vote": True}), ("observe", {}), ("conquer", {})):
            answers.append(await games.act(house, name, named(0), action, given))
    assert {answer["error"] for answer in answers[:2]} == {"the game is over"}
    told = await stats.of_house(house)
    assert told["invalid_by_agent"]["HumanPlayer"]["won"] == 3


async def test_an_action_of_the_dead_is_refused_with_a_reason_and_recorded_and_moves_no_sum(house: House) -> None:
    name, dead = await with_a_dead_person(house)
    game = await state_of(house, name)
    alive = next(i for i in range(10) if i not in game.dead)
    await house.send(name, c.Nominate(target_id=named(candidates(game)[0])), seat=named(game.director))
    async with unmoved(house, name) as answers:
        for action, given in (
            ("vote_team", {"vote": True}),
            ("nominate", {"target_id": named(alive)}),
            ("call_emergency_safety", {}),
        ):
            answers.append(await games.act(house, name, named(dead), action, given))
    assert all(answer["legal"] == ["observe"] for answer in answers)
    assert (await games.act(house, name, named(alive), "vote_team", {"vote": True}))["success"], "the vote is open"


async def test_of_actions_at_once_one_counts_and_the_others_are_refused_and_recorded(house: House) -> None:
    name, director = await all_people(house)
    await house.send(name, c.Nominate(target_id=named(0)), seat=named(director))
    version = (await house.backend.streams.get(name)).version
    answers = await asyncio.gather(
        *(games.act(house, name, named(1), "vote_team", {"vote": bool(i % 2)}) for i in range(6))
    )
    assert sorted(answer["success"] for answer in answers) == [False] * 5 + [True]
    assert all(answer["error"] for answer in answers if not answer["success"])
    assert len(await invalid(house, name)) == 5
    assert (await house.backend.streams.get(name)).version == version + 1
    assert not (await house.verify(name)).problems


async def test_a_malformed_action_sent_again_under_its_key_is_recorded_once(house: House) -> None:
    name = await waiting_for_a_person(house)
    told = [await games.act(house, name, named(0), "vote_team", {"vote": "maybe"}, key="k") for _ in range(2)]
    assert told[0] == told[1]
    assert len(await invalid(house, name)) == 1


def stored(folder: Path) -> bytes:
    """Every byte on disk."""
    return b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())


# a person at the table


async def to_the_end(house: House, config: c.GameConfig, seat: str, *, name: str = "game") -> str:
    """A person does the first thing that may be done until nobody waits for them."""
    await played(house, config, name=name)
    while able := await house.legal(name, seat):
        state = await state_of(house, name)
        first = able[0]
        if state.outcome is not None or not choices(state, int(seat.rpartition("_")[2]) - 1):
            break
        await house.send(name, first, seat=seat)
        await house._worker().quiet()
    return name


async def with_a_dead_person(house: House) -> tuple[str, int]:
    """A game of ten in which somebody was eliminated and that goes on; people sit in all seats."""
    for seed in range(40):
        name = f"ten-{seed}"
        agents = c.GameConfig(player_count=10, seats=seats(*["random"] * 10), seed=seed)
        await played(house, agents, seed=seed, name=name)
        if (found := await death_in(house, name)) is not None:
            turn, dead = found
            branch = await house.branch(name, at=turn + 1, name=f"{name}-people")
            people = c.Reseat(seats=seats(*["human"] * 10))
            await house.send(branch.name, people, seat="operator")
            return branch.name, dead
    raise AssertionError("nobody was eliminated in forty games")


async def death_in(house: House, name: str) -> tuple[int, int] | None:
    """The turn in which somebody died without ending the game, and who."""
    for row in await history.events(house, name):
        data = row["event_data"]
        if data.get("change") == "player_eliminated" and data["role"] != "AGI":
            return row["turn_number"], int(data["target"].rpartition("_")[2]) - 1
    return None
