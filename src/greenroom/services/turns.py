"""From what a turn returned to what is written: steps, sums, snapshots, rows, letters, memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from greenroom.journal.records import Claim, Snapshot, Step, Stream
from greenroom.journal.snapshots import snapshot_due
from greenroom.journal.sums import fold_sum, history_sum
from greenroom.kernel.codec import Codec, canonical
from greenroom.kernel.errors import Malformed
from greenroom.kernel.letters import LetterChange
from greenroom.kernel.tables import Change
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import RAW, Memory
from greenroom.kernel.worlds import Done, EventContext
from greenroom.services.states import StreamState


class Written(msgspec.Struct):
    """The growing result of one turn."""

    head: StreamState
    steps: list[Step] = []
    snapshots: list[Snapshot] = []
    told: list[EventContext[Any]] = []
    changes: list[tuple[int, Change]] = []
    #: By key: what a turn says last of a letter counts.
    letters: dict[str, tuple[int, LetterChange]] = {}


def write(codec: Codec[Any, Any, Any], head: StreamState, claim: Claim, done: Done[Any]) -> Written:
    """Fold the steps of a turn onto the head and collect all they lead to."""
    written = Written(head)
    for events in done.steps:
        if events:
            _step(codec, claim, events, written)
    return written


def _step(codec: Codec[Any, Any, Any], claim: Claim, events: Sequence[Any], written: Written) -> None:
    world, head, at = codec.world, written.head, claim.attempt.at
    version, data = head.version + 1, codec.events(events)
    state = head.state
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
        history=history_sum(head.history, version=version, at=at, n=claim.attempt.n, events=data),
    )
    written.steps.append(step)
    written.head = StreamState(
        stream=head.stream,
        version=version,
        state=state,
        history=step.history,
        tail_steps=head.tail_steps + 1,
        tail_bytes=head.tail_bytes + len(data),
        snapshot_bytes=head.snapshot_bytes,
    )
    if _wants_snapshot(claim.stream, written.head):
        written.snapshots.append(Snapshot(version=version, shape=world.shape, state=state_bytes))
        written.head = replace(written.head, tail_steps=0, tail_bytes=0, snapshot_bytes=len(state_bytes))


def _wants_snapshot(stream: Stream, head: StreamState) -> bool:
    first_of_branch = stream.parent is not None and head.version == stream.forked_at + 1
    return first_of_branch or snapshot_due(
        steps=head.tail_steps, tail_bytes=head.tail_bytes, snapshot_bytes=head.snapshot_bytes
    )


def placed(claim: Claim, memories: Sequence[Memory], written: Written) -> tuple[tuple[int, Memory], ...]:
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


def _version_of(memory: Memory, versions: Mapping[str, int]) -> int:
    place, _, _ = memory.id.rpartition(".")
    version = versions.get(place)
    if version is None:
        raise Malformed(f"memory {memory.id} does not stand in this turn; make it with given.memory or given.hear")
    return version


def due(codec: Codec[Any, Any, Any], state: Any) -> int | None:
    wake_at = codec.world.wake_at(state)
    return None if wake_at is None else micros(wake_at)


def ended(codec: Codec[Any, Any, Any], state: Any) -> bytes | None:
    outcome = codec.world.outcome(state)
    return None if outcome is None else canonical(outcome)
