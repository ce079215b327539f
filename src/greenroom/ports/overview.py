"""The port for whoever runs the house: what waits, who holds what, what failed, what was spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from greenroom.journal.records import Attempt, Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySpent:
    """What one world spent on one model in one day of the house clock, in UTC."""

    #: The first moment of the day.
    day: int
    #: Empty for streams that were removed.
    world: str
    model: str
    asks: int
    input_tokens: int
    output_tokens: int
    #: Micro-dollars.
    cost: int


class Overview(Protocol):
    """Looks over all streams at once; costs grow with what is asked for, never with the number of sleeping streams."""

    async def queue(self, *, limit: int) -> Sequence[Stream]:
        """Streams with open attempts, the one that waits longest (``head_at``) first, then by name."""

    async def due(self, *, limit: int) -> Sequence[Stream]:
        """Streams that have something to do at some moment (``ready_at``), the earliest first, then by name."""

    async def failed(self, *, limit: int) -> Sequence[Attempt]:
        """Attempts that were given up, the newest first; of one moment, by stream and number."""

    async def counts(self) -> Mapping[str, int]:
        """How many there are: ``streams``, attempts ``open`` and ``failed``, letters ``due`` and ``held``."""

    async def spent(self, since: int, until: int) -> Sequence[DaySpent]:
        """The ledger from one moment to before another, added up by day, world and model, in that order."""
