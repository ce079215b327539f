"""Ports for looking after a house: tables against journal, forgetting, pruning, backing up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from greenroom.journal.records import Attempt, Removed, Snapshot, Step, Stored, Stream
from greenroom.kernel.letters import Letter
from greenroom.kernel.tables import Change, Table


class Tables(Protocol):
    """The rows that events wrote."""

    @property
    def stale(self) -> Sequence[str]:
        """Tables that were declared anew and are empty until they are rebuilt."""

    async def rebuilt(self, table: str) -> None:
        """Every stream's rows of a stale table are back: it counts as whole from now on."""

    async def rows(self, stream: str, table: Table) -> Sequence[Mapping[str, Any]]:
        """The rows of one stream in key order, each with ``version``, the version that last wrote it."""

    async def holder(self, table: Table, column: str, value: str) -> str | None:
        """The stream whose row holds this text in a unique column; None if there is none. Branches are passed over."""

    async def rebuild(self, stream: str, changes: Sequence[tuple[int, Change]], *, since: int, upto: int) -> None:
        """Replace the rows written after ``since`` by what these changes give, in one transaction.

        Raises:
            Conflict: the stream is no longer at version ``upto``, for which the changes were worked out.
        """


class Upkeep(Protocol):
    """Looking after the stored house."""

    async def touch(self) -> None:
        """Take the right to write, and let go of it again.

        Raises:
            BackendError: it is not to be had.
        """

    async def note(self, key: str, value: str) -> None:
        """Keep a short fact about the house as a whole."""

    async def notes(self, prefix: str) -> Mapping[str, str]:
        """The facts whose keys begin like this, by what follows in the key."""

    async def check(self, stream: str | None = None) -> Sequence[str]:
        """Sentences about what is stored and does not fit together; empty when all is well.

        Of one stream: whether its row agrees with its attempts, steps and snapshots. Of the house: the same
        for every stream, rows that belong to no stream, and whatever the storage itself finds damaged.
        """

    async def snapshots(self, stream: str) -> Sequence[int]:
        """The versions at which the stream itself, not an ancestor, keeps a snapshot, in order.

        Raises:
            Unknown: no such stream.
        """

    async def replace_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        """Put a rebuilt snapshot in the place of a damaged one, in whichever stream of the lineage owns it."""

    async def adopt(
        self,
        stream: Stream,
        *,
        attempts: Sequence[Attempt],
        steps: Sequence[Step],
        snapshots: Sequence[Snapshot],
        memories: Sequence[Stored],
        letters: Sequence[Letter],
        changes: Sequence[tuple[int, Change]],
    ) -> None:
        """Take in a whole root stream that comes from a file, in one transaction.

        Raises:
            Conflict: a stream of that name is here already, or one that holds some of the same memories.
            Forgotten: a stream of that name was removed here.
            Refused: a unique column holds one of its values already.
        """

    async def memories(self, owner: str) -> Sequence[Stored]:
        """Every memory of a person, in whatever stream and world, by id."""

    async def kept_by_agents(self, owner: str) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Every row that agents of other frameworks keep of a person, as table and values."""

    async def belongings(self, owner: str) -> Removed:
        """What forgetting a person would remove."""

    async def forget(self, owner: str, *, now: int) -> Removed:
        """Remove a person: their memories and tickets everywhere, what agents of other frameworks keep of them, and
        every stream they own, whole.

        With a stream go its branches and the streams it plays, whoever owns them; a stream that waits for
        one of those is woken. In streams of others only the person's memories go. One transaction;
        afterwards nothing of it is left in the stored bytes but tombstones, keyed digests of stream names.
        What was spent stays in the ledger, added up by day, role and model and tied to nobody. Safe to
        repeat: a call that was cut short after its transaction is finished by the next.

        Raises:
            Locked: the person is removed, but another program still reads the old bytes; repeat the call.
        """

    async def remove(self, streams: Sequence[str], *, now: int, dry: bool) -> Removed:
        """Remove whole streams, leaving tombstones and what they spent. Names that are not here are passed over.

        A stream stays while it has open attempts, while a stream that stays branches from it or is played by
        it, and while the stream that plays it has open attempts: its turn may ask for the outcome again.
        """

    async def releasable(self, stream: str, names: Sequence[str]) -> Removed:
        """What would go if a settlement of the stream released these: a dry run.

        Raises:
            Unknown: no such stream.
            Malformed: the settlement would be refused.
        """

    async def prune(self, stream: str, before: int, *, shape: int, now: int, dry: bool) -> Removed:
        """Remove what lies below the newest sound snapshot of this shape taken before a moment.

        That snapshot becomes the stream's mark, in the same transaction. Steps and snapshots below the mark
        go, memories and rows of log tables written below it, and the words of commands settled below it.
        Such an attempt itself stays with its key, digest and outcome, its command blank: a repeated key is
        still known, and answered that its version is no longer kept. The mark never passes a version that a
        branch continues. Counts ``commands`` (blanked), ``steps``, ``snapshots``, ``memories``, ``rows``.

        Raises:
            Unknown: no such stream.
        """

    async def backups_with(self, owner: str) -> Sequence[str]:
        """Backups that still hold something of this person, and those that cannot be read."""
