"""What both SQL back-ends decide alike when an attempt is recorded, answered and settled, whatever they write on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec.structs import replace

from greenroom.adapters.sql import rows
from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Claim, Entry, Lease, Receipt, Recording, Settled, Settlement, Stream
from greenroom.kernel.errors import Conflict, Forgotten
from greenroom.kernel.letters import Letter, Post
from greenroom.kernel.script import Answer
from greenroom.kernel.tables import Change
from greenroom.kernel.words import Memory

#: Who follows which world: names of followers, by world.
Watched: TypeAlias = Mapping[str, Sequence[str]]


class Paper(Protocol):
    """What a job reads from and writes on: SQLite's sheet, PostgreSQL's page."""

    def stream(self, name: str) -> Stream: ...

    def knows(self, name: str) -> bool: ...

    def refuse_removed(self, name: str) -> None: ...

    def sid(self, name: str) -> int: ...

    def prior(self, recording: Recording) -> Attempt | None: ...

    def head(self, name: str, besides: int | None = None) -> Attempt | None: ...

    def answers(self, attempt: Attempt) -> tuple[Answer, ...]: ...

    def put(self, kind: str, row: rows.Row) -> None: ...

    def put_all(self, kind: str, lines: Iterable[rows.Row]) -> None: ...

    def put_stream(self, stream: Stream) -> None: ...

    def book(self, attempt: Attempt) -> None: ...

    def put_attempt(self, attempt: Attempt) -> None: ...

    def change_all(self, stream: Stream, changes: Iterable[tuple[int, Change]]) -> None: ...


# recording and claiming


def record(paper: Paper, recording: Recording, lease: Lease | None) -> Receipt:
    """Book a command, or find the attempt that its key was used for; claim the stream if it is free."""
    if recording.birth is not None and not paper.knows(recording.stream):
        paper.refuse_removed(recording.stream)
        stream = transitions.born(recording)
    else:
        stream = paper.stream(recording.stream)
        transitions.same_birth(stream, recording)
        if (prior := paper.prior(recording)) is not None:
            attempt = transitions.same_request(prior, recording)
            return Receipt(attempt=attempt, new=False, claim=_claim(paper, stream, recording, lease, None))
    attempt = transitions.book(stream, recording)
    claim = _claim(paper, stream, recording, lease, attempt)
    if claim is None:
        paper.put_stream(stream)
    if claim is None or claim.attempt.n != attempt.n:
        paper.book(attempt)
    _put_words(paper, stream, attempt, recording, {})
    return Receipt(attempt=attempt, new=True, claim=claim)


def _claim(
    paper: Paper, stream: Stream, recording: Recording, lease: Lease | None, booked: Attempt | None
) -> Claim | None:
    if lease is None or not transitions.free(stream, lease.wall):
        return None
    fresh = booked is not None and stream.open == 1
    head = booked
    if not fresh:
        head = paper.head(stream.name) or booked if stream.open else None
    return take(paper, stream, lease, recording.now, head, fresh=fresh)


def take(
    paper: Paper, stream: Stream, lease: Lease, now: int, head: Attempt | None, *, fresh: bool = False
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
    paper.put_stream(stream)
    if fresh:
        paper.book(attempt)
    elif not transitions.suspect(attempt):
        paper.put_attempt(attempt)
    stored = () if fresh or kind == "wake" else paper.answers(attempt)
    return Claim(stream=replace(stream), attempt=attempt, token=token, answers=stored)


# on the way


def begin(paper: Paper, claim: Claim) -> None:
    """Count the try of a suspect."""
    transitions.fence(paper.stream(claim.stream.name), claim)
    paper.put("tried", (paper.sid(claim.stream.name), claim.attempt.n, claim.attempt.tries))


def answer(paper: Paper, claim: Claim, answers: Sequence[Answer], ledger: Sequence[Entry]) -> None:
    """Store answers, each once, and what they cost. That is progress: tries are counted anew."""
    name, n = claim.stream.name, claim.attempt.n
    transitions.fence(paper.stream(name), claim)
    sid = paper.sid(name)
    last = {one.n: one for one in answers}
    paper.put_all("answers", [(sid, n, one.n, one.fingerprint, one.body) for one in last.values()])
    paper.put_all("ledger", [rows.entry_row(sid, n, entry) for entry in ledger])
    if claim.attempt.tries > 1:
        paper.put("tried", (sid, n, 1))


def discard(paper: Paper, claim: Claim, since: int) -> None:
    """Drop the answers from one on."""
    transitions.fence(paper.stream(claim.stream.name), claim)
    paper.put("unanswered", (paper.sid(claim.stream.name), claim.attempt.n, since))


def release(paper: Paper, claim: Claim, until: int, children: Sequence[str], error: str | None) -> None:
    """Give the stream back."""
    stream = paper.stream(claim.stream.name)
    transitions.fence(stream, claim)
    ended = any(paper.stream(child).outcome is not None for child in children)
    transitions.park(stream, until=until, waiting=bool(children) and not ended)
    paper.put_stream(stream)
    paper.put("parked", (paper.sid(stream.name), claim.attempt.n, error is not None, error))


# settling


def touched(settlement: Settlement) -> Sequence[str]:
    """The streams that a settlement writes: its own, and the one that plays it when it ends."""
    stream = settlement.claim.stream
    if settlement.outcome is not None and stream.player is not None:
        return (stream.name, stream.player)
    return (stream.name,)


def checked(paper: Paper, settlement: Settlement) -> Stream:
    """The stream, if the settlement still fits it.

    Raises:
        LeaseLost, Conflict: it does not.
    """
    claim = settlement.claim
    stream = paper.stream(claim.stream.name)
    if claim.draft is None:
        transitions.fence(stream, claim)
        return stream
    if not claim.draft.fresh and paper.prior(claim.draft) is not None:
        raise Conflict(f"key {claim.draft.key!r} is recorded in stream {stream.name} already")
    assert settlement.lease is not None
    transitions.fits(stream, claim, settlement.lease.wall)
    return stream


def settle(paper: Paper, stream: Stream, settlement: Settlement, watched: Watched) -> Settled:
    """Close an attempt with everything its turn led to, and claim what follows."""
    claim = settlement.claim
    waits = stream.open > (0 if claim.draft is not None else 1)
    head = paper.head(stream.name, besides=claim.attempt.n) if waits else None
    rang = stream.outcome is None and settlement.outcome is not None
    attempt = transitions.close(stream, settlement, head.at if head else None)
    paper.put_stream(stream)
    if claim.draft is not None:
        paper.book(attempt)
    else:
        paper.put_attempt(attempt)
    _put_turn(paper, stream, attempt, settlement)
    if settlement.steps and stream.world in watched:
        note(paper, stream, watched)
    if rang and stream.player is not None and paper.knows(stream.player):
        parent = paper.stream(stream.player)
        transitions.ring(parent)
        paper.put_stream(parent)
    following = None
    if settlement.lease is not None and stream.ready_at is not None:
        following = take(paper, replace(stream), settlement.lease, settlement.now, head)
    return Settled(stream=following.stream if following else stream, attempt=attempt, next=following)


def found(paper: Paper, name: str) -> Stream | None:
    """A stream, or None if it was removed.

    Raises:
        Unknown: there never was one.
    """
    try:
        return paper.stream(name)
    except Forgotten:
        return None


def note(paper: Paper, stream: Stream, watched: Watched) -> None:
    """Note for those who follow the stream's world that it moved; a sandbox is nobody's to follow."""
    if stream.parent is None and stream.clock_at is None:
        sid, told = paper.sid(stream.name), kept_from(stream.mark)
        paper.put_all("followed", [(name, sid, told, stream.version) for name in watched.get(stream.world, ())])


def kept_from(mark: int) -> int:
    """The version after which everything that is kept of a stream lies: the step of its mark is still there."""
    return max(mark - 1, 0)


def _put_turn(paper: Paper, stream: Stream, attempt: Attempt, settlement: Settlement) -> None:
    sid = paper.sid(stream.name)
    for step in settlement.steps:
        paper.put("steps", rows.step_row(sid, step))
    for s in settlement.snapshots:
        paper.put("snapshots", (sid, s.version, s.shape, s.state))
    _put_memories(paper, sid, stream, attempt, settlement)
    if settlement.letters:
        _put_letters(paper, sid, stream, settlement)
    for entry in settlement.ledger:
        paper.put("ledger", rows.entry_row(sid, attempt.n, entry))
    paper.change_all(stream, settlement.changes)
    if settlement.answered:
        paper.put("unanswered", (sid, attempt.n, 0))


def _put_memories(paper: Paper, sid: int, stream: Stream, attempt: Attempt, settlement: Settlement) -> None:
    draft = settlement.claim.draft
    heard = {memory.id: (version, memory) for version, memory in settlement.memories if memory.text is None}
    if draft is not None:
        _put_words(paper, stream, attempt, draft, heard)
    for version, memory in heard.values():
        paper.put("placed", _placement(version, memory))
    for version, memory in settlement.memories:
        if memory.text is not None:
            paper.put("memories", rows.memory_row(sid, stream.world, version, attempt.at, memory))


def _put_words(
    paper: Paper, stream: Stream, attempt: Attempt, recording: Recording, heard: dict[str, tuple[int, Memory]]
) -> None:
    """Store the words of a command; ``heard`` are those its turn has given to an agent already."""
    sid, owner = paper.sid(stream.name), recording.person or stream.owner
    for i, text in enumerate(recording.texts):
        id = transitions.command_memory(stream.name, attempt.n, i)
        version, memory = heard.pop(id, (None, None))
        if memory is None:
            memory = Memory(id=id, owner=owner, agent="", text=text, speaker=recording.seat)
        else:
            memory = replace(memory, text=text, owner=owner)
        paper.put("memories", rows.memory_row(sid, stream.world, version, attempt.at, memory))


def _placement(version: int, memory: Memory) -> rows.Row:
    return (
        version, memory.agent, memory.kind, memory.speaker, rows.meta_text(memory), memory.supersedes, memory.id,
    )  # fmt: skip


def _put_letters(paper: Paper, sid: int, stream: Stream, settlement: Settlement) -> None:
    """One change for each letter: a statement may not write a row twice."""
    posted: dict[str, Letter] = {}
    for version, change in settlement.letters:
        if isinstance(change, Post):
            posted[change.key] = transitions.posted(stream, version, change)
        elif change.key in posted:
            posted[change.key] = replace(posted[change.key], status="cancelled", closed=version)
        else:
            paper.put("withdrawn", (version, sid, change.key))
    paper.put_all("letters", [rows.letter_row(sid, letter) for letter in posted.values()])
