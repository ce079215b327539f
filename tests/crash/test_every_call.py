"""Fail at every call of every port, drop everything in memory, reopen, go on: the same end."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from greenroom.adapters.inmem import Shelf
from greenroom.bootstrap import backend as open_backend
from greenroom.kernel.words import Words
from tests.counts import count, report
from tests.crash.stage import Provider, Stage, Step, differences, dump, live
from tests.crash.world import WORLDS, Clear, Dice, Ponder, Say, Tournament


def _start(name: str) -> Step:
    return lambda life: life.start(name)


def _say(name: str, text: str) -> Step:
    async def step(life: Stage) -> None:
        await life.send(name, f"say {text}", Say(text=Words(text)))

    return step


def _ponder(name: str, text: str) -> Step:
    async def step(life: Stage) -> None:
        await life.send(name, f"ponder {text}", Ponder(text=Words(text)))

    return step


def _dice(name: str, sides: int, key: str) -> Step:
    async def step(life: Stage) -> None:
        await life.send(name, key, Dice(sides=sides))

    return step


def _tournament(name: str, games: int) -> Step:
    async def step(life: Stage) -> None:
        await life.send(name, "tournament", Tournament(games=games))

    return step


def _clear(name: str, attempt: int, games: int) -> Step:
    async def step(life: Stage) -> None:
        await life.send(name, "clear", Clear(attempt=attempt, games=games))

    return step


def _until(minute: int) -> Step:
    return lambda life: life.until_minute(minute)


SCRIPTS: dict[str, Sequence[Step]] = {
    "a guest talks, notes are posted, timers run out": [
        _start("inn-1"), _say("inn-1", "good evening"), _until(6), _say("inn-1", "again"), _until(46),
        _say("inn-1", "late"),
    ],
    "the host recalls between what it asks": [
        _start("inn-4"), _ponder("inn-4", "good evening"), _ponder("inn-4", "good evening again"),
    ],
    "dice are rolled and some refused": [
        _start("inn-2"), _dice("inn-2", 6, "a"), _dice("inn-2", 1, "b"), _dice("inn-2", 20, "c"), _until(1),
    ],
    "children are played while the parent waits": [_start("inn-3"), _tournament("inn-3", 2), _dice("inn-3", 6, "z")],
    "children are played, and let go by their parent": [
        _start("inn-5"), _tournament("inn-5", 2), _clear("inn-5", 2, 2), _dice("inn-5", 6, "z"),
    ],
}  # fmt: skip


async def _where(kind: str, folder: Path, n: int) -> Path | Shelf:
    if kind == "memory":
        return Shelf()
    template = folder / "template.db"
    if not template.exists():
        await open_backend(template, WORLDS).close()
    return Path(shutil.copy(template, folder / f"{n}.db"))


@pytest.mark.parametrize("title", SCRIPTS)
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_a_crash_at_any_call_changes_nothing(kind: str, title: str, tmp_path: Path) -> None:
    script = SCRIPTS[title]
    calm, undisturbed = Provider(), await _where(kind, tmp_path, 0)
    breaker, calm_channel = await live(undisturbed, script, calm, crash_at=None)
    expected = await dump(undisturbed)
    assert expected
    assert not [name for name in expected if name.startswith("inn-5.")], "they were let go"
    assert all(n == 1 for n in calm.asked.values())
    every = count(1 if kind == "memory" else 17, soak=1)
    crashes = 0
    for n in range(1, breaker.calls + 1, every):
        for when in ("before", "after"):
            provider, where = Provider(), await _where(kind, tmp_path, 1 + crashes)
            _, channel = await live(where, script, provider, crash_at=n, when=when)
            place = f"crash {when} call {n}, {breaker.names[n - 1]}"
            assert differences(await dump(where), expected) == [], place
            assert channel.sent == calm_channel.sent, place
            assert provider.asked_again == provider.left_behind == [], place
            assert provider.repeats <= provider.in_flight, place
            assert set(provider.asked) == set(calm.asked), place
            crashes += 1
            if isinstance(where, Path):
                where.unlink()
    report(f"crash at every call, {kind}, {title}: {crashes} crashes, all reach the same end")
