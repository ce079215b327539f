"""The decisions every back-end makes about a stream, written once: record, claim, settle, release.

A back-end reads the stream's row, calls one of these inside its transaction, and writes what comes
out. They refuse before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

from msgspec.structs import replace

from greenroom.journal.records import Attempt, Claim, Fork, Lease, Recording, Settlement, Stream
from greenroom.kernel.errors import Conflict, KeyReused, LeaseLost, Malformed, Refused, Unknown
from greenroom.kernel.letters import Letter, Post
from greenroom.kernel.worlds import HOUSE

Work: TypeAlias = Literal["wake", "attempt"]

WAKE_COMMAND = b'["greenroom.wake",{}]'
OPEN_KEY = "open"
#: How the keys of wakes begin; no command may have one, or it would stand in the way of the wake.
WAKE_KEY = "wake/"
#: An attempt that was tried this often without any progress is settled as failed.
MOST_TRIES = 5
#: So many tries count when they are claimed. An attempt that needs more is suspect; its tries count when they begin.
TRUSTED_TRIES = 2


def command_memory(stream: str, n: int, i: int) -> str:
    """Id of the ``i``-th words of the ``n``-th attempt."""
    return f"{stream}/a{n}.{i}"


def born(recording: Recording) -> Stream:
    """The row of a new stream; its first attempt is booked like any other."""
    birth = recording.birth
    assert birth is not None
    return Stream(
        name=recording.stream,
        world=birth.world,
        owner=birth.owner,
        seed=birth.seed,
        player=birth.player,
        mute=birth.mute,
        clock_at=birth.clock_at,
        born_at=recording.now,
    )


def same_request(prior: Attempt, recording: Recording) -> Attempt:
    """The earlier attempt under this key.

    Raises:
        KeyReused: it was for something else.
    """
    if prior.digest != recording.digest:
        raise KeyReused(
            f"key {recording.key!r} was used in stream {recording.stream} for another command; choose a new key"
        )
    return prior


def same_birth(stream: Stream, recording: Recording) -> None:
    """Refuse to take a stream for the one that this recording would make.

    Raises:
        KeyReused: the stream of that name is another world's, owner's or player's, or a branch.
    """
    birth = recording.birth
    if birth is None:
        return
    like = (stream.parent, stream.world, stream.owner, stream.player)
    if like != (None, birth.world, birth.owner, birth.player):
        raise KeyReused(f"there is another stream {stream.name}; choose a name that is free")


def book(stream: Stream, recording: Recording) -> Attempt:
    """Record a command: gives it its number and its moment."""
    attempt = drafted(stream, recording)
    stream.recorded = attempt.n
    stream.recorded_at = attempt.at
    stream.open += 1
    if stream.head_at is None:
        stream.head_at = attempt.at
    schedule(stream)
    return attempt


def drafted(stream: Stream, recording: Recording) -> Attempt:
    """The attempt that recording this command now would give.

    Raises:
        Malformed: the key is of the kind that wakes have.
    """
    if recording.key.startswith(WAKE_KEY):
        raise Malformed(f"a key that begins with {WAKE_KEY!r} is the house's own; choose another")
    now = recording.now if stream.clock_at is None else stream.clock_at
    return Attempt(
        stream=stream.name,
        n=stream.recorded + 1,
        key=recording.key,
        at=max(now, stream.recorded_at, stream.last_at),
        seat=recording.seat,
        command=recording.command,
        digest=recording.digest,
    )


def schedule(stream: Stream) -> None:
    """Work out when there is next something to do."""
    times = [stream.head_at] if stream.head_at is not None else []
    if _heeds_wake(stream):
        times.append(stream.wake_at)  # type: ignore[arg-type]
    if stream.waiting or not times:
        stream.ready_at = None
    else:
        # A sandbox keeps its own time, which says nothing about the house's: what is due there is due now.
        stream.ready_at = min(times) if stream.clock_at is None else 0


def _heeds_wake(stream: Stream) -> bool:
    if stream.wake_at is None or not stream.awake:
        return False
    return stream.clock_at is None or stream.wake_at <= stream.clock_at


def work(stream: Stream, now: int) -> Work | None:
    """What is to be done first in this stream.

    A timer goes before every command recorded at or after its moment. An agent that must act at once
    (its wake is due no later than the last step) goes before a waiting command too, but not twice in
    a row: a person waits for one turn, not for a whole chain of them.
    """
    if stream.waiting:
        return None
    wake = stream.wake_at if _heeds_wake(stream) else None
    if stream.head_at is None:
        limit = now if stream.clock_at is None else stream.clock_at
        return "wake" if wake is not None and wake <= limit else None
    if wake is None or wake > stream.head_at:
        return "attempt"
    return "attempt" if stream.woken and wake <= stream.last_at else "wake"


def book_wake(stream: Stream) -> Attempt:
    """Turn the stream's due wake into an attempt."""
    assert stream.wake_at is not None
    attempt = Attempt(
        stream=stream.name,
        n=stream.recorded + 1,
        key=f"{WAKE_KEY}{stream.version}",
        at=max(stream.wake_at, stream.last_at),
        seat=HOUSE,
        command=WAKE_COMMAND,
        digest=b"",
        rank=0,
    )
    stream.recorded = attempt.n
    stream.open += 1
    stream.head_at = attempt.at
    stream.wake_at = None
    schedule(stream)
    return attempt


