"""History in PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from msgspec.structs import replace

from greenroom.adapters.postgres.connection import Link
from greenroom.adapters.postgres.page import Page
from greenroom.adapters.postgres.store import Chain, Store
from greenroom.adapters.postgres.writer import Job
from greenroom.adapters.sql import rows
from greenroom.adapters.sql.taking import put_words, take
from greenroom.kernel import desk, lineage
from greenroom.kernel.errors import Conflict, OutOfRange
from greenroom.kernel.journal import Attempt, Fork, Loaded, Settled, Settlement, Snapshot, Step, Stream
from greenroom.kernel.letters import Letter, Post
from greenroom.kernel.words import Memory

#: Steps read at a time when a whole history is walked.
PAGE = 500
#: PostgreSQL cuts longer names.
_MOST_NAME = 63


@dataclass(frozen=True, slots=True)
class Settle:
    settlement: Settlement
    #: The sentence of each unique constraint, by its name.
    refusals: Mapping[str, str]

    @property
    def streams(self) -> Sequence[str]:
        stream = self.settlement.claim.stream
        rings = self.settlement.outcome is not None and stream.player is not None
        return (stream.name, stream.player) if rings else (stream.name,)  # type: ignore[return-value]

    @property
    def keys(self) -> Mapping[str, str]:
        draft = self.settlement.claim.draft
        return {} if draft is None else {draft.stream: draft.key}

    def instead(self, clash: str, constraint: str | None) -> Job | None:
        """The rows broke a rule of their table: that will not change by trying again."""
        if not self.settlement.changes:
            return None
        stream = self.settlement.claim.stream
        refusal = self.refusals.get(constraint or "")
        if refusal is not None:
            return Settle(desk.as_refusal(self.settlement, stream, refusal), self.refusals)
        failed = desk.as_refusal(self.settlement, stream, f"a table refused the change: {clash}")
        return Settle(replace(failed, status="failed"), self.refusals)

    def decide(self, page: Page) -> Settled:
        settlement, claim = self.settlement, self.settlement.claim
        stream = self._checked(page)
        waits = stream.open > (0 if claim.draft is not None else 1)
        head = page.head(stream.name, besides=claim.attempt.n) if waits else None
        rang = stream.outcome is None and settlement.outcome is not None
        attempt = desk.close(stream, settlement, head.at if head else None)
        page.put_stream(stream)
        page.put_attempt(attempt)
        _put_turn(page, stream, attempt, settlement)
        if rang and stream.player is not None and page.knows(stream.player):
            parent = page.stream(stream.player)
            desk.ring(parent)
            page.put_stream(parent)
        following = None
        if settlement.lease is not None and stream.ready_at is not None:
            following = take(page, copy(stream), settlement.lease, settlement.now, head)
        return Settled(stream=following.stream if following else stream, attempt=attempt, next=following)

    def _checked(self, page: Page) -> Stream:
        claim = self.settlement.claim
        stream = page.stream(claim.stream.name)
        if claim.draft is None:
            desk.fence(stream, claim)
        else:
            if page.prior(claim.draft) is not None:
                raise Conflict(f"key {claim.draft.key!r} is recorded in stream {stream.name} already")
            assert self.settlement.lease is not None
            desk.fits(stream, claim, self.settlement.lease.wall)
        return stream


def _put_turn(page: Page, stream: Stream, attempt: Attempt, settlement: Settlement) -> None:
    sid = page.sid(stream.name)
    page.put_all("steps", (rows.step_row(sid, step) for step in settlement.steps))
    page.put_all("snapshots", ((sid, s.version, s.shape, s.state) for s in settlement.snapshots))
    _put_memories(page, stream, attempt, settlement)
    _put_letters(page, stream, settlement)
    page.put_all("ledger", (rows.entry_row(sid, attempt.n, entry) for entry in settlement.ledger))
    page.change_all(stream, settlement.changes)
    if settlement.answered:
        page.put("unanswered", (sid, attempt.n, 0))


def _put_memories(page: Page, stream: Stream, attempt: Attempt, settlement: Settlement) -> None:
    sid, draft = page.sid(stream.name), settlement.claim.draft
    heard = {memory.id: (version, memory) for version, memory in settlement.memories if memory.text is None}
    if draft is not None:
        put_words(page, stream, attempt, draft, heard)
    page.put_all("placed", (_placement(version, memory) for version, memory in heard.values()))
    for version, memory in settlement.memories:
        if memory.text is not None:
            page.put("memories", rows.memory_row(sid, stream.world, version, attempt.at, memory))


def _placement(version: int, memory: Memory) -> rows.Row:
    return (
        version, memory.agent, memory.kind, memory.speaker, rows.meta_text(memory), memory.supersedes, memory.id,
    )  # fmt: skip


def _put_letters(page: Page, stream: Stream, settlement: Settlement) -> None:
    """One change for each letter: a statement may not write a row twice."""
    sid = page.sid(stream.name)
    posted: dict[str, Letter] = {}
    for version, change in settlement.letters:
        if isinstance(change, Post):
            posted[change.key] = _letter(stream, version, change)
        elif change.key in posted:
            posted[change.key] = replace(posted[change.key], status="cancelled", closed=version)
        else:
            page.put("withdrawn", (version, sid, change.key))
    page.put_all("letters", (rows.letter_row(sid, letter) for letter in posted.values()))


def _letter(stream: Stream, version: int, change: Post) -> Letter:
    return Letter(
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


class PostgresHistory:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._refusals = {
            f"uq_{name}_{'_'.join(unique.columns)}"[:_MOST_NAME]: unique.refusal
            for name, projection in store.projections.items()
            for unique in projection.table.unique
        }

    async def settle(self, settlement: Settlement) -> Settled:
        settled: Settled = await self._store.write(Settle(settlement, self._refusals))
        return settled

    async def load(self, stream: str, upto: int | None = None, *, snapshots: bool = True) -> Loaded:
        chain = await self._store.chain(stream)
        head = chain[stream][1]
        version = head.version if upto is None else upto
        if not 0 <= version <= head.version:
            raise OutOfRange(f"stream {stream} holds versions 0 to {head.version}; {version} is not among them")
        snapshot = await self._snapshot(chain, version, wanted=snapshots)
        after = snapshot.version if snapshot else 0
        steps = await self._steps(chain, max(after - 1, 0), version)
        stood = steps.pop(0) if after else None
        return Loaded(stream=head, version=version, snapshot=snapshot, stood=stood, steps=tuple(steps))

    async def _snapshot(self, chain: Chain, version: int, *, wanted: bool) -> Snapshot | None:
        for segment in lineage.segments([stream for _, stream in chain.values()], version):
            sid, owner = chain[segment.stream]
            lineage.check_kept(owner, segment.upto)
            row = await self._store.links.row(
                f"SELECT {rows.SNAPSHOT} FROM snapshots WHERE sid = $1 AND version > $2 AND version <= $3 "
                "ORDER BY version DESC LIMIT 1",
                sid,
                segment.after,
                segment.upto if wanted else min(segment.upto, owner.mark),
            )
            if row is not None:
                return rows.to_snapshot(row)
        return None

    async def _steps(self, chain: Chain, after: int, upto: int) -> list[Step]:
        found: list[Step] = []
        for segment in reversed(lineage.segments([stream for _, stream in chain.values()], upto)):
            if segment.upto > after:
                page = await self._store.links.fetch(
                    f"SELECT {rows.STEP} FROM steps WHERE sid = $1 AND version > $2 AND version <= $3 ORDER BY version",
                    chain[segment.stream][0],
                    max(after, segment.after),
                    segment.upto,
                )
                found.extend(map(rows.to_step, page))
        return found

    async def steps(self, stream: str, after: int, upto: int) -> AsyncIterator[Step]:
        chain = await self._store.chain(stream)
        while after < upto:
            until = min(upto, after + PAGE)
            for step in await self._steps(chain, after, until):
                yield step
            after = until

    async def fork(self, fork: Fork) -> Stream:
        chain = await self._store.chain(fork.parent)
        owner = lineage.fork_point([stream for _, stream in chain.values()], fork.at)
        async with self._store.act((owner.name, fork.name)) as act:
            page = act.page
            owner = page.stream(owner.name)
            if page.knows(fork.name):
                there = page.stream(fork.name)
                if (there.parent, there.forked_at) == (owner.name, fork.at):
                    return there
                raise Conflict(f"there is another stream {fork.name}; choose a name that is free")
            page.refuse_removed(fork.name)
            last_at = await act.link.value(
                "SELECT at FROM steps WHERE sid = $1 AND version = $2", page.sid(owner.name), fork.at
            )
            branch = desk.forked(owner, fork, last_at)
            page.put_stream(branch)
            await self._copy_letters(act.link, page.sid(owner.name), page.sid(branch.name), branch)
        return branch

    @staticmethod
    async def _copy_letters(link: Link, owner: int, sid: int, branch: Stream) -> None:
        """What was pending then is pending in the sandbox, held."""
        columns = "key, due_at, channel, recipient, words, subject, version"
        await link.run(
            f"INSERT INTO letters (sid, {columns}, status, tries, token, busy_until) "
            f"SELECT $1, {columns}, 'held', 0, 0, 0 FROM letters "
            "WHERE sid = $2 AND version <= $3 AND (closed IS NULL OR closed > $3)",
            sid,
            owner,
            branch.forked_at,
        )
