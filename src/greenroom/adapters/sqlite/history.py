"""History in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from msgspec.structs import replace

from greenroom.adapters.sql.taking import put_words, take
from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.filling import Job
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Act, Store
from greenroom.kernel import desk, lineage
from greenroom.kernel.errors import Conflict, OutOfRange, Refused
from greenroom.kernel.journal import Attempt, Fork, Loaded, Settled, Settlement, Snapshot, Step, Stream
from greenroom.kernel.letters import Cancel, Letter, Post
from greenroom.kernel.words import Memory

#: Steps read at a time when a whole history is walked.
PAGE = 500

_UNIQUE = "UNIQUE constraint failed: "
_CANCEL = "UPDATE letters SET status = 'cancelled', closed = ? WHERE sid = ? AND key = ? AND status IN ('due', 'held')"
_PLACE = "UPDATE memories SET version = ?, agent = ?, kind = ?, speaker = ?, meta = ?, supersedes = ? WHERE id = ?"


@dataclass(frozen=True, slots=True)
class Settle:
    settlement: Settlement
    #: The sentence of each unique constraint, by its columns as SQLite names them.
    refusals: Mapping[str, str]
    heavy = False

    @property
    def streams(self) -> Sequence[str]:
        stream = self.settlement.claim.stream
        rings = self.settlement.outcome is not None and stream.player is not None
        return (stream.name, stream.player) if rings else (stream.name,)  # type: ignore[return-value]

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
            return Settle(desk.as_refusal(self.settlement, stream, refusal), self.refusals)
        failed = desk.as_refusal(self.settlement, stream, f"a table refused the change: {clash}")
        return Settle(replace(failed, status="failed"), self.refusals)

    def decide(self, sheet: Sheet) -> Settled:
        settlement, claim = self.settlement, self.settlement.claim
        stream = self._checked(sheet)
        try:
            sheet.check_unique(stream, settlement.changes)
        except Refused as refusal:
            settlement = desk.as_refusal(settlement, stream, str(refusal))
        head = sheet.head(stream.name, besides=claim.attempt.n) if stream.open > 1 else None
        rang = stream.outcome is None and settlement.outcome is not None
        attempt = desk.close(stream, settlement, head.at if head else None)
        sheet.put_stream(stream)
        sheet.put_attempt(attempt)
        _put_turn(sheet, stream, attempt, settlement)
        if rang and stream.player is not None and sheet.knows(stream.player):
            parent = sheet.stream(stream.player)
            desk.ring(parent)
            sheet.put_stream(parent)
        following = None
        if settlement.lease is not None and stream.ready_at is not None:
            following = take(sheet, copy(stream), settlement.lease, settlement.now, head)
        return Settled(stream=following.stream if following else stream, attempt=attempt, next=following)

    def _checked(self, sheet: Sheet) -> Stream:
        claim = self.settlement.claim
        stream = sheet.stream(claim.stream.name)
        if claim.draft is None:
            desk.fence(stream, claim)
        else:
            if not claim.draft.fresh and sheet.prior(claim.draft) is not None:
                raise Conflict(f"key {claim.draft.key!r} is recorded in stream {stream.name} already")
            assert self.settlement.lease is not None
            desk.fits(stream, claim, self.settlement.lease.wall)
        return stream


def _put_turn(sheet: Sheet, stream: Stream, attempt: Attempt, settlement: Settlement) -> None:
    sid = sheet.sid(stream.name)
    sheet.put_all("steps", (rows.step_row(sid, step) for step in settlement.steps))
    sheet.put_all("snapshots", ((sid, s.version, s.shape, s.state) for s in settlement.snapshots))
    _put_memories(sheet, stream, attempt, settlement)
    for version, letter in settlement.letters:
        _put_letter(sheet, stream, version, letter)
    sheet.put_all("ledger", (rows.entry_row(sid, attempt.n, entry) for entry in settlement.ledger))
    sheet.change_all(stream, settlement.changes)
    if settlement.answered:
        sheet.run("DELETE FROM answers WHERE sid = ? AND n = ?", (sid, attempt.n))


def _put_memories(sheet: Sheet, stream: Stream, attempt: Attempt, settlement: Settlement) -> None:
    sid, draft = sheet.sid(stream.name), settlement.claim.draft
    heard = {memory.id: (version, memory) for version, memory in settlement.memories if memory.text is None}
    if draft is not None:
        put_words(sheet, stream, attempt, draft, heard)
    for version, memory in heard.values():
        sheet.run(_PLACE, _placement(version, memory))
    for version, memory in settlement.memories:
        if memory.text is not None:
            sheet.put("memories", rows.memory_row(sid, stream.world, version, attempt.at, memory))


def _placement(version: int, memory: Memory) -> rows.Row:
    return (
        version, memory.agent, memory.kind, memory.speaker, rows.meta_text(memory), memory.supersedes, memory.id,
    )  # fmt: skip


def _put_letter(sheet: Sheet, stream: Stream, version: int, change: Post | Cancel) -> None:
    sid = sheet.sid(stream.name)
    if isinstance(change, Cancel):
        sheet.run(_CANCEL, (version, sid, change.key))
        return
    letter = Letter(
        stream=stream.name,
        key=change.key,
        due_at=change.due_at,
        channel=change.channel,
        to=change.to,
        words=change.words,
        subject=change.subject,
        status="held" if stream.mute else "due",
        version=version,
    )
    sheet.put("letters", rows.letter_row(sid, letter))


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
        settled: Settled = await self._store.write(Settle(settlement, self._refusals))
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
            branch = desk.forked(owner, fork, last_at)
            sheet.put_stream(branch)
            _copy_letters(sheet, owner.name, branch)
            return branch

        branch: Stream = await self._store.write(Act(act))
        return branch


def _copy_letters(sheet: Sheet, owner: str, branch: Stream) -> None:
    """What was pending then is pending in the sandbox, held."""
    columns = "key, due_at, channel, recipient, words, subject, version"
    sheet.run(
        f"INSERT INTO letters (sid, {columns}, status, tries, token, busy_until) "
        f"SELECT ?1, {columns}, 'held', 0, 0, 0 FROM letters "
        "WHERE sid = ?2 AND version <= ?3 AND (closed IS NULL OR closed > ?3)",
        (sheet.sid(branch.name), sheet.sid(owner), branch.forked_at),
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
