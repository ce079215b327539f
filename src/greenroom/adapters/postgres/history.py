"""History in PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from greenroom.adapters.postgres import removal
from greenroom.adapters.postgres.connection import Link
from greenroom.adapters.postgres.page import Page
from greenroom.adapters.postgres.store import Chain, Store
from greenroom.adapters.postgres.writer import MISFITS, Job, reason_of
from greenroom.adapters.sql import deciding, rows
from greenroom.journal import lineage, transitions
from greenroom.journal.records import Fork, Loaded, Settled, Settlement, Snapshot, Step, Stream
from greenroom.kernel.errors import BackendError, Conflict, OutOfRange

#: Steps read at a time when a whole history is walked.
PAGE = 500
#: PostgreSQL cuts longer names.
_MOST_NAME = 63


@dataclass(frozen=True, slots=True)
class Settle:
    settlement: Settlement
    #: The sentence of each unique constraint, by its name.
    refusals: Mapping[str, str]
    watched: deciding.Watched

    @property
    def streams(self) -> Sequence[str]:
        return deciding.touched(self.settlement)

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
            return Settle(transitions.as_refusal(self.settlement, stream, refusal), self.refusals, self.watched)
        failed = transitions.as_refusal(self.settlement, stream, f"a table refused the change: {clash}")
        return Settle(replace(failed, status="failed"), self.refusals, self.watched)

    def decide(self, page: Page) -> Settled:
        return deciding.settle(page, deciding.checked(page, self.settlement), self.settlement, self.watched)


def _instead(job: Job, clash: BaseException | None) -> Job | None:
    """What to write when the rows of a settlement broke a rule of their table."""
    if not isinstance(clash, MISFITS):
        return None
    return job.instead(reason_of(clash), getattr(clash, "constraint_name", None))


class PostgresHistory:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._refusals = {
            f"uq_{name}_{'_'.join(unique.columns)}"[:_MOST_NAME]: unique.refusal
            for name, projection in store.projections.items()
            for unique in projection.table.unique
        }

    async def settle(self, settlement: Settlement) -> Settled:
        job: Job = Settle(settlement, self._refusals, self._store.watched)
        if settlement.releases:
            try:
                return await self._settle_and_release(settlement)
            except BackendError as error:
                instead = _instead(job, error.__cause__)
                if instead is None:
                    raise
                job = instead
        settled: Settled = await self._store.write(job)
        return settled

    async def _settle_and_release(self, settlement: Settlement) -> Settled:
        """In a transaction of its own: what is removed is more than one statement."""
        draft = settlement.claim.draft
        keys = {} if draft is None else {draft.stream: draft.key}
        async with self._store.act((*deciding.touched(settlement), *settlement.releases), keys) as act:
            stream = deciding.checked(act.page, settlement)
            going = transitions.released(stream, settlement.releases, act.page.found)
            settled = deciding.settle(act.page, stream, settlement, self._store.watched)
            kin = await removal.with_kin(act.link, going)
            await removal.take_out(act.link, kin, now=settlement.now, secret=self._store.secret)
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
            branch = transitions.forked(owner, fork, last_at)
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
