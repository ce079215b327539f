"""Whoever waits: for one attempt to end, or for a stream that is driven here to come to rest."""

from __future__ import annotations

import asyncio
from typing import TypeAlias

from greenroom.journal.records import Attempt
from greenroom.kernel.errors import GreenroomError
from greenroom.services.turns.passage import Turned

#: None when the attempt ended in another process.
Awaited: TypeAlias = asyncio.Future[Turned | None]


class Callers:
    """The callers of one process."""

    def __init__(self) -> None:
        self._awaited: dict[tuple[str, int], Awaited] = {}
        self._resting: list[asyncio.Future[None]] = []

    def wait_for(self, attempt: Attempt) -> Awaited:
        """What is done when somebody here hears of the attempt's end."""
        place = (attempt.stream, attempt.n)
        return self._awaited.setdefault(place, asyncio.get_running_loop().create_future())

    def leave(self, attempt: Attempt) -> None:
        """Nobody waits for it any more."""
        self._awaited.pop((attempt.stream, attempt.n), None)

    def tell(self, attempt: Attempt, turned: Turned | None) -> None:
        waiting = self._awaited.pop((attempt.stream, attempt.n), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(turned)

    def fail(self, attempt: Attempt, error: GreenroomError) -> None:
        waiting = self._awaited.pop((attempt.stream, attempt.n), None)
        if waiting is not None and not waiting.done():
            waiting.set_exception(error)

    def fail_all(self, error: GreenroomError) -> None:
        for waiting in self._awaited.values():
            if not waiting.done():
                waiting.set_exception(error)
        self._awaited.clear()

    async def rest(self) -> None:
        """Wait until somebody says that a stream has come to rest."""
        rest: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._resting.append(rest)
        await rest

    def tell_resting(self) -> None:
        resting, self._resting = self._resting, []
        for rest in resting:
            if not rest.done():
                rest.set_result(None)
