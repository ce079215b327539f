"""A realm that dies at any call of any port, and goes on to the same end."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from greenroom.adapters.inmem import Shelf
from greenroom.bootstrap import backend as open_backend
from greenroom.kernel.words import Words
from greenroom.testing.worlds.outside import FunctionTools
from greenroom.worlds.realms.outside import content
from greenroom.worlds.realms.rules import NAME, realms
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.state import PLAYER, Settings
from tests.counts import count, report
from tests.crash.stage import Provider, Stage, Step, differences, dump, live
from tests.worlds.realms.trial import answer

WORLDS = (realms(content()),)


def provider() -> Provider:
    return Provider(says=answer, tools=FunctionTools(answer))


async def _link(life: Stage) -> None:
    await life.start("realm", NAME, c.Link(path="/srv/harbour", settings=Settings(permission="write-with-approval")))
    await life.quiet()


async def _think(life: Stage) -> None:
    start = c.StartProcess(template="brainstorm", problem=Words("What first?"), autonomy="autonomous")
    await life.send("realm", "think", start, seat=PLAYER)
    await life.quiet()


async def _task(life: Stage) -> None:
    await life.send("realm", "task", c.Direct(agent="oracle", text=Words("Where is moor?")), seat=PLAYER)
    await life.quiet()


SCRIPT: Sequence[Step] = [_link, _think, _task]


async def _where(kind: str, folder: Path, n: int) -> Path | Shelf:
    if kind == "memory":
        return Shelf()
    template = folder / "template.db"
    if not template.exists():
        await open_backend(template, WORLDS).close()
    return Path(shutil.copy(template, folder / f"{n}.db"))


@pytest.mark.parametrize("kind", ["memory", pytest.param("sqlite", marks=pytest.mark.sqlite)])
async def test_a_realm_that_dies_at_any_call_comes_to_the_same_end(kind: str, tmp_path: Path) -> None:
    undisturbed = await _where(kind, tmp_path, 0)
    breaker, _ = await live(undisturbed, SCRIPT, provider(), crash_at=None, worlds=WORLDS)
    expected = await dump(undisturbed, WORLDS)
    crashes = 0
    stride = count(151, soak=1) if kind == "memory" else count(601, soak=11)
    for n in range(1, breaker.calls + 1, stride):
        for when in ("before", "after"):
            where, asked = await _where(kind, tmp_path, n), provider()
            broken, _ = await live(where, SCRIPT, asked, crash_at=n, when=when, worlds=WORLDS)
            assert not differences(await dump(where, WORLDS), expected), f"died {when} call {n}"
            assert not asked.asked_again, f"an answer that was stored was paid for twice: call {n}, {when}"
            crashes += broken.n is None
    assert crashes
    report(f"realms: {crashes} crashes at {breaker.calls} calls of the ports ({kind}): the same realm")
