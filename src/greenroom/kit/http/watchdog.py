"""Watches the loop: how long one step of one task keeps its thread busy, by processor time.

Whoever is served waits for every step of everybody else. The clock on the wall would blame a step for a machine that
did something else meanwhile; the processor time of the thread does not.
"""

from __future__ import annotations

import asyncio
import logging
import types
from collections.abc import Callable, Coroutine, Generator
from time import thread_time
from typing import Any

log = logging.getLogger("greenroom.http")

#: A step that takes longer keeps people waiting.
MOST_SECONDS = 0.05


class Watchdog:
    """Measures every step of every task that a loop begins while it is on."""

    def __init__(self, observe: Callable[[float], None] = lambda seconds: None) -> None:
        #: The longest step so far, and what it was a step of.
        self.longest = 0.0
        self.of = ""
        #: Steps over the limit.
        self.held = 0
        self._observe = observe

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin; tasks that are there already are not measured."""
        loop.set_task_factory(self._task)

    def _task(self, loop: asyncio.AbstractEventLoop, coro: Any, **more: Any) -> asyncio.Task[Any]:
        return asyncio.Task(self.measured(coro), loop=loop, **more)

    async def measured(self, coro: Coroutine[Any, Any, Any]) -> Any:
        """The result of a coroutine, each of its steps measured."""
        return await self._steps(coro)

    @types.coroutine
    def _steps(self, coro: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
        step, given = coro.send, None
        while True:
            began = thread_time()
            try:
                waits_for = step(given)
            except StopIteration as done:
                return done.value
            finally:
                spent = thread_time() - began
                if spent > self.longest:
                    self.longest, self.of = spent, getattr(coro, "__qualname__", "")
                if spent > MOST_SECONDS:
                    self._tell(spent, coro)
            try:
                given = yield waits_for
                step = coro.send
            except BaseException as error:  # noqa: BLE001  it is the coroutine's to handle, cancellation too
                given, step = error, coro.throw

    def _tell(self, spent: float, coro: Coroutine[Any, Any, Any]) -> None:
        self.held += 1
        self._observe(spent)
        log.warning("a step of %s held the loop for %d ms", getattr(coro, "__qualname__", "a task"), spent * 1000)


__all__ = ["MOST_SECONDS", "Watchdog"]
