"""The arena over HTTP: runs for the operator, and nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from greenroom.worlds.arena.faces.app import runs
from greenroom.worlds.arena.rules import NAME, acceptance
from greenroom.worlds.arena.rules import run as r
from tests.conftest import NewFile
from tests.entrypoints.http.stage import Stage, stage
from tests.houses import shipped_tables

#: Nothing is ever accepted, so that an agent is soon designed.
STALE = r.RunConfig(
    scenario="harbour",
    generations=5,
    seed=3,
    epoch=2,
    islands=1,
    held_out=2,
    proof=4,
    rule=acceptance.Rule(short=2, looks=(3, 4, 5, 6), last_word=2, delta=9.0),
)


@pytest.fixture
async def served(new_file: NewFile) -> AsyncIterator[Stage]:
    async with stage(new_file(shipped_tables())) as one:
        yield one


async def ok(asked: Any, status: int = 200) -> Any:
    answer: httpx.Response = await asked
    assert answer.status_code == status, answer.text
    return answer.json()


async def test_the_operator_reads_runs_and_decides_about_agents(served: Stage) -> None:
    operator, house = served.caller(), served.house
    await house.start(NAME, STALE, name="run", seed=1, owner=runs.OWNER)
    await house.quiet()
    (told,) = (await ok(operator.get("/arena/runs")))["runs"]
    assert told == await ok(operator.get("/arena/runs/run"))
    assert (told["phase"], told["generation"], told["waiting"]) == ("over", 5, [1])
    lineage = await ok(operator.get("/arena/runs/run/lineage"))
    assert lineage["sum"] == told["lineage"]
    profiles = (await ok(operator.get("/arena/runs/run/profiles")))["profiles"]
    assert [one["profile"] for one in profiles] == [one["profile"] for one in lineage["profiles"]]
    assert len((await ok(operator.get("/arena/runs/run/scores")))["points"]) == 10
    found = await ok(operator.get("/arena/similar", params={"query": "failed tactic in harbour"}))
    assert found["from"] == "house"
    assert found["found"]
    refused = await ok(operator.post("/arena/runs/run/agents", json={"agent": 7}), 422)
    assert "no agent 7 waits" in refused["detail"]
    await ok(operator.post("/arena/runs/run/agents", json={"agent": 1, "approved": False}))
    assert (await ok(operator.get("/arena/runs/run")))["waiting"] == []


async def test_a_run_is_begun_once_and_what_cannot_be_is_refused(served: Stage) -> None:
    operator = served.caller()
    wanted = {"scenario": "contract", "generations": 1, "seed": 5}
    assert await ok(operator.post("/arena/runs", json=wanted), 201) == {"run": "arena-contract-1g-5"}
    assert await ok(operator.post("/arena/runs", json=wanted), 201) == {"run": "arena-contract-1g-5"}
    assert (
        "there is no scenario moon"
        in (await ok(operator.post("/arena/runs", json={"scenario": "moon"}), 404))["detail"]
    )
    await ok(operator.post("/arena/runs", json={"generations": 0}), 422)
    await ok(operator.get("/arena/runs/nowhere"), 404)
    assert len((await ok(operator.get("/arena/runs")))["runs"]) <= 1


async def test_nobody_but_the_operator_sees_a_run(served: Stage) -> None:
    await served.house.start(NAME, STALE, name="run", seed=1, owner=runs.OWNER)
    stranger = served.caller(host="house.example", address="192.0.2.7")
    issued = await served.house.access.issue_player(owner=runs.OWNER, seat="a", stream="run")
    player = served.caller(issued.text, host="house.example", address="192.0.2.7")
    for caller, status in ((stranger, 401), (player, 403)):
        for path in ("runs", "runs/run", "runs/run/lineage", "runs/run/profiles", "runs/run/scores", "similar?query=x"):
            await ok(caller.get(f"/arena/{path}"), status)
        await ok(caller.post("/arena/runs", json={}), status)
        await ok(caller.post("/arena/runs/run/agents", json={"agent": 1}), status)
