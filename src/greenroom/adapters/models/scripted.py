"""A function as a model: for tests, tutorials and worlds that bring their own lines."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from greenroom.adapters.models.prompt import account, late
from greenroom.journal.records import Entry
from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.ports import Asked

Speaker: TypeAlias = Callable[[AskModel, Asked], Json | Failed | Awaitable[Json | Failed]]


class ScriptedModels:
    """Answers every role by calling one function; it costs nothing and the ledger says so."""

    def __init__(self, speak: Speaker, *, name: str = "scripted") -> None:
        self._speak = speak
        self._name = name

    async def ask(self, ask: AskModel, asked: Asked) -> tuple[Json | Failed, Sequence[Entry]]:
        started = time.perf_counter()
        value = await self._spoken(ask, asked)
        entry = Entry(
            n=asked.i,
            role=ask.role,
            model=self._name,
            at=asked.at,
            milliseconds=round(1000 * (time.perf_counter() - started)),
            status="failed" if isinstance(value, Failed) else "ok",
            account=account(ask, asked, None, model=self._name, digest=""),
        )
        return value, (entry,)

    async def _spoken(self, ask: AskModel, asked: Asked) -> Json | Failed:
        try:
            spoken = self._speak(ask, asked)
            if not inspect.isawaitable(spoken):
                return spoken
            async with asyncio.timeout(ask.seconds):
                return await spoken
        except TimeoutError:
            return late(ask)

    def plays(self, role: str) -> str:
        return self._name


class NoTools:
    """A house without tools."""

    async def use(self, ask: object, key: str) -> Json | Failed:
        return Failed("this house has no tools")
