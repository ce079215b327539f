"""Small builders for the records that pass through the ports, and a scribe who writes whole turns with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from inspect import signature
from typing import Any, TypeVar

import msgspec

from greenroom.journal.records import (
    Attempt,
    Birth,
    Claim,
    Entry,
    Fork,
    Lease,
    Receipt,
    Recording,
    Settled,
    Settlement,
    Snapshot,
    Step,
    Stream,
)
from greenroom.journal.sums import GENESIS, fold_sum, history_sum
from greenroom.journal.transitions import OPEN_KEY, drafted
from greenroom.kernel.codec import canonical
from greenroom.kernel.letters import Post
from greenroom.kernel.script import Answer
from greenroom.kernel.tables import Column, Put, Table, Unique
from greenroom.kernel.times import moment
from greenroom.kernel.words import Memory
from greenroom.kernel.worlds import HOUSE
from greenroom.ports import Backend

R = TypeVar("R")

#: House clock at which every suite begins.
NOW = 1_900_000_000_000_000
SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
YEAR = 365 * 24 * HOUR

WORLD = "proof"

GUESTS = Table(
    name="proof_guests",
    key=("seat",),
    columns=(
        Column(name="seat", kind="integer"),
        Column(name="email", optional=True),
        Column(name="floor", kind="integer", optional=True),
        Column(name="room", kind="integer", optional=True),
        Column(name="mood", among=("glad", "sad"), optional=True),
    ),
    unique=(
        Unique(columns=("email",), refusal="this e-mail is already registered"),
        Unique(columns=("floor", "room"), refusal="this room is taken"),
    ),
)
LOG = Table(
    name="proof_log",
    key=("id",),
    log=True,
    columns=(
        Column(name="id"),
        Column(name="at", kind="moment", optional=True),
        Column(name="day", kind="date", optional=True),
        Column(name="share", kind="real", optional=True),
        Column(name="good", kind="boolean", optional=True),
        Column(name="facts", kind="json", optional=True),
        Column(name="words", kind="words", optional=True),
    ),
)
VISIT = Table(name="proof_visit", key=(), columns=(Column(name="lines", kind="integer"),))
#: The tables a back-end under test must have.
TABLES = (GUESTS, LOG, VISIT)


def changed(record: R, **fields: Any) -> R:
    """The same record with some fields changed, whether it is a dataclass or a struct."""
    if isinstance(record, msgspec.Struct):
        return msgspec.structs.replace(record, **fields)
    return replace(record, **fields)  # type: ignore[type-var]


def lease(worker: str = "ada", *, wall: int = 0, seconds: int = 10) -> Lease:
    """A wish to hold streams; the machine's clock begins at zero here."""
    return Lease(worker=worker, wall=wall, until=wall + seconds * SECOND)


def digest(body: Any) -> bytes:
    return sha256(canonical(body)).digest()[:16]


def opening(
    stream: str = "s",
    *,
    owner: str = "ada",
    world: str = WORLD,
    config: Any = None,
    now: int = NOW,
    texts: Sequence[str] = (),
    **birth: Any,
) -> Recording:
    """The recording that makes a stream."""
    born = Birth(world=world, owner=owner, seed=birth.pop("seed", 7), **birth)
    return Recording(
        stream=stream,
        key=OPEN_KEY,
        seat=HOUSE,
        command=canonical(("greenroom.open", config)),
        digest=digest(config),
        now=now,
        texts=tuple(texts),
        birth=born,
    )


def recording(
    stream: str = "s",
    key: str = "k1",
    *,
    body: Any = "hello",
    now: int = NOW,
    seat: str = "guest",
    texts: Sequence[str] = (),
    person: str | None = None,
) -> Recording:
    """A command to be recorded; another ``body`` gives another digest."""
    return Recording(
        stream=stream,
        key=key,
        seat=seat,
        command=canonical(("say", body)),
        digest=digest(body),
        now=now,
        texts=tuple(texts),
        person=person,
    )


def state_bytes(version: int) -> bytes:
    """What stands for the state at a version."""
    return canonical({"version": version})


def steps_after(claim: Claim, count: int, previous: bytes = GENESIS) -> tuple[Step, ...]:
    """Steps that continue the stream of a claim."""
    made: list[Step] = []
    at, n = claim.attempt.at, claim.attempt.n
    for version in range(claim.stream.version + 1, claim.stream.version + 1 + count):
        events = canonical([("happened", {"version": version, "by": claim.stream.name})])
        previous = history_sum(previous, version=version, at=at, n=n, events=events)
        fold = fold_sum(1, state_bytes(version))
        made.append(Step(version=version, at=at, n=n, shape=1, events=events, fold=fold, history=previous))
    return tuple(made)


def snapshot(version: int) -> Snapshot:
    return Snapshot(version=version, shape=1, state=state_bytes(version))


def answer(n: int, body: Any = "an answer") -> Answer:
    return Answer(n, fingerprint=bytes([n]) * 8, body=canonical({"ok": body}))


def entry(n: int = 0, **more: Any) -> Entry:
    return Entry(n=n, role="fast", model="scripted", at=NOW, **more)


