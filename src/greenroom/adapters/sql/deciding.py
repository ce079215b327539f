"""What is decided when an attempt is recorded, answered and settled, whatever unit of work it is written on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.unit import UnitOfWork
from greenroom.journal import lineage, transitions
from greenroom.journal.records import Attempt, Claim, Entry, Lease, Receipt, Recording, Settled, Settlement, Stream
from greenroom.kernel.errors import Conflict
from greenroom.kernel.letters import Letter, Post
from greenroom.kernel.script import Answer
from greenroom.kernel.words import Memory

#: Who follows which world: names of followers, by world.
Watched: TypeAlias = Mapping[str, Sequence[str]]


# recording and claiming


def record(unit: UnitOfWork, recording: Recording, lease: Lease | None) -> Receipt:
    """Book a command, or find the attempt that its key was used for; claim the stream if it is free."""
    if recording.birth is not None and not unit.knows(recording.stream):
        unit.refuse_removed(recording.stream)
        stream = transitions.born(recording)
    else:
        stream = unit.stream(recording.stream)
        transitions.same_birth(stream, recording)
        if (prior := unit.prior(recording)) is not None:
            attempt = transitions.same_request(prior, recording)
            return Receipt(attempt=attempt, new=False, claim=_claim(unit, stream, recording, lease, None))
    attempt = transitions.book(stream, recording)
    claim = _claim(unit, stream, recording, lease, attempt)
    if claim is None:
        unit.put_stream(stream)
    if claim is None or claim.attempt.n != attempt.n:
        unit.book(attempt)
    _put_words(unit, stream, attempt, recording, {})
    return Receipt(attempt=attempt, new=True, claim=claim)


def _claim(
    unit: UnitOfWork, stream: Stream, recording: Recording, lease: Lease | None, booked: Attempt | None
) -> Claim | None:
    if lease is None or not transitions.free(stream, lease.wall):
        return None
    fresh = booked is not None and stream.open == 1
    head = booked
    if not fresh:
        head = unit.head(stream.name) or booked if stream.open else None
    return take(unit, stream, lease, recording.now, head, fresh=fresh)


def take(
    unit: UnitOfWork, stream: Stream, lease: Lease, now: int, head: Attempt | None, *, fresh: bool = False
) -> Claim | None:
    """Claim the stream's next work and note that it is held.

    ``head`` is the open attempt whose turn it is; a ``fresh`` one cannot have answers yet.
    """
    kind = transitions.work(stream, now)
    if kind is None:
        return None
    attempt = transitions.book_wake(stream) if kind == "wake" else head
    assert attempt is not None
    attempt = replace(attempt, tries=attempt.tries + 1)
    token = transitions.hold(stream, lease)
    unit.put_stream(stream)
    if fresh:
        unit.book(attempt)
    elif not transitions.suspect(attempt):
        unit.put_attempt(attempt)
    stored = () if fresh or kind == "wake" else unit.answers(attempt)
    return Claim(stream=replace(stream), attempt=attempt, token=token, answers=stored)


# on the way


def begin(unit: UnitOfWork, claim: Claim) -> None:
    """Count the try of a suspect."""
    transitions.fence(unit.stream(claim.stream.name), claim)
    unit.put("tried", (unit.sid(claim.stream.name), claim.attempt.n, claim.attempt.tries))


def answer(unit: UnitOfWork, claim: Claim, answers: Sequence[Answer], ledger: Sequence[Entry]) -> None:
    """Store answers, each once, and what they cost. That is progress: tries are counted anew."""
    name, n = claim.stream.name, claim.attempt.n
    transitions.fence(unit.stream(name), claim)
    sid = unit.sid(name)
    last = {one.n: one for one in answers}
    unit.put_all("answers", [(sid, n, one.n, one.fingerprint, one.body) for one in last.values()])
    unit.put_all("ledger", [rows.entry_row(sid, n, entry) for entry in ledger])
    if claim.attempt.tries > 1:
        unit.put("tried", (sid, n, 1))


def discard(unit: UnitOfWork, claim: Claim, since: int) -> None:
    """Drop the answers from one on."""
    transitions.fence(unit.stream(claim.stream.name), claim)
    unit.put("unanswered", (unit.sid(claim.stream.name), claim.attempt.n, since))


def release(unit: UnitOfWork, claim: Claim, until: int, children: Sequence[str], error: str | None) -> None:
    """Give the stream back."""
    stream = unit.stream(claim.stream.name)
    transitions.fence(stream, claim)
    ended = any(unit.stream(child).outcome is not None for child in children)
    transitions.park(stream, until=until, waiting=bool(children) and not ended)
    unit.put_stream(stream)
    unit.put("parked", (unit.sid(stream.name), claim.attempt.n, error))


# settling


def touched(settlement: Settlement) -> Sequence[str]:
    """The streams that a settlement writes: its own, and the one that plays it when it ends."""
    stream = settlement.claim.stream
    if settlement.outcome is not None and stream.player is not None:
        return (stream.name, stream.player)
    return (stream.name,)


def checked(unit: UnitOfWork, settlement: Settlement) -> Stream:
    """The stream, if the settlement still fits it.

    Raises:
        LeaseLost, Conflict: it does not.
    """
    claim = settlement.claim
    stream = unit.stream(claim.stream.name)
    if claim.draft is None:
        transitions.fence(stream, claim)
        return stream
    if not claim.draft.fresh and unit.prior(claim.draft) is not None:
        raise Conflict(f"key {claim.draft.key!r} is recorded in stream {stream.name} already")
    assert settlement.lease is not None
    transitions.fits(stream, claim, settlement.lease.wall)
    return stream


def settle(unit: UnitOfWork, stream: Stream, settlement: Settlement, watched: Watched) -> Settled:
    """Close an attempt with everything its turn led to, and claim what follows."""
    claim = settlement.claim
    waits = stream.open > (0 if claim.draft is not None else 1)
    head = unit.head(stream.name, besides=claim.attempt.n) if waits else None
    rang = stream.outcome is None and settlement.outcome is not None
    attempt = transitions.close(stream, settlement, head.at if head else None)
    unit.put_stream(stream)
    if claim.draft is not None:
        unit.book(attempt)
    else:
        unit.put_attempt(attempt)
    _put_turn(unit, stream, attempt, settlement)
    if settlement.steps and stream.world in watched:
        note(unit, stream, watched)
    if rang and stream.player is not None and unit.knows(stream.player):
        parent = unit.stream(stream.player)
        transitions.ring(parent)
        unit.put_stream(parent)
    following = None
    if settlement.lease is not None and stream.ready_at is not None:
        following = take(unit, replace(stream), settlement.lease, settlement.now, head)
    return Settled(stream=following.stream if following else stream, attempt=attempt, next=following)


def note(unit: UnitOfWork, stream: Stream, watched: Watched) -> None:
    """Note for those who follow the stream's world that it moved; a sandbox is nobody's to follow."""
    if stream.parent is None and stream.clock_at is None:
        sid, told = unit.sid(stream.name), lineage.kept_from(stream)
        unit.put_all("followed", [(name, sid, told, stream.version) for name in watched.get(stream.world, ())])


def _put_turn(unit: UnitOfWork, stream: Stream, attempt: Attempt, settlement: Settlement) -> None:
    sid = unit.sid(stream.name)
    unit.put_all("steps", [rows.step_row(sid, step) for step in settlement.steps])
    unit.put_all("snapshots", [(sid, s.version, s.shape, s.state) for s in settlement.snapshots])
    _put_memories(unit, sid, stream, attempt, settlement)
    if settlement.letters:
        _put_letters(unit, sid, stream, settlement)
    unit.put_all("ledger", [rows.entry_row(sid, attempt.n, entry) for entry in settlement.ledger])
    unit.change_all(stream, settlement.changes)
    if settlement.answered:
        unit.put("unanswered", (sid, attempt.n, 0))


def _put_memories(unit: UnitOfWork, sid: int, stream: Stream, attempt: Attempt, settlement: Settlement) -> None:
    draft = settlement.claim.draft
    heard = {memory.id: (version, memory) for version, memory in settlement.memories if memory.text is None}
    if draft is not None:
        _put_words(unit, stream, attempt, draft, heard)
    for version, memory in heard.values():
        place = (version, memory.agent, memory.kind, memory.speaker, rows.meta_text(memory), memory.supersedes)
        unit.put("placed", (*place, memory.id))
    for version, memory in settlement.memories:
        if memory.text is not None:
            unit.put("memories", rows.memory_row(sid, stream.world, version, attempt.at, memory))


def _put_words(
    unit: UnitOfWork, stream: Stream, attempt: Attempt, recording: Recording, heard: dict[str, tuple[int, Memory]]
) -> None:
    """Store the words of a command; ``heard`` are those its turn has given to an agent already."""
    sid, owner = unit.sid(stream.name), recording.person or stream.owner
    for i, text in enumerate(recording.texts):
        id = transitions.command_memory(stream.name, attempt.n, i)
        version, memory = heard.pop(id, (None, None))
        if memory is None:
            memory = Memory(id=id, owner=owner, agent="", text=text, speaker=recording.seat)
        else:
            memory = replace(memory, text=text, owner=owner)
        unit.put("memories", rows.memory_row(sid, stream.world, version, attempt.at, memory))


def _put_letters(unit: UnitOfWork, sid: int, stream: Stream, settlement: Settlement) -> None:
    """One change for each letter: a statement may not write a row twice."""
    posted: dict[str, Letter] = {}
    withdrawn: dict[str, int] = {}
    for version, change in settlement.letters:
        if isinstance(change, Post):
            posted[change.key] = transitions.posted(stream, version, change)
        elif change.key in posted:
            posted[change.key] = replace(posted[change.key], status="cancelled", closed=version)
        else:
            withdrawn.setdefault(change.key, version)
    unit.put_all("withdrawn", [(version, sid, key) for key, version in withdrawn.items()])
    unit.put_all("letters", [rows.letter_row(sid, letter) for letter in posted.values()])
