"""The deterministic model that stands in when none is configured, or when one fails. It calls nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from inspect import iscoroutinefunction
from typing import Any, Protocol, TypeAlias, runtime_checkable

from greenroom.adapters.models.extract import fill
from greenroom.adapters.models.prompt import account, fit
from greenroom.adapters.models.schema import faults
from greenroom.adapters.models.tokens import estimate
from greenroom.journal.records import Entry
from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.codec import canonical
from greenroom.kernel.errors import Malformed
from greenroom.ports import Asked, Embedder
from greenroom.text.fitting import Assembled

NAME = "understudy"
#: What is added to the name of a part for the one that goes by an encoder.
WITH_ENCODER = "+encoder"

#: Answers for one world, or for one role of it, from that world's own lines and lexicons. The same ask always gets
#: the same answer; what does not fit the ask's schema is not used. One that must not hold up the loop is a coroutine
#: function; it returns None where it leaves the ask to the other.
Part: TypeAlias = Callable[[AskModel, Asked], Any]


@runtime_checkable
class Hearing(Protocol):
    """A part that understands by an encoder where the house has one, and by words where it has none."""

    def with_encoder(self, embedder: Embedder) -> Part:
        """The same part with an encoder; a coroutine function."""


def bound(parts: Mapping[str, Any], embedder: Embedder | None) -> dict[str, Part]:
    """Parts as a house with this encoder, or with none, uses them.

    The part that goes by words stays beside the one that goes by the encoder: it answers where that one cannot.
    """
    found: dict[str, Part] = dict(parts)
    for name, part in parts.items():
        if embedder is not None and isinstance(part, Hearing):
            found[name + WITH_ENCODER] = part.with_encoder(embedder)
    return found


class Understudy:
    """Plays every part: by the world's own function where there is one, else by filling the schema from the prompt.

    Args:
        parts: functions by ``world/role`` or ``world``; the closer one is asked. Coroutine functions are asked before
            plain ones, and only where there is time to wait for them.
        lexicons: words that speak for a choice (``"order": ("beer", "menu")``), by ``world``.
        digest: digest of content and code of a world, for the account.
    """

    def __init__(
        self,
        parts: Mapping[str, Part] | None = None,
        *,
        lexicons: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
        digest: Callable[[str], str] = lambda world: "",
    ) -> None:
        given = dict(parts or {})
        slow = {name: part for name, part in given.items() if iscoroutinefunction(part)}
        self._slow = {name.removesuffix(WITH_ENCODER): part for name, part in slow.items()}
        self._parts = {name: part for name, part in given.items() if name not in slow}
        self._lexicons = dict(lexicons or {})
        self._digest = digest

    async def ask(self, ask: AskModel, asked: Asked) -> tuple[Json | Failed, Sequence[Entry]]:
        started = time.perf_counter()
        return self.play(ask, asked, said=await self._slowly(ask, asked), started=started)

    async def stand_in(self, ask: AskModel, asked: Asked, **more: Any) -> tuple[Json | Failed, Sequence[Entry]]:
        """Answer in place of somebody who did not; ``more`` goes into the account."""
        started = time.perf_counter()
        said = await self._slowly(ask, asked)
        return self.play(ask, asked, status="fallback", said=said, started=started, **more)

    async def _slowly(self, ask: AskModel, asked: Asked) -> Json | None:
        """What a slow part says, if there is one; it thinks on the loop itself, so whoever waits goes first."""
        await asyncio.sleep(0)
        slow = self._slow.get(f"{asked.world}/{ask.role}") or self._slow.get(asked.world)
        return await slow(ask, asked) if slow else None

    def plays(self, role: str) -> str:
        return NAME

    def play(
        self,
        ask: AskModel,
        asked: Asked,
        *,
        status: str = "ok",
        at: int | None = None,
        said: Json | None = None,
        started: float | None = None,
        **more: Any,
    ) -> tuple[Json | Failed, tuple[Entry]]:
        """Answer, and say in the ledger who did; ``said`` is what a slow part said, ``more`` goes into the account."""
        started = time.perf_counter() if started is None else started
        try:
            assembled = fit(ask)
        except Malformed:
            assembled = None  # it reads the ask itself and has no budget to keep
        value = self.speak(ask, asked) if said is None else said
        # Nobody is paid; only who wants to know is told how much was read and said.
        read, said_tokens = _counted(assembled, value) if ask.usage else (0, 0)
        entry = Entry(
            n=asked.i,
            role=ask.role,
            model=NAME,
            input_tokens=read,
            output_tokens=said_tokens,
            at=asked.at if at is None else at,
            milliseconds=round(1000 * (time.perf_counter() - started)),
            status="failed" if isinstance(value, Failed) else status,
            account=account(ask, asked, assembled, model=NAME, digest=self._digest(asked.world), **more),
        )
        return value, (entry,)

    def speak(self, ask: AskModel, asked: Asked) -> Json | Failed:
        part = self._parts.get(f"{asked.world}/{ask.role}") or self._parts.get(asked.world)
        if part is not None:
            value = part(ask, asked)
            if isinstance(value, Failed) or ask.schema is None or not faults(value, ask.schema):
                return value
        value = fill(ask, self._lexicons.get(asked.world, {}))
        if ask.schema is not None and faults(value, ask.schema):
            return Failed("the understudy knows no answer that fits this schema")
        return value


def _counted(assembled: Assembled | None, value: Json | Failed) -> tuple[int, int]:
    """Tokens of the sections that were read and of what was said."""
    if isinstance(value, Failed):
        said = ""
    else:
        said = value if isinstance(value, str) else canonical(value).decode()
    return (0 if assembled is None else assembled.used_tokens), (estimate(said) if said else 0)