def memory(id: str, text: str | None = "some words", *, at: int = NOW, **more: Any) -> Memory:
    fields: dict[str, Any] = {"owner": "ada", "agent": "keeper", "at": moment(at)} | more
    return Memory(id=id, text=text, **fields)


def post(key: str = "l1", *, due_at: int = NOW + HOUR, words: str = "s/1.0", **more: Any) -> Post:
    fields: dict[str, Any] = {"channel": "inbox", "to": "bob", "subject": "a letter"} | more
    return Post(key=key, due_at=moment(due_at), words=words, **fields)


def guest(seat: int, **values: Any) -> Put:
    return Put(GUESTS.name, {"seat": seat, **values})


@dataclass(frozen=True, slots=True)
class Scribe:
    """Writes turns at port level, so that a test tells only what it is about."""

    backend: Backend

    async def born(self, stream: str = "s", *, steps: int = 1, now: int = NOW, **more: Any) -> Stream:
        """A stream that was opened and settled."""
        settling = {name: more.pop(name) for name in tuple(more) if name in _SETTLING}
        receipt = await self.backend.attempts.record(opening(stream, now=now, **more), lease())
        assert receipt.claim is not None
        return (await self.settle(receipt.claim, steps=steps, **settling)).stream

    async def taken(self, stream: str = "s", key: str = "k1", *, wall: int = 0, **more: Any) -> Claim:
        """A command recorded and claimed."""
        receipt = await self.backend.attempts.record(recording(stream, key, **more), lease(wall=wall))
        assert receipt.claim is not None, "the stream is not free"
        return receipt.claim

    async def turn(self, stream: str = "s", key: str = "k1", *, steps: int = 1, **more: Any) -> Settled:
        """A command recorded, claimed and settled."""
        settling = {name: more.pop(name) for name in tuple(more) if name in _SETTLING}
        return await self.settle(await self.taken(stream, key, **more), steps=steps, **settling)

    async def settlement(self, claim: Claim, *, steps: int = 1, **more: Any) -> Settlement:
        """What a turn of so many steps leads to."""
        before = claim.stream.version
        previous = GENESIS
        async for step in self.backend.history.steps(claim.stream.name, max(before - 1, 0), before):
            previous = step.history
        fields: dict[str, Any] = {
            "status": "settled",
            "steps": steps_after(claim, steps, previous),
            "wake_at": claim.stream.wake_at,
            "outcome": claim.stream.outcome,
            "answered": True,
            "now": claim.attempt.at,
        }
        last = before + max(steps, 1)
        posted = {"letters": tuple((last, change) for change in more.pop("letters", ()))}
        return Settlement(claim=claim, **(fields | more | posted))

    async def settle(self, claim: Claim, *, steps: int = 1, **more: Any) -> Settled:
        return await self.backend.history.settle(await self.settlement(claim, steps=steps, **more))

    async def draft(self, stream: str = "s", key: str = "k1", **more: Any) -> Claim:
        """A draft on the stream as it stands now."""
        row = await self.backend.streams.get(stream)
        wish = recording(stream, key, **more)
        return Claim(stream=row, attempt=drafted(row, wish), token=None, draft=wish)

    async def settle_draft(self, claim: Claim, *, wall: int = 0, **more: Any) -> Settled:
        return await self.settle(claim, lease=lease(wall=wall), **more)

    async def branch(self, name: str, parent: str = "s", at: int = 1, **more: Any) -> Stream:
        fields: dict[str, Any] = {"seed": 11, "now": NOW} | more
        return await self.backend.history.fork(Fork(parent=parent, at=at, name=name, **fields))

    async def claim(
        self, *, now: int = NOW + YEAR, wall: int = 0, worker: str = "ada", limit: int = 100
    ) -> list[Claim]:
        return list(await self.backend.attempts.claim(lease(worker, wall=wall), now=now, limit=limit))

    async def record(self, stream: str = "s", key: str = "k1", **more: Any) -> Receipt:
        return await self.backend.attempts.record(recording(stream, key, **more))

    async def whole(self, stream: str = "s") -> dict[str, Any]:
        """Everything that is stored of one stream, for comparing before and after."""
        back = self.backend
        row = await back.streams.get(stream)
        return {
            "stream": row,
            "attempts": list(await back.streams.attempts(stream)),
            "steps": [step async for step in back.history.steps(stream, 0, row.version)],
            "loaded": [await back.history.load(stream, version) for version in range(row.version + 1)],
            "letters": list(await back.outbox.list(stream=stream)),
            "memories": sorted(await back.bank.of_stream(stream), key=lambda stored: stored.memory.id),
            "rows": {table.name: list(await back.tables.rows(stream, table)) for table in TABLES},
            "ledger": list(await back.streams.ledger(stream)),
        }


_SETTLING = frozenset(signature(Settlement).parameters) - {"claim", "steps", "now"}


def keys(claims: Sequence[Claim] | Sequence[Attempt]) -> list[str]:
    """The keys of claims or attempts, in order."""
    return [item.attempt.key if isinstance(item, Claim) else item.key for item in claims]
