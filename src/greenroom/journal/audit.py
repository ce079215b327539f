"""What the row of a stream must agree with: its attempts, its steps and its snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from greenroom.journal import transitions
from greenroom.journal.records import Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What the stored rows of one stream add up to."""

    #: Open attempts, and the moment of the one whose turn it is.
    open: int
    head_at: int | None
    #: The highest number of an attempt; None without attempts.
    last_attempt: int | None
    steps: int
    #: Steps whose attempt is not stored.
    strays: int
    #: Version and moment of the last step; None without steps of its own.
    last_version: int | None
    last_at: int | None
    snapshots: Sequence[int] = ()


def disagreements(stream: Stream, tally: Tally) -> tuple[str, ...]:
    """Sentences about everything in which the row and the tally differ."""
    found = [*_attempts(stream, tally), *_steps(stream, tally), *_snapshots(stream, tally)]
    expected = copy(stream)
    expected.head_at = tally.head_at
    transitions.schedule(expected)
    if expected.ready_at != stream.ready_at:
        found.append(f"it is ready at {stream.ready_at}, but its attempts and wake say {expected.ready_at}")
    return tuple(f"stream {stream.name}: {sentence}" for sentence in found)


def _attempts(stream: Stream, tally: Tally) -> list[str]:
    found = []
    if stream.open != tally.open:
        found.append(f"it counts {stream.open} open attempts, but {tally.open} are stored")
    if stream.head_at != tally.head_at:
        found.append(f"its next attempt should be of {tally.head_at}, but the stream says {stream.head_at}")
    if tally.last_attempt is None:
        if stream.recorded and stream.parent is None:
            found.append(f"it counts {stream.recorded} attempts, but none is stored")
    elif stream.recorded != tally.last_attempt:
        found.append(f"it counts {stream.recorded} attempts, but the last one stored is {tally.last_attempt}")
    if tally.strays:
        found.append(f"{tally.strays} of its steps belong to attempts that are not stored")
    return found


def _steps(stream: Stream, tally: Tally) -> list[str]:
    before = stream.mark - 1 if stream.mark > stream.forked_at else stream.forked_at
    found = []
    if stream.version != (stream.forked_at if tally.last_version is None else tally.last_version):
        found.append(f"it is at version {stream.version}, but its last stored step is {tally.last_version}")
    elif tally.steps != stream.version - before:
        found.append(f"versions {before + 1} to {stream.version} need as many steps, but {tally.steps} are stored")
    elif tally.last_at is not None and stream.last_at != tally.last_at:
        found.append(f"its last step was at {tally.last_at}, but the stream says {stream.last_at}")
    return found


def _snapshots(stream: Stream, tally: Tally) -> list[str]:
    found = [
        f"a snapshot at version {version} stands outside its own versions"
        for version in tally.snapshots
        if not max(stream.forked_at + 1, stream.mark) <= version <= stream.version
    ]
    if stream.mark and stream.mark not in tally.snapshots:
        found.append(f"it was pruned up to version {stream.mark}, but the snapshot kept there is missing")
    return found
