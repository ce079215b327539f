"""Houses to measure: each on a fresh file, opened as shipped."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.loop import Client, Sample, closed_loop
from benchmarks.world import DICE, GUEST, TALK, Say, answer, words
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import open_house
from greenroom.kernel.worlds import World
from greenroom.services.house import House

WORLDS: tuple[World[Any, Any, Any], ...] = (TALK, DICE)


@asynccontextmanager
async def open_bench(
    place: Path | str, worlds: Sequence[World[Any, Any, Any]] = WORLDS, *, work: bool = True
) -> AsyncIterator[House]:
    """A house with a model that answers at once."""
    models = ScriptedModels(lambda _, asked: answer(asked.n))
    async with open_house(place, worlds=worlds, models=models, work=work) as house:
        yield house


@dataclass(frozen=True, slots=True)
class Stage:
    """Where files for measurements come from."""

    folder: Path

    @property
    def empty(self) -> Path:
        """A migrated file without a stream."""
        return self.folder / "empty.db"

    async def prepare(self) -> None:
        async with open_bench(self.empty):
            pass

    def fresh(self, name: str) -> Path:
        """A copy of the empty file, in the place of any earlier one."""
        path = self.folder / f"{name}.db"
        self.strike(path)
        shutil.copyfile(self.empty, path)
        return path

    def strike(self, path: Path) -> None:
        for old in self.folder.glob(f"{path.name}*"):
            old.unlink()


async def talk_in(place: Path | str, streams: int, warm: float, seconds: float, *, ask: bool) -> Sample:
    """Turns in so many streams at once, in a house of its own."""
    async with open_bench(place) as house:
        names = [(await house.start(TALK.name)).stream for _ in range(streams)]
        return await closed_loop([_talker(house, name, ask=ask) for name in names], warm=warm, seconds=seconds)


def _talker(house: House, stream: str, *, ask: bool) -> Client:
    async def client(i: int) -> object:
        return await house.send(stream, Say(words(i), ask), seat=GUEST)

    return client
