"""What was spent so far, read from the ledger; the caps of models stand on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """One line of the ledger, as far as caps need it."""

    stream: str
    owner: str
    #: Attempt and ask.
    n: int
    i: int
    #: House clock.
    at: int
    #: Micro-dollars.
    cost: int


class Spending(Protocol):
    """Reads the ledger; whoever writes it, in this process or another."""

    async def since(self, mark: int | None) -> tuple[int, Sequence[Spent]]:
        """The lines written after a mark, and the mark to give next time; None gives the mark alone.

        What removed streams leave behind is not a new line: it was counted when it was spent.
        """

    async def total(
        self, upto: int, *, stream: str | None = None, owner: str | None = None, day: tuple[int, int] | None = None
    ) -> int:
        """Micro-dollars up to a mark: of one stream, of one owner, of one day (from, to), or of several of these.

        A stream or owner that nobody knows has spent nothing.
        """
