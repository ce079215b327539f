"""One thread for what takes long: whoever waits has a turn, one piece of work each, however much anybody brings."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, TypeVar

from greenroom.ports.asking import ASKING

T = TypeVar("T")


class Turnstile:
    """A thread of its own. Without turns, the next caller would wait for all of somebody's hundred texts."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._lock = Lock()
        #: By who asks, in the order of their turns.
        self._waiting: dict[str, deque[tuple[Future[Any], Callable[[], Any]]]] = {}

    async def run(self, work: Callable[[], T]) -> T:
        """The result of a piece of work, on behalf of whoever is asking."""
        result: Future[T] = Future()
        with self._lock:
            self._waiting.setdefault(ASKING.get(), deque()).append((result, work))
        self._thread.submit(self._next)
        return await asyncio.wrap_future(result)

    def _next(self) -> None:
        with self._lock:
            who = next(iter(self._waiting))
            theirs = self._waiting.pop(who)
            result, work = theirs.popleft()
            if theirs:
                self._waiting[who] = theirs  # behind everybody else
        if not result.set_running_or_notify_cancel():
            return
        try:
            done = work()
        except BaseException as error:  # noqa: BLE001  it is for whoever waits
            result.set_exception(error)
        else:
            result.set_result(done)

    def close(self) -> None:
        """Finish what is waiting, and end."""
        self._thread.shutdown(wait=True)


__all__ = ["Turnstile"]
