"""Dying at every call while one message is answered: the same end, nothing asked again, no letter twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from greenroom.adapters.inmem import Shelf
from greenroom.bootstrap import backend as open_backend
from greenroom.kernel.words import Words
from greenroom.worlds.phantom import commands as c
from greenroom.worlds.phantom import phantom
from greenroom.worlds.phantom.lines import answer
from greenroom.worlds.phantom.state import PLAYER
from tests.counts import count, report
from tests.crash.stage import Provider, Stage, Step, differences, dump, live
from tests.worlds.phantom.trial import CONTENT

WORLDS = (phantom(CONTENT),)
CONFIG = c.Register(email="ada@example.org", timezone="UTC", delivery="page")


def _send(key: str, command: object) -> Step:
    async def step(life: Stage) -> None:
        await life.send("tale", key, command, seat=PLAYER)

    return step


SCRIPT: Sequence[Step] = (
    lambda life: life.start("tale", "phantom", CONFIG),
    _send("start", c.Start()),
    lambda life: life.until_minute(5),
    _send("in/1", c.Receive(channel="email", text=Words("Who are you, and what is this key?"), provider_id="1")),
    lambda life: life.until_minute(60),
)


def _provider() -> Provider:
    return Provider(says=lambda ask: answer(CONTENT, ask))


async def _where(kind: str, folder: Path, n: int) -> Path | Shelf:
    if kind == "memory":
        return Shelf()
    where = folder / f"{n}.db"
    await open_backend(where, WORLDS).close()
    return where


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_a_crash_at_any_call_loses_no_message_asks_nothing_again_and_doubles_no_letter(
    kind: str, tmp_path: Path
) -> None:
    calm, undisturbed = _provider(), await _where(kind, tmp_path, 0)
    breaker, letters = await live(undisturbed, SCRIPT, calm, crash_at=None, worlds=WORLDS)
    expected = await dump(undisturbed, WORLDS)
    assert len(letters.sent) == 2, "the key mail and the answer"
    assert len(calm.asked) == 3, "classified, written, searched for claims"
    every = count(4, soak=1) if kind == "memory" else count(41, soak=3)
    crashes = 0
    for n in range(1, breaker.calls + 1, every):
        for when in ("before", "after"):
            provider, where = _provider(), await _where(kind, tmp_path, 1 + crashes)
            _, channel = await live(where, SCRIPT, provider, crash_at=n, when=when, worlds=WORLDS)
            place = f"crash {when} call {n}, {breaker.names[n - 1]}"
            assert differences(await dump(where, WORLDS), expected) == [], place
            assert channel.sent == letters.sent, place
            assert provider.asked_again == [], place
            assert provider.repeats <= provider.in_flight, place
            crashes += 1
    report(f"phantom: crash at every call of one message, {kind}: {crashes} of {2 * breaker.calls}, all the same end")
