"""Dying at every call while one message is answered: the same end, nothing asked again, no letter twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.inmem import Shelf
from greenroom.bootstrap import assemble
from greenroom.bootstrap import backend as open_backend
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import OPERATOR
from greenroom.worlds.phantom.outside import answer
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import phantom
from greenroom.worlds.phantom.rules.pipeline import STEPS
from greenroom.worlds.phantom.rules.state import PLAYER
from greenroom.worlds.phantom.rules.views import working
from tests.conftest import NewFile
from tests.counts import count, report
from tests.crash.stage import Provider, Stage, Step, differences, dump, live
from tests.worlds.phantom.trial import CONTENT

WORLDS = (phantom(CONTENT),)
CONFIG = c.Register(email="ada@example.org", timezone="UTC", delivery="page")
LATER = datetime(2031, 3, 3, tzinfo=UTC)


def _send(key: str, command: object) -> Step:
    async def step(life: Stage) -> None:
        await life.send("tale", key, command, seat=PLAYER)

    return step


#: The message is answered in steps 1 to 12; the letter itself is delivered half an hour later.
SCRIPT: Sequence[Step] = (
    lambda life: life.start("tale", "phantom", CONFIG),
    _send("start", c.Start()),
    lambda life: life.until_minute(5),
    _send("in/1", c.Receive(channel="email", text=Words("Who are you, and what is this key?"), provider_id="1")),
    lambda life: life.until_minute(60),
)


def _provider() -> Provider:
    return Provider(says=lambda ask: answer(CONTENT, ask))


def _where(kind: str, new_file: NewFile) -> Path | Shelf:
    return Shelf() if kind == "memory" else new_file(WORLDS[0].tables)


async def _held(life: Stage, held: list[Any]) -> None:
    """What the process had in memory when it was last asked."""
    held[:] = [(await life.house.states.now("tale")).state]


async def _hydrated(where: Path | Shelf) -> tuple[Any, Mapping[str, Any]]:
    """The state as a new process reads it, and how the trace of the message looks to the operator."""
    back = open_backend(where, WORLDS)
    house = assemble(back, WORLDS)
    try:
        state = (await house.states.now("tale")).state
        board: Any = (await house.view("tale", seat=OPERATOR)).body
        return state, board["trace"]
    finally:
        await back.close()


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_a_crash_at_any_call_loses_no_message_asks_nothing_again_and_doubles_no_letter(
    kind: str, new_file: NewFile
) -> None:
    held: list[Any] = []
    script = (*SCRIPT, lambda life: _held(life, held))
    calm, undisturbed = _provider(), _where(kind, new_file)
    breaker, letters = await live(undisturbed, script, calm, crash_at=None, worlds=WORLDS)
    expected = await dump(undisturbed, WORLDS)
    before = working(CONTENT, held[0], LATER)
    assert len(letters.sent) == 2, "the key mail and the answer"
    assert len(calm.asked) == 3, "classified, written, searched for claims"
    every = count(5, soak=1) if kind == "memory" else count(41, soak=1)
    crashes = 0
    for n in range(1, breaker.calls + 1, every):
        for when in ("before", "after"):
            provider, where = _provider(), _where(kind, new_file)
            _, channel = await live(where, script, provider, crash_at=n, when=when, worlds=WORLDS)
            place = f"crash {when} call {n}, {breaker.names[n - 1]}"
            assert differences(await dump(where, WORLDS), expected) == [], place
            assert channel.sent == letters.sent, place
            assert provider.asked_again == provider.left_behind == [], place
            assert provider.repeats <= provider.in_flight, place
            state, trace = await _hydrated(where)
            assert state == held[0], place
            assert working(CONTENT, state, LATER) == before, place
            assert [step for step, _ in trace["steps"]] == list(STEPS), place
            crashes += 1
    report(f"phantom: crash at every call of one message, {kind}: {crashes} of {2 * breaker.calls}, all the same end")
