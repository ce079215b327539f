"""From what a turn returned to what is written: steps, sums, snapshots, rows, letters, memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from greenroom.journal.records import Claim, Lease, Settlement, Snapshot, Status, Step, Stream
from greenroom.journal.snapshots import snapshot_due
from greenroom.journal.sums import fold_sum, history_sum
from greenroom.kernel.codec import Codec, canonical
from greenroom.kernel.errors import Malformed
from greenroom.kernel.letters import LetterChange
from greenroom.kernel.tables import Change
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import RAW, Memory, Words
from greenroom.kernel.worlds import Done, EventContext
from greenroom.services.states import StreamState
from greenroom.services.turns.passage import Passage

#: What is said of a wake whose turn changed nothing: it would come again at once, and again.
NOTHING_CHANGED = "the stream was woken and nothing changed; wake_at still names the same moment"


class Written(msgspec.Struct):
    """The growing result of one turn."""

    standing: StreamState
    steps: list[Step] = []
    snapshots: list[Snapshot] = []
    told: list[EventContext[Any]] = []
    changes: list[tuple[int, Change]] = []
    #: By key: what a turn says last of a letter counts.
    letters: dict[str, tuple[int, LetterChange]] = {}
    #: What was said in the turn, by id.
    texts: dict[str, str] = {}


def settlement(
    passage: Passage, done: Done[Any], *, now: int, lease: Lease, status: Status = "settled", error: str | None = None
) -> tuple[Settlement, Written]:
    """All that an attempt leads to.

    Raises:
        Malformed: a memory's id does not stand in this turn, or the world cannot fold its own events.
    """
    claim, codec = passage.claim, passage.base.codec
    written = write(passage.base, claim, done)
    memories = (*done.memories, *raw_memories(claim, passage.raw, written)) if passage.raw else done.memories
    said: tuple[Memory | Words, ...] = (*memories, *codec.words_of(passage.command))
    written.texts = {one.id: one.text for one in said if one.text is not None}
    wake_at, outcome = claim.stream.wake_at, claim.stream.outcome
    if written.steps:
        wake_at, outcome = due(codec, written.standing.state), ended(codec, written.standing.state)
    elif claim.attempt.rank == 0 and status == "settled":
        status, error = "failed", NOTHING_CHANGED
    return Settlement(
        claim=claim,
        status=status,
        error=error,
        steps=tuple(written.steps),
        snapshots=tuple(written.snapshots),
        changes=tuple(written.changes),
        letters=tuple(written.letters.values()),
        memories=_placed(claim, memories, written),
        kept=canonical(passage.script.kept) if passage.script.kept else None,
        ledger=tuple(passage.ledger),
        wake_at=wake_at,
        outcome=outcome,
        answered=passage.answered,
        releases=done.releases,
        now=now,
        lease=lease,
    ), written


def write(base: StreamState, claim: Claim, done: Done[Any]) -> Written:
    """Fold the steps of a turn onto a state and collect all they lead to."""
    written = Written(base)
    for events in done.steps:
        if events:
            _step(claim, events, written)
    return written


def _step(claim: Claim, events: Sequence[Any], written: Written) -> None:
    before, at = written.standing, claim.attempt.at
    codec, world = before.codec, before.codec.world
    version, data = before.version + 1, codec.events(events)
    state = before.state
    when = moment(at)
    # What is folded is what will be read back, never the objects the rules made.
    for i, event in enumerate(codec.read_events(data)):
        told = EventContext(stream=claim.stream.name, version=version, ordinal=i, at=when, event=event)
        state = world.evolve(state, told)
        written.told.append(told)
        written.changes += [(version, change) for change in world.rows(state, told)]
        for letter in world.letters(state, told):
            written.letters[letter.key] = version, letter
    state_bytes = codec.state(state)
    step = Step(
        version=version,
        at=at,
        n=claim.attempt.n,
        shape=world.shape,
        events=data,
        fold=fold_sum(world.shape, state_bytes),
        history=history_sum(before.history, version=version, at=at, n=claim.attempt.n, events=data),
    )
    written.steps.append(step)
    written.standing = StreamState(
        stream=before.stream,
        codec=codec,
        version=version,
        state=state,
        history=step.history,
        tail_steps=before.tail_steps + 1,
        tail_bytes=before.tail_bytes + len(data),
        snapshot_bytes=before.snapshot_bytes,
    )
    if _wants_snapshot(claim.stream, written.standing):
        written.snapshots.append(Snapshot(version=version, shape=world.shape, state=state_bytes))
        written.standing = replace(written.standing, tail_steps=0, tail_bytes=0, snapshot_bytes=len(state_bytes))


def _wants_snapshot(stream: Stream, at: StreamState) -> bool:
    first_of_branch = stream.parent is not None and at.version == stream.forked_at + 1
    return first_of_branch or snapshot_due(
        steps=at.tail_steps, tail_bytes=at.tail_bytes, snapshot_bytes=at.snapshot_bytes
    )


def _placed(claim: Claim, memories: Sequence[Memory], written: Written) -> tuple[tuple[int, Memory], ...]:
    """Memories with the version they belong to.

    Raises:
        Malformed: a memory's id does not stand in this turn, so it could overwrite another.
    """
    if memories and not written.steps:
        raise Malformed("a turn that writes memories must return at least one event that tells of them")
    stream = claim.stream.name
    versions = {f"{stream}/{step.version}": step.version for step in written.steps}
    versions[f"{stream}/a{claim.attempt.n}"] = claim.stream.version + 1  # the words of the command
    return tuple([(_version_of(memory, versions), memory) for memory in memories])


def _version_of(memory: Memory, versions: Mapping[str, int]) -> int:
    place, _, _ = memory.id.rpartition(".")
    version = versions.get(place)
    if version is None:
        raise Malformed(f"memory {memory.id} does not stand in this turn; make it with given.memory or given.hear")
    return version


def raw_memories(claim: Claim, raw: Sequence[tuple[int, str, str, str]], written: Written) -> tuple[Memory, ...]:
    """What models said that could not be used, as the owner's words: for whoever asks why, and for nobody else."""
    if not written.steps:
        return ()
    place = f"{claim.stream.name}/{written.steps[0].version}"
    return tuple(
        Memory(
            id=f"{place}.raw{i}",
            owner=claim.stream.owner,
            agent=RAW,
            text=text,
            kind=RAW,
            speaker=model,
            at=moment(claim.attempt.at),
            meta={"ask": ask, "status": status},
        )
        for i, (ask, model, status, text) in enumerate(raw)
    )


def due(codec: Codec[Any, Any, Any], state: Any) -> int | None:
    wake_at = codec.world.wake_at(state)
    return None if wake_at is None else micros(wake_at)


def ended(codec: Codec[Any, Any, Any], state: Any) -> bytes | None:
    outcome = codec.world.outcome(state)
    return None if outcome is None else canonical(outcome)
