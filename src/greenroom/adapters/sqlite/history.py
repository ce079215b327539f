"""History in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from greenroom.adapters.sql import deciding
from greenroom.adapters.sqlite import removal, rows
from greenroom.adapters.sqlite.filling import Job
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Store, Writing
from greenroom.journal import lineage, transitions
from greenroom.journal.records import Fork, Loaded, Settled, Settlement, Snapshot, Step, Stream
from greenroom.kernel.errors import Conflict, OutOfRange, Refused

#: Steps read at a time when a whole history is walked.
PAGE = 500

_UNIQUE = "UNIQUE constraint failed: "


class Settle(msgspec.Struct, frozen=True):
    settlement: Settlement
    #: The sentence of each unique constraint, by its columns as SQLite names them.
    refusals: Mapping[str, str]
    watched: deciding.Watched
    secret: bytes

    @property
    def heavy(self) -> bool:
        return bool(self.settlement.releases)

    @property
    def patient(self) -> bool:
        """A draft is not recorded yet: whoever gave the command hears that it was not taken."""
        return self.settlement.claim.draft is None

    @property
    def streams(self) -> Sequence[str]:
        return (*deciding.touched(self.settlement), *self.settlement.releases)

    @property
    def keys(self) -> Sequence[tuple[str, str]]:
        draft = self.settlement.claim.draft
        return () if draft is None or draft.fresh else ((draft.stream, draft.key),)

    def instead(self, clash: str) -> Job | None:
        """The rows broke a rule of their table: that will not change by trying again."""
        if not self.settlement.changes:
            return None
        stream = self.settlement.claim.stream
        refusal = self.refusals.get(clash.removeprefix(_UNIQUE))
        if refusal is not None:
            return Settle(
                transitions.as_refusal(self.settlement, stream, refusal), self.refusals, self.watched, self.secret
            )
        failed = transitions.as_refusal(self.settlement, stream, f"a table refused the change: {clash}")
        return Settle(replace(failed, status="failed"), self.refusals, self.watched, self.secret)

    def decide(self, sheet: Sheet) -> Settled:
        settlement = self.settlement
        stream = deciding.checked(sheet, settlement)
        try:
            sheet.check_unique(stream, settlement.changes)
        except Refused as refusal:
            settlement = transitions.as_refusal(settlement, stream, str(refusal))
        going = transitions.released(stream, settlement.releases, lambda name: deciding.found(sheet, name))
        settled = deciding.settle(sheet, stream, settlement, self.watched)
        if going:
            kin = removal.with_kin(sheet.connection, going)
            removal.take_out(sheet, kin, now=settlement.now, secret=self.secret)
        return settled


Chain = Mapping[str, tuple[int, Stream]]


class SqliteHistory:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._refusals = {
            ", ".join(f"{name}.{column}" for column in unique.columns): unique.refusal
            for name, projection in store.projections.items()
            for unique in projection.table.unique
        }

    async def settle(self, settlement: Settlement) -> Settled:
        store = self._store
        settled: Settled = await store.write(Settle(settlement, self._refusals, store.watched, store.secret))
        return settled

    async def load(self, stream: str, upto: int | None = None, *, snapshots: bool = True) -> Loaded:
        return await self._store.read(lambda connection: self._load(connection, stream, upto, wanted=snapshots))

    def _load(self, connection: sqlite3.Connection, stream: str, upto: int | None, *, wanted: bool) -> Loaded:
        chain = self._store.chain(connection, stream)
        head = chain[stream][1]
        version = head.version if upto is None else upto
        if not 0 <= version <= head.version:
            raise OutOfRange(f"stream {stream} holds versions 0 to {head.version}; {version} is not among them")
        snapshot = _snapshot(connection, chain, version, wanted=wanted)
        after = snapshot.version if snapshot else 0
        steps = _steps(connection, chain, max(after - 1, 0), version)
        stood = steps.pop(0) if after else None
        return Loaded(stream=head, version=version, snapshot=snapshot, stood=stood, steps=tuple(steps))

    async def steps(self, stream: str, after: int, upto: int) -> AsyncIterator[Step]:
        while after < upto:
            until = min(upto, after + PAGE)
            page = await self._store.read(
                lambda c, a=after, u=until: _steps(c, self._store.chain(c, stream), a, u)  # type: ignore[misc]
            )
            for step in page:
                yield step
            after = until

    async def fork(self, fork: Fork) -> Stream:
        def act(sheet: Sheet) -> Stream:
            owner = lineage.fork_point(sheet.chain(fork.parent), fork.at)
            if sheet.knows(fork.name):
                there = sheet.stream(fork.name)
                if (there.parent, there.forked_at) == (owner.name, fork.at):
                    return there
                raise Conflict(f"there is another stream {fork.name}; choose a name that is free")
            sheet.refuse_removed(fork.name)
            (last_at,) = sheet.connection.execute(
                "SELECT at FROM steps WHERE sid = ? AND version = ?", (sheet.sid(owner.name), fork.at)
            ).fetchone()
            branch = transitions.forked(owner, fork, last_at)
            sheet.put_stream(branch)
            _copy_letters(sheet, owner.name, branch)
            return branch

        branch: Stream = await self._store.write(Writing(act))
        return branch


def _copy_letters(sheet: Sheet, owner: str, branch: Stream) -> None:
    """What was pending then is pending in the sandbox, held."""
    columns = "key, due_at, channel, recipient, words, subject, version"
    sheet.run(
        f"INSERT INTO letters (sid, {columns}, status, tries, token, busy_until) "
        f"SELECT ?, {columns}, 'held', 0, 0, 0 FROM letters "
        "WHERE sid = ? AND version <= ? AND (closed IS NULL OR closed > ?)",
        (sheet.sid(branch.name), sheet.sid(owner), branch.forked_at, branch.forked_at),
    )


def _snapshot(connection: sqlite3.Connection, chain: Chain, version: int, *, wanted: bool) -> Snapshot | None:
    for segment in lineage.segments([stream for _, stream in chain.values()], version):
        sid, owner = chain[segment.stream]
        lineage.check_kept(owner, segment.upto)
        row = connection.execute(
            f"SELECT {rows.SNAPSHOT} FROM snapshots WHERE sid = ? AND version > ? AND version <= ? "
            "ORDER BY version DESC LIMIT 1",
            (sid, segment.after, segment.upto if wanted else min(segment.upto, owner.mark)),
        ).fetchone()
        if row is not None:
            return rows.to_snapshot(row)
    return None


def _steps(connection: sqlite3.Connection, chain: Chain, after: int, upto: int) -> list[Step]:
    found: list[Step] = []
    for segment in reversed(lineage.segments([stream for _, stream in chain.values()], upto)):
        if segment.upto > after:
            page = connection.execute(
                f"SELECT {rows.STEP} FROM steps WHERE sid = ? AND version > ? AND version <= ? ORDER BY version",
                (chain[segment.stream][0], max(after, segment.after), segment.upto),
            )
            found.extend(map(rows.to_step, page))
    return found
