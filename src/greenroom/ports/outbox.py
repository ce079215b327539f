"""The port of outgoing letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from greenroom.journal.records import Lease, Recording
from greenroom.kernel.letters import Letter, LetterStatus


class Outbox(Protocol):
    """Letters waiting to be sent: lease, send, settle."""

    async def lease(self, lease: Lease, *, now: int, limit: int) -> Sequence[Letter]:
        """Take letters that are due and held by nobody, the longest due first; of the worlds that the lease names."""

    async def settle(
        self,
        letter: Letter,
        status: LetterStatus,
        *,
        until: int = 0,
        error: str | None = None,
        news: Recording | None = None,
    ) -> None:
        """Say what became of a leased letter, and record the news for its stream in the same transaction.

        ``due`` gives it back, to be tried again after ``until`` on the machine's clock.

        Raises:
            LeaseLost: another worker took the letter; nothing was written.
        """

    async def list(self, *, stream: str | None = None, status: LetterStatus | None = None) -> Sequence[Letter]:
        """Letters, the earliest due first."""

    async def mark(self, stream: str, key: str, status: LetterStatus) -> Letter:
        """An operator's decision about an unsent letter: hold it, let it go (``due``) or cancel it.

        Raises:
            Unknown: no such letter.
            Refused: it was sent already.
        """

    async def next_at(self, after: int = -1, worlds: Sequence[str] | None = None) -> int | None:
        """The earliest moment of the house clock, later than ``after``, at which a letter is due.

        With ``worlds``, a letter of one of these.
        """
