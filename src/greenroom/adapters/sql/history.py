"""History."""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec.structs import replace

from greenroom.adapters.sql import deciding, rows
from greenroom.adapters.sql.removal import Removal, with_kin
from greenroom.adapters.sql.store import Chain, Clash, Job, Reader, SqlStore, Transaction
from greenroom.adapters.sql.unit import UnitOfWork
from greenroom.journal import lineage, transitions
from greenroom.journal.records import Fork, Loaded, Settled, Settlement, Snapshot, Step, Stream
from greenroom.kernel.errors import BackendError, Conflict, OutOfRange

#: Steps read at a time when a whole history is walked.
PAGE = 500

_SNAPSHOT = f"""
SELECT {rows.SNAPSHOT} FROM snapshots WHERE sid = $1 AND version > $2 AND version <= $3 ORDER BY version DESC LIMIT 1
"""
_STEPS = f"SELECT {rows.STEP} FROM steps WHERE sid = $1 AND version > $2 AND version <= $3 ORDER BY version"
_LETTER = "key, due_at, channel, recipient, words, subject, version"
#: What was pending then is pending in the sandbox, held.
_COPY_LETTERS = f"""
INSERT INTO letters (sid, {_LETTER}, status, tries, token, busy_until) SELECT $1, {_LETTER}, 'held', 0, 0, 0
FROM letters WHERE sid = $2 AND version <= $3 AND (closed IS NULL OR closed > $3)
"""


class SqlHistory:
    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._removal = Removal(store)

    # settling

    async def settle(self, settlement: Settlement) -> Settled:
        job = self._job(settlement)
        if settlement.releases:
            try:
                return await self._settle_and_release(settlement)
            except BackendError as error:
                clash = self._store.clash(error)
                instead = None if clash is None else self._instead(settlement, clash)
                if instead is None:
                    raise
                job = instead
        settled: Settled = await self._store.write(job)
        return settled

    def _job(self, settlement: Settlement) -> Job:
        draft = settlement.claim.draft
        return Job(
            lambda unit: self._decide(unit, settlement),
            deciding.touched(settlement),
            {} if draft is None else {draft.stream: draft.key},
            fresh=draft is not None and draft.fresh,
            # A draft is not recorded yet: whoever gave the command hears that it was not taken.
            patient=draft is None,
            instead=lambda clash: self._instead(settlement, clash),
        )

    def _decide(self, unit: UnitOfWork, settlement: Settlement) -> Settled:
        stream = deciding.checked(unit, settlement)
        return deciding.settle(unit, stream, settlement, self._store.watched)

    def _instead(self, settlement: Settlement, clash: Clash) -> Job | None:
        """The rows broke a rule of their table: that will not change by trying again."""
        if not settlement.changes:
            return None
        stream = settlement.claim.stream
        refusal = self._store.refusals.get(clash.constraint or "")
        if refusal is not None:
            return self._job(transitions.as_refusal(settlement, stream, refusal))
        failed = transitions.as_refusal(settlement, stream, f"a table refused the change: {clash.reason}")
        return self._job(replace(failed, status="failed"))

    async def _settle_and_release(self, settlement: Settlement) -> Settled:
        """In a transaction of its own: what is removed is more than one statement."""

        async def act(unit: Transaction) -> Settled:
            stream = deciding.checked(unit, settlement)
            going = transitions.released(stream, settlement.releases, unit.found)
            settled = deciding.settle(unit, stream, settlement, self._store.watched)
            await self._removal.take_out(unit, await with_kin(unit, going), now=settlement.now)
            return settled

        draft = settlement.claim.draft
        keys = {} if draft is None else {draft.stream: draft.key}
        names = (*deciding.touched(settlement), *settlement.releases)
        return await self._store.act(act, names, keys, heavy=True, patient=draft is None)

    # reading

    async def load(self, stream: str, upto: int | None = None, *, snapshots: bool = True) -> Loaded:
        async def look(reader: Reader) -> Loaded:
            chain = await self._store.chain(reader, stream)
            head = chain[stream][1]
            version = head.version if upto is None else upto
            if not 0 <= version <= head.version:
                raise OutOfRange(f"stream {stream} holds versions 0 to {head.version}; {version} is not among them")
            snapshot = await _snapshot(reader, chain, version, wanted=snapshots)
            after = snapshot.version if snapshot else 0
            steps = await _steps(reader, chain, max(after - 1, 0), version)
            stood = steps.pop(0) if after else None
            return Loaded(stream=head, version=version, snapshot=snapshot, stood=stood, steps=tuple(steps))

        return await self._store.read(look)

    async def steps(self, stream: str, after: int, upto: int) -> AsyncIterator[Step]:
        chain = await self._store.read(lambda reader: self._store.chain(reader, stream))
        while after < upto:
            until = min(upto, after + PAGE)
            for step in await self._store.read(lambda reader, a=after, u=until: _steps(reader, chain, a, u)):  # type: ignore[misc]
                yield step
            after = until

    # branching

    async def fork(self, fork: Fork) -> Stream:
        chain = await self._store.read(lambda reader: self._store.chain(reader, fork.parent))
        name = lineage.fork_point([stream for _, stream in chain.values()], fork.at).name

        async def act(unit: Transaction) -> Stream:
            owner = unit.stream(name)
            if unit.knows(fork.name):
                there = unit.stream(fork.name)
                if (there.parent, there.forked_at) == (owner.name, fork.at):
                    return there
                raise Conflict(f"there is another stream {fork.name}; choose a name that is free")
            unit.refuse_removed(fork.name)
            sid = unit.sid(name)
            last_at = await unit.value("SELECT at FROM steps WHERE sid = $1 AND version = $2", sid, fork.at)
            branch = transitions.forked(owner, fork, last_at)
            unit.put_stream(branch)
            await unit.run(_COPY_LETTERS, unit.sid(branch.name), sid, branch.forked_at)
            return branch

        return await self._store.act(act, (name, fork.name))


async def _snapshot(reader: Reader, chain: Chain, version: int, *, wanted: bool) -> Snapshot | None:
    for segment in lineage.segments([stream for _, stream in chain.values()], version):
        sid, owner = chain[segment.stream]
        lineage.check_kept(owner, segment.upto)
        upto = segment.upto if wanted else min(segment.upto, owner.mark)
        row = await reader.one(_SNAPSHOT, sid, segment.after, upto)
        if row is not None:
            return rows.to_snapshot(row)
    return None


async def _steps(reader: Reader, chain: Chain, after: int, upto: int) -> list[Step]:
    found: list[Step] = []
    for segment in reversed(lineage.segments([stream for _, stream in chain.values()], upto)):
        if segment.upto > after:
            sid = chain[segment.stream][0]
            found.extend(map(rows.to_step, await reader.all(_STEPS, sid, max(after, segment.after), segment.upto)))
    return found
