"""Whoever brings much to a thread that all share keeps nobody else waiting."""

from __future__ import annotations

import asyncio
import threading

import pytest

from greenroom.adapters.turnstile import Turnstile
from greenroom.ports.asking import ASKING


async def test_everybody_who_waits_has_a_turn_however_much_anybody_brings() -> None:
    turnstile, gate, done = Turnstile("turns"), threading.Event(), list[str]()

    async def bring(who: str) -> None:
        ASKING.set(who)
        await turnstile.run(lambda: done.append(who))

    first = asyncio.create_task(turnstile.run(gate.wait))
    await asyncio.sleep(0)
    many = [asyncio.create_task(bring("much")) for _ in range(20)]
    await asyncio.sleep(0)
    few = [asyncio.create_task(bring(who)) for who in ("little", "less")]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(first, *many, *few)
    assert done == ["much", "little", "less", *["much"] * 19]
    turnstile.close()


async def test_an_error_is_for_whoever_waits_and_work_that_nobody_waits_for_is_not_done() -> None:
    turnstile, gate, done = Turnstile("turns"), threading.Event(), list[int]()
    first = asyncio.create_task(turnstile.run(gate.wait))
    gone = asyncio.create_task(turnstile.run(lambda: done.append(1)))
    await asyncio.sleep(0)
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    gate.set()
    await first
    with pytest.raises(ZeroDivisionError):
        await turnstile.run(lambda: 1 // 0)
    assert done == []
    turnstile.close()
