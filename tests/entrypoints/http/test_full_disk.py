"""A disk that is full while people play: what was acknowledged stays, the rest is told so, and all goes on after."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from benchmarks.client import LOADED, Answer, Line, house_command, running
from tests.conftest import NewHome
from tests.houses import HOUSES

pytestmark = pytest.mark.sqlite


async def test_nothing_acknowledged_is_lost_when_the_disk_is_full(tmp_path: Path, new_home: NewHome) -> None:
    home = new_home(tmp_path / "home")
    async with running(house_command(home), {**LOADED, **HOUSES.environment(home)}) as server:
        line = await Line.open(server.port)
        visit = (await line.ask("POST", "/lighthouse/visits")).data
        path, ticket = f"/lighthouse/visits/{visit['stream']}/say", visit["ticket"]
        largest = max(place.stat().st_size for place in home.iterdir())
        _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (largest + 200_000, hard))
        said: list[tuple[int, Answer]] = []
        refused: list[tuple[int, Answer]] = []
        for n in range(400):
            answer = await line.ask("POST", path, {"text": f"It is {n} o'clock."}, ticket=ticket, key=f"k{n}")
            (said if answer.status == 200 else refused).append((n, answer))
            if len(refused) == 3:
                break
        assert said
        assert {answer.status for _, answer in refused} == {503}, "there was room for all of it; make the disk smaller"
        assert all(str(home).encode() not in answer.body for _, answer in refused)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))
        for n, answer in said:
            again = await line.ask("POST", path, {"text": f"It is {n} o'clock."}, ticket=ticket, key=f"k{n}")
            assert again.data == {**answer.data, "new": False}
        assert (await line.ask("POST", path, {"text": "And on."}, ticket=ticket)).status == 200
        await line.close()
        assert await server.stop() == 0
