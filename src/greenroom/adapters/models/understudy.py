"""The deterministic model that stands in when none is configured, or when one fails. It calls nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from greenroom.adapters.models.extract import fill
from greenroom.adapters.models.prompt import account, fit
from greenroom.adapters.models.schema import faults
from greenroom.kernel.asks import AskModel, Failed, Json
from greenroom.kernel.errors import Malformed
from greenroom.kernel.journal import Entry
from greenroom.kernel.ports import Asked

NAME = "understudy"

#: Answers for one world, or for one role of it, from that world's own lines and lexicons. The same ask always gets
#: the same answer; what does not fit the ask's schema is not used.
Part: TypeAlias = Callable[[AskModel, Asked], Json]


class Understudy:
    """Plays every part: by the world's own function where there is one, else by filling the schema from the prompt.

    Args:
        parts: functions by ``world/role`` or ``world``; the closer one is asked.
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
        self._parts = dict(parts or {})
        self._lexicons = dict(lexicons or {})
        self._digest = digest

    async def ask(self, ask: AskModel, asked: Asked) -> tuple[Json | Failed, Sequence[Entry]]:
        return self.play(ask, asked)

    def plays(self, role: str) -> str:
        return NAME

    def play(
        self, ask: AskModel, asked: Asked, *, status: str = "ok", at: int | None = None, **more: Any
    ) -> tuple[Json | Failed, tuple[Entry]]:
        """Answer, and say in the ledger who did; ``more`` goes into the account."""
        started = time.perf_counter()
        try:
            assembled = fit(ask)
        except Malformed:
            assembled = None  # it reads the ask itself and has no budget to keep
        value = self.speak(ask, asked)
        entry = Entry(
            n=asked.i,
            role=ask.role,
            model=NAME,
            at=asked.at if at is None else at,
            milliseconds=round(1000 * (time.perf_counter() - started)),
            status="failed" if isinstance(value, Failed) else status,
            account=account(ask, assembled, model=NAME, digest=self._digest(asked.world), **more),
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
