"""Tools by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from greenroom.kernel.asks import Failed, Json, UseTool

Tool: TypeAlias = Callable[[UseTool, str], Awaitable[Json | Failed]]


class Toolbox:
    """The tools of a house; one that is not here is an answer, not an error."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self._tools = dict(tools)

    async def use(self, ask: UseTool, key: str) -> Json | Failed:
        tool = self._tools.get(ask.name)
        if tool is None:
            return Failed(f"this house has no tool {ask.name!r}; it has {', '.join(sorted(self._tools)) or 'none'}")
        return await tool(ask, key)
