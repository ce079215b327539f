"""The journal's ports: attempts on their way, history as it stands, streams to be found."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from greenroom.journal.records import (
    Attempt,
    Claim,
    Entry,
    Fork,
    Lease,
    Loaded,
    Receipt,
    Recording,
    Settled,
    Settlement,
    Step,
    Stream,
)
from greenroom.kernel.script import Answer


class Attempts(Protocol):
    """Commands from the moment they are recorded until they are settled."""

    async def record(self, recording: Recording, lease: Lease | None = None) -> Receipt:
        """Store a command, once per key, and lease its stream if asked and free.

        A repeated key with the same digest gives the earlier attempt, and the lease all the same; keys of a
        branch's shared past count. The attempt's moment is never before an earlier one of the stream. Words become
        memories.
        With a ``birth``, the stream is made too; a stream of that name must have been born the same way.

        Raises:
            Unknown: no such stream.
            Forgotten: there was such a stream.
            KeyReused: the key came with another digest, or the stream was born otherwise.
            Malformed: the key is of the kind that wakes have.
        """

    async def claim(self, lease: Lease, *, now: int, limit: int) -> Sequence[Claim]:
        """Lease up to ``limit`` streams that have something to do, the longest ready first.

        A stream of a world that the lease does not name is passed over, and nothing of it is counted.
        A wake that is due comes as an attempt of its own, at its own moment, before later commands.
        A stream that is held, or backs off, is left alone until the machine's clock says otherwise.
        The claim says which try of its attempt it is for. The first two count by being claimed.
        """

    async def begin(self, claim: Claim) -> None:
        """Count the try of a claim whose attempt is suspect: its turn begins now.

        Raises:
            LeaseLost: nothing was counted.
        """

    async def renew(self, claims: Sequence[Claim], lease: Lease) -> Sequence[Claim]:
        """Lengthen leases; returns the claims that are still held."""

    async def answer(self, claim: Claim, answers: Sequence[Answer], ledger: Sequence[Entry] = ()) -> None:
        """Store answers, with what they cost. An answer is progress: the count of tries starts again.

        Raises:
            LeaseLost: nothing was written.
        """

    async def discard(self, claim: Claim, since: int) -> None:
        """Remove the answers from ask ``since`` on; the ledger keeps what they cost.

        Raises:
            LeaseLost: nothing was removed.
        """

    async def release(
        self, claim: Claim, *, until: int = 0, children: Sequence[str] = (), error: str | None = None
    ) -> None:
        """Give the stream back with its attempt open, until a moment on the machine's clock.

        With ``children``, the stream sleeps until one of them ends – unless one has ended already,
        which is checked in the same transaction. An ``error`` counts as a failed try; anything else
        starts the count again.

        Raises:
            LeaseLost: nothing was written.
        """

    async def leave(self, worker: str) -> int:
        """Give back whatever a worker holds, its attempts open; returns how many streams. For a worker that goes."""

    async def cancel(self, stream: str, n: int) -> Attempt:
        """Settle an open attempt as cancelled and fence whoever drives it; a settled one stays as it is.

        Raises:
            Unknown: no such stream or attempt.
        """

    async def find(self, stream: str, n: int) -> Attempt:
        """One attempt as it stands.

        Raises:
            Unknown: no such stream or attempt.
        """

    async def next_at(self, after: int = -1, worlds: Sequence[str] | None = None) -> int | None:
        """The earliest moment of the house clock, later than ``after``, at which a stream has something to do.

        With ``worlds``, a stream of one of these.
        """


class History(Protocol):
    """What happened."""

    async def settle(self, settlement: Settlement) -> Settled:
        """Write everything an attempt led to, in one transaction, and give the stream back.

        A draft is recorded by the same transaction. With a ``lease``, the stream's next work comes
        back as a claim. A unique column that holds the value already turns the settlement into a
        refusal with that column's sentence. The first outcome wakes the stream that plays this one. Streams that it
        ``releases`` are removed whole, as :meth:`Upkeep.remove` does, with their branches and the streams they play;
        one that is gone already is passed over, and so is, for a branch, one that its parent played.

        Raises:
            Malformed: it releases a stream that it did not play or that has not ended; nothing was written.
            LeaseLost: another worker holds the stream; nothing was written.
            Conflict: the stream is not at the version the steps continue; nothing was written.
        """

    async def load(self, stream: str, upto: int | None = None, *, snapshots: bool = True) -> Loaded:
        """The newest snapshot at or below a version and the steps after it, through the lineage.

        Raises:
            Unknown: no such stream.
            Forgotten: there was such a stream.
            OutOfRange: the stream does not hold that version.
        """

    def steps(self, stream: str, after: int, upto: int) -> AsyncIterator[Step]:
        """The steps of a lineage in order, however many."""

    async def fork(self, fork: Fork) -> Stream:
        """Make a branch: a pointer, asleep and mute; pending letters are copied as held.

        A fork at or below the parent's own fork point continues the grandparent. Making the same
        branch again gives the one that is there.

        Raises:
            Unknown: no such parent.
            OutOfRange: the parent does not hold that version.
            Conflict: another stream has that name.
        """


class Streams(Protocol):
    """Finding streams and what waits in them."""

    async def get(self, stream: str) -> Stream:
        """One stream as it stands.

        Raises:
            Unknown: no such stream.
            Forgotten: there was such a stream.
        """

    async def list(
        self,
        *,
        world: str | None = None,
        owner: str | None = None,
        parent: str | None = None,
        children: bool = True,
        limit: int = 100,
        after: str = "",
    ) -> Sequence[Stream]:
        """Streams by name, a page at a time; without ``children``, those that no other stream plays."""

    async def attempts(self, stream: str, *, after: int = 0, limit: int = 1000) -> Sequence[Attempt]:
        """The attempts of one stream in order, its own only."""

    async def lineage(self, stream: str) -> Sequence[Stream]:
        """The stream and its ancestors, child to root."""

    async def advance(self, stream: str, clock_at: int) -> Stream:
        """Move the standing clock of a sandbox forward and wake it.

        Raises:
            Refused: the stream is on the house clock.
        """

    async def ledger(self, stream: str) -> Sequence[tuple[int, Entry]]:
        """What the asks of one stream used, with the attempt of each."""
