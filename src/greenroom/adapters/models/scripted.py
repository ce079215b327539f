"""A function as a model: for tests, tutorials and worlds that bring their own lines."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.journal import Entry
from greenroom.kernel.ports import Asked

Speaker: TypeAlias = Callable[[AskModel, Asked], Json | Failed | Awaitable[Json | Failed]]


class ScriptedModels:
    """Answers every role by calling one function; it costs nothing and the ledger says so."""

    def __init__(self, speak: Speaker, *, name: str = "scripted") -> None:
        self._speak = speak
        self._name = name

    async def ask(self, ask: AskModel, asked: Asked) -> tuple[Json | Failed, Sequence[Entry]]:
        spoken = self._speak(ask, asked)
        value = await spoken if inspect.isawaitable(spoken) else spoken
        status = "failed" if isinstance(value, Failed) else "ok"
        return value, (Entry(n=asked.i, role=ask.role, model=self._name, at=asked.at, status=status),)

    def plays(self, role: str) -> str:
        return self._name


class NoTools:
    """A house without tools."""

    async def use(self, ask: object, key: str) -> Json | Failed:
        return Failed("this house has no tools")
