"""What the house answers by itself, at one place of one stream: memories, facts, what was said last, what is alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from greenroom.kernel.asks import Alike, Fact, Facts, Failed, Latest, Notice, Recall
from greenroom.ports import Backend, Noticing

KnownAsk: TypeAlias = Recall | Latest | Facts | Notice | Alike
#: Facts of a person that a new one is held against.
MOST_KNOWN = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowing:
    """Answers as one place may know: a stream at a version, at a moment."""

    backend: Backend
    noticing: Noticing | None
    stream: str
    version: int
    at: int

    async def answer(self, ask: KnownAsk) -> Any:
        match ask:
            case Alike():
                return await self._alike(ask)
            case _ if ask.scope.agent is None:
                return Failed("a turn knows for one agent; name it in the scope")
            case Recall():
                return await self.backend.bank.search(ask, stream=self.stream, version=self.version, at=self.at)
            case Latest():
                return await self.backend.bank.latest(ask, stream=self.stream, at=self.at)
            case Facts():
                return await self._facts(ask)
            case Notice():
                return await self._notice(ask)

    async def _facts(self, ask: Facts) -> Sequence[Fact]:
        return await self.backend.bank.facts(ask, stream=self.stream, version=self.version, at=self.at)

    async def _notice(self, ask: Notice) -> Any:
        if self.noticing is None:
            return []
        if ask.source and (await self.backend.bank.owners([ask.source])).get(ask.source) != ask.scope.owner:
            return Failed("these are somebody else's words; nothing is kept of them as a fact")
        return await self.noticing.notice(ask.text, await self._facts(Facts(scope=ask.scope, limit=MOST_KNOWN)))

    async def _alike(self, ask: Alike) -> Any:
        if self.noticing is None:
            return [0.0] * len(ask.others)
        return await self.noticing.alike(ask.text, ask.others)


__all__ = ["Knowing", "KnownAsk"]