def suspect(attempt: Attempt) -> bool:
    """Whether a claimed attempt may be what its earlier workers died of.

    All that a worker had claimed dies with it; a suspect is begun by itself, so that only the guilty one is blamed.
    """
    return attempt.tries > TRUSTED_TRIES


def free(stream: Stream, wall: int) -> bool:
    return stream.busy_until <= wall


def hold(stream: Stream, lease: Lease) -> int:
    """Lease the stream; returns the fencing token."""
    stream.token += 1
    stream.holder = lease.worker
    stream.busy_until = lease.until
    return stream.token


def let_go(stream: Stream, until: int = 0) -> None:
    stream.holder = None
    stream.busy_until = until


def fence(stream: Stream, claim: Claim) -> None:
    """Refuse whoever no longer holds the stream.

    Raises:
        LeaseLost: another worker took it, or the attempt was cancelled.
    """
    if stream.token != claim.token or stream.holder is None:
        raise LeaseLost(f"stream {stream.name} is no longer held by this worker; nothing was written")


def fits(stream: Stream, claim: Claim, wall: int) -> None:
    """Refuse a draft that was made on a stream as it no longer is.

    Raises:
        Conflict: record it the ordinary way.
    """
    attempt = claim.attempt
    expected = (
        stream.version == claim.stream.version
        and stream.recorded == attempt.n - 1
        and stream.open == 0
        and not stream.waiting
        and free(stream, wall)
        and attempt.at >= max(stream.last_at, stream.recorded_at)
        and not (_heeds_wake(stream) and stream.wake_at <= attempt.at)  # type: ignore[operator]
        and stream.clock_at == claim.stream.clock_at
    )
    if not expected:
        raise Conflict(f"stream {stream.name} moved on; record the command first")


def close(stream: Stream, settlement: Settlement, next_head: int | None) -> Attempt:
    """Apply a settlement to the stream's row; ``next_head`` is the moment of the next open attempt.

    Raises:
        Conflict: the steps do not continue the stream as it is.
    """
    attempt = settlement.claim.attempt
    base = stream.version
    if settlement.steps:
        _advance(stream, settlement)
    if settlement.claim.draft is not None:
        stream.recorded = attempt.n
        stream.recorded_at = attempt.at
    else:
        stream.open -= 1
    stream.head_at = next_head
    stream.wake_at = settlement.wake_at
    stream.woken = attempt.rank == 0
    stream.waiting = False
    stream.outcome = settlement.outcome
    let_go(stream)
    schedule(stream)
    return replace(
        attempt,
        status=settlement.status,
        base=base,
        version=stream.version,
        error=settlement.error,
        kept=settlement.kept,
    )


