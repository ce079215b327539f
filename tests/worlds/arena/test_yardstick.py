"""The yardstick's rules: what is asked of the public games, in which order, and what is taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from greenroom.bootstrap import open_house
from greenroom.kernel.asks import Failed, UseTool
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import parse
from greenroom.kernel.script import Script
from greenroom.kernel.worlds import EventContext, Wake
from greenroom.worlds.arena.outside.yardstick import in_pool, pool_of
from greenroom.worlds.arena.rules import yardstick as y
from tests.worlds.arena.stage import CONTENT, NOON, given


def scored(ask: UseTool) -> Any:
    """More defections are better in training; on the validation pool too, up to half of them."""

    def value(genome: str) -> float:
        return min(genome.count("D"), 40 if ask.args["pool"] == "validation" else 64) / 64

    scores = [[value(genome) + Chance(i).below(10) / 1000 for i in range(12)] for genome in ask.args["genomes"]]
    return {"scores": scores, "references": {"somebody": [0.5] * 12}}


def measured(config: y.YardstickConfig, answer: Any = scored) -> tuple[y.Yardstick, list[UseTool]]:
    state, asked, turn = y.Yardstick(), list[UseTool](), y.begun(CONTENT, given(config))
    while True:
        script = Script(turn)
        while (done := script.run()) is None:
            for number, ask in list(script.pending.items()):
                assert isinstance(ask, UseTool)
                asked.append(ask)
                script.answer(number, answer(ask))
        for event in (event for step in done.steps for event in step):
            state = y.evolve(state, EventContext(stream="y", version=1, ordinal=0, at=NOON, event=event))
        if state.result is not None or state.failure:
            return state, asked
        turn = y.handle(CONTENT, state, given(Wake(), version=2))


def test_held_out_opponents_are_met_once_and_only_when_the_lineage_is_closed() -> None:
    state, asked = measured(y.YardstickConfig(game="axelrod", generations=12, seed=1))
    pools = [ask.args["pool"] for ask in asked]
    assert pools.count("held_out") == 1
    assert pools[-1] == "held_out"
    assert state.result is not None
    assert set(state.result["held_out"]) == {"baseline", "evolved", "somebody"}


def test_what_gains_in_training_and_is_no_worse_in_validation_is_taken() -> None:
    state, _ = measured(y.YardstickConfig(game="axelrod", generations=30, seed=1))
    assert state.champion.count("D") > state.baseline.count("D")
    trained = [training for _, training, _ in state.history]
    assert trained == sorted(trained)


def test_the_same_seed_is_the_same_lineage() -> None:
    one, two = (measured(y.YardstickConfig(game="negmas", generations=4, seed=5))[0].lineage for _ in range(2))
    assert one == two
    assert one != measured(y.YardstickConfig(game="negmas", generations=4, seed=6))[0].lineage


def test_pools_are_decided_by_names_alone_and_half_are_held_out() -> None:
    names = [f"agent {i}" for i in range(400)]
    pools = {pool: in_pool(names, pool) for pool in ("training", "validation", "held_out")}
    assert sum(map(len, pools.values())) == 400
    assert 160 < len(pools["held_out"]) < 240
    assert len(pools["training"]) > 2 * len(pools["validation"])
    assert pool_of("agent 7") == pool_of("agent 7")


def test_without_the_public_agents_nothing_is_claimed() -> None:
    state, _ = measured(y.YardstickConfig(game="negmas"), lambda _: Failed("not here"))
    assert (state.failure, state.result, state.number) == ("not here", None, 0)


async def test_a_house_without_them_says_what_is_needed(tmp_path: Path) -> None:
    async with open_house(tmp_path / "house.db", work=False) as house:
        await house.start(y.NAME, y.YardstickConfig(game="axelrod", generations=1), name="y", seed=1)
        await house.quiet()
        stream = await house.stream("y")
    assert stream.outcome is not None
    assert "make yardstick" in parse(stream.outcome)["failed"]
