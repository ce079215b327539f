"""Attempts in memory."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from msgspec.structs import replace

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Claim, Entry, Lease, Receipt, Recording
from greenroom.kernel.errors import Forgotten, LeaseLost, Unknown
from greenroom.kernel.script import Answer


class InmemAttempts:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def record(self, recording: Recording, lease: Lease | None = None) -> Receipt:
        shelf = self._shelf
        if recording.birth is not None and recording.stream not in shelf.streams:
            if recording.stream in shelf.tombstones:
                shelf.stream(recording.stream)
            stream = transitions.born(recording)
        else:
            stream = shelf.stream(recording.stream)
            transitions.same_birth(stream, recording)
            if (prior := shelf.prior(recording)) is not None:
                attempt = transitions.same_request(prior, recording)
                return Receipt(attempt=attempt, new=False, claim=self._claim(recording, lease))
        attempt = transitions.book(stream, recording)
        shelf.attempts[stream.name][attempt.n] = attempt
        shelf.keep_words(stream, attempt, recording)
        shelf.keep(stream)
        return Receipt(attempt=attempt, new=True, claim=self._claim(recording, lease))

    def _claim(self, recording: Recording, lease: Lease | None) -> Claim | None:
        stream = self._shelf.stream(recording.stream)
        if lease is None or not transitions.free(stream, lease.wall):
            return None
        return self._shelf.take(stream, lease, recording.now)

    async def claim(self, lease: Lease, *, now: int, limit: int) -> Sequence[Claim]:
        ready = [
            stream
            for stream in self._shelf.streams.values()
            if stream.ready_at is not None
            and stream.ready_at <= now
            and transitions.free(stream, lease.wall)
            and (lease.worlds is None or stream.world in lease.worlds)
        ]
        ready.sort(key=lambda stream: (stream.ready_at, stream.name))
        claims = (self._shelf.take(copy(stream), lease, now) for stream in ready[:limit])
        return tuple(claim for claim in claims if claim is not None)

    async def begin(self, claim: Claim) -> None:
        name, n = claim.stream.name, claim.attempt.n
        transitions.fence(self._shelf.stream(name), claim)
        self._shelf.attempts[name][n] = replace(self._shelf.attempts[name][n], tries=claim.attempt.tries)

    async def renew(self, claims: Sequence[Claim], lease: Lease) -> Sequence[Claim]:
        kept = []
        for claim in claims:
            try:
                stream = self._shelf.stream(claim.stream.name)
                transitions.fence(stream, claim)
            except (Forgotten, LeaseLost, Unknown):
                continue
            stream.busy_until = lease.until
            self._shelf.keep(stream)
            kept.append(claim)
        return tuple(kept)

    async def answer(self, claim: Claim, answers: Sequence[Answer], ledger: Sequence[Entry] = ()) -> None:
        name, n = claim.stream.name, claim.attempt.n
        transitions.fence(self._shelf.stream(name), claim)
        self._shelf.answers[name, n].update({answer.n: answer for answer in answers})
        self._shelf.ledger.extend((name, n, entry) for entry in ledger)
        self._shelf.attempts[name][n] = replace(self._shelf.attempts[name][n], tries=1)

    async def discard(self, claim: Claim, since: int) -> None:
        name, n = claim.stream.name, claim.attempt.n
        transitions.fence(self._shelf.stream(name), claim)
        stored = self._shelf.answers[name, n]
        self._shelf.answers[name, n] = {i: answer for i, answer in stored.items() if i < since}

    async def release(
        self, claim: Claim, *, until: int = 0, children: Sequence[str] = (), error: str | None = None
    ) -> None:
        shelf, name, n = self._shelf, claim.stream.name, claim.attempt.n
        stream = shelf.stream(name)
        transitions.fence(stream, claim)
        ended = any(shelf.stream(child).outcome is not None for child in children)
        transitions.park(stream, until=until, waiting=bool(children) and not ended)
        attempt = shelf.attempts[name][n]
        shelf.attempts[name][n] = replace(attempt, tries=attempt.tries if error else 0, error=error)
        shelf.keep(stream)

    async def leave(self, worker: str) -> int:
        held = [copy(stream) for stream in self._shelf.streams.values() if stream.holder == worker]
        for stream in held:
            transitions.let_go(stream)
            stream.token += 1
            self._shelf.keep(stream)
        return len(held)

    async def cancel(self, stream: str, n: int) -> Attempt:
        shelf = self._shelf
        attempt = shelf.attempt(stream, n)
        if attempt.status is not None:
            return attempt
        row = shelf.stream(stream)
        head = shelf.head(stream, besides=n)
        transitions.withdraw(row, attempt, head)
        shelf.keep(row)
        shelf.answers.pop((stream, n), None)
        shelf.attempts[stream][n] = replace(attempt, status="cancelled", error="cancelled by the caller")
        return shelf.attempts[stream][n]

    async def find(self, stream: str, n: int) -> Attempt:
        return self._shelf.attempt(stream, n)

    async def next_at(self, after: int = -1, worlds: Sequence[str] | None = None) -> int | None:
        streams = self._shelf.streams.values()
        ready = (stream.ready_at for stream in streams if worlds is None or stream.world in worlds)
        return min((moment for moment in ready if moment is not None and moment > after), default=None)