def released(stream: Stream, names: Iterable[str], found: Callable[[str], Stream | None]) -> tuple[str, ...]:
    """Those of the named streams that go when this one releases them; ``found`` gives None for one that is gone.

    A branch releases only what it played itself: what the shared past played is its parent's.

    Raises:
        Malformed: one is not this stream's to release, or has not ended; a fault of the world.
    """
    going: dict[str, None] = {}
    for name in names:
        try:
            child = found(name)
        except Unknown:
            raise Malformed(f"stream {stream.name} releases {name}, which is not there") from None
        if child is None or (stream.parent is not None and child.player != stream.name):
            continue
        if child.player != stream.name:
            raise Malformed(f"stream {stream.name} releases {name}, which it did not play")
        if child.outcome is None or child.open:
            raise Malformed(f"stream {stream.name} releases {name}, which has not ended")
        going[name] = None
    return tuple(going)


def as_refusal(settlement: Settlement, stream: Stream, reason: str) -> Settlement:
    """The same attempt settled as a refusal: no events, nothing kept but what it cost."""
    return Settlement(
        claim=settlement.claim,
        status="refused",
        error=reason,
        kept=settlement.kept,
        ledger=settlement.ledger,
        answered=settlement.answered,
        wake_at=stream.wake_at,
        outcome=stream.outcome,
        now=settlement.now,
        lease=settlement.lease,
    )


def _advance(stream: Stream, settlement: Settlement) -> None:
    first, last = settlement.steps[0], settlement.steps[-1]
    gapless = last.version == stream.version + len(settlement.steps)
    if first.version != stream.version + 1 or first.at < stream.last_at or not gapless:
        raise Conflict(f"stream {stream.name} is at version {stream.version}; a step {first.version} does not follow")
    stream.version = last.version
    stream.last_at = last.at


def park(stream: Stream, *, until: int, waiting: bool) -> None:
    """Release the stream with its attempt still open."""
    stream.waiting = waiting
    let_go(stream, until)
    schedule(stream)


def withdraw(stream: Stream, attempt: Attempt, other: Attempt | None) -> None:
    """Take an open attempt out of the stream and fence whoever drives it.

    ``other`` is the first of the other open attempts; if that one's turn came before, its driver is left alone.
    """
    stream.open -= 1
    stream.head_at = other.at if other else None
    if attempt.rank == 0:
        stream.woken = True
    if other is None or (attempt.rank, attempt.n) < (other.rank, other.n):
        stream.token += 1
        stream.waiting = False
        let_go(stream)
    schedule(stream)


def ring(stream: Stream) -> None:
    """A child stream ended: whoever waits for it looks again."""
    stream.waiting = False
    schedule(stream)


def advance(stream: Stream, clock_at: int) -> None:
    """Move a sandbox's standing clock forward; from now on it heeds its wakes up to there.

    Raises:
        Refused: the stream is on the house clock.
    """
    if stream.clock_at is None:
        raise Refused(f"stream {stream.name} lives on the house clock; only a branch can be moved by itself")
    stream.clock_at = max(stream.clock_at, clock_at)
    stream.awake = True
    schedule(stream)


def forked(owner: Stream, fork: Fork, last_at: int) -> Stream:
    """The row of a branch: asleep unless asked otherwise, mute, on a standing clock of its own."""
    branch = Stream(
        name=fork.name,
        world=owner.world,
        owner=fork.owner or owner.owner,
        seed=fork.seed,
        born_at=fork.now,
        parent=owner.name,
        forked_at=fork.at,
        awake=fork.awake,
        mute=True,
        clock_at=last_at,
        version=fork.at,
        # Numbers go on where the shared past ends, so that a lineage can be told as one stream.
        recorded=owner.recorded,
        recorded_at=last_at,
        last_at=last_at,
        wake_at=fork.wake_at,
    )
    schedule(branch)
    return branch


def posted(stream: Stream, version: int, post: Post) -> Letter:
    """A letter as a turn wrote it; a branch holds its letters back."""
    return Letter(
        stream=stream.name,
        key=post.key,
        due_at=post.due_at,
        channel=post.channel,
        to=post.to,
        words=post.words,
        subject=post.subject,
        status="held" if stream.mute else "due",
        version=version,
    )
