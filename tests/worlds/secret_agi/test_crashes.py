"""A game that dies at any call of any port, and goes on to the same end."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from greenroom.adapters.inmem import Shelf
from greenroom.bootstrap import backend as open_backend
from greenroom.worlds.secret_agi.rules import NAME
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.rules import choices
from tests.counts import count, report
from tests.crash.stage import Provider, Stage, Step, differences, dump, live
from tests.worlds.secret_agi.stage import WORLD, named, seats
from tests.worlds.secret_agi.trial import answer

WORLDS = (WORLD,)
CONFIG = c.GameConfig(
    player_count=5,
    seats=seats("human", "model", "random", "model", "heuristic"),
    seed=7,
    discussion=c.Discussion(on=True, K=1),
    decision_seconds=0,
    max_turns=30,
)


async def _start(life: Stage) -> None:
    await life.start("game", NAME, CONFIG)


def _act(k: int) -> Step:
    """The person does the first thing that may be done; told again after a crash, the key says it was done."""

    async def step(life: Stage) -> None:
        await life.quiet()
        able = choices((await life.house.states.now("game")).state, 0)
        if able:
            await life.send("game", f"act {k}", able[0], seat=named(0))
            await life.quiet()

    return step


SCRIPT: Sequence[Step] = [_start, *(_act(k) for k in range(7))]


async def _where(kind: str, folder: Path, n: int) -> Path | Shelf:
    if kind == "memory":
        return Shelf()
    template = folder / "template.db"
    if not template.exists():
        await open_backend(template, WORLDS).close()
    return Path(shutil.copy(template, folder / f"{n}.db"))


@pytest.mark.parametrize("kind", ["memory", pytest.param("sqlite", marks=pytest.mark.sqlite)])
async def test_a_game_that_dies_at_any_call_comes_to_the_same_end(kind: str, tmp_path: Path) -> None:
    calm, undisturbed = Provider(says=answer), await _where(kind, tmp_path, 0)
    breaker, _ = await live(undisturbed, SCRIPT, calm, crash_at=None, worlds=WORLDS)
    expected = await dump(undisturbed, WORLDS)
    assert expected["game"]["stream"]["outcome"] is not None
    crashes = 0
    # A file's worker looks for work again and again while a commit is under way: many calls are the same.
    stride = count(7, soak=1) if kind == "memory" else count(211, soak=5)
    for n in range(1, breaker.calls + 1, stride):
        for when in ("before", "after"):
            where, provider = await _where(kind, tmp_path, n), Provider(says=answer)
            broken, _ = await live(where, SCRIPT, provider, crash_at=n, when=when, worlds=WORLDS)
            assert not differences(await dump(where, WORLDS), expected), f"died {when} call {n}"
            assert not provider.asked_again, f"an answer that was stored was paid for twice: call {n}, {when}"
            crashes += broken.n is None
    assert crashes
    report(f"secret_agi: {crashes} crashes at {breaker.calls} calls of the ports ({kind}): the same game")
