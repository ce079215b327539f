"""What both SQL back-ends do alike when a stream is taken up and when words are stored, whatever they write on."""

from __future__ import annotations

from copy import copy
from typing import Protocol

from msgspec.structs import replace

from greenroom.adapters.sql import rows
from greenroom.kernel import desk
from greenroom.kernel.journal import Attempt, Claim, Lease, Recording, Stream
from greenroom.kernel.script import Answer
from greenroom.kernel.words import Memory


class Paper(Protocol):
    """What a job writes on: SQLite's sheet, PostgreSQL's page."""

    def sid(self, name: str) -> int: ...

    def put(self, kind: str, row: rows.Row) -> None: ...

    def put_stream(self, stream: Stream) -> None: ...

    def put_attempt(self, attempt: Attempt) -> None: ...

    def answers(self, attempt: Attempt) -> tuple[Answer, ...]: ...


def put_words(
    paper: Paper, stream: Stream, attempt: Attempt, recording: Recording, heard: dict[str, tuple[int, Memory]]
) -> None:
    """Store the words of a command; ``heard`` are those its turn has given to an agent already."""
    for i, text in enumerate(recording.texts):
        id = desk.command_memory(stream.name, attempt.n, i)
        version, memory = heard.pop(id, (None, None))
        owner = recording.person or stream.owner
        if memory is None:
            memory = Memory(id=id, owner=owner, agent="", text=text, speaker=recording.seat)
        else:
            memory = replace(memory, text=text, owner=owner)
        paper.put("memories", rows.memory_row(paper.sid(stream.name), stream.world, version, attempt.at, memory))


def take(
    paper: Paper, stream: Stream, lease: Lease, now: int, head: Attempt | None, *, fresh: bool = False
) -> Claim | None:
    """Claim the stream's next work and note that it is held.

    ``head`` is the open attempt whose turn it is; a ``fresh`` one cannot have answers yet.
    """
    kind = desk.work(stream, now)
    if kind is None:
        return None
    attempt = desk.book_wake(stream) if kind == "wake" else head
    assert attempt is not None
    attempt = replace(attempt, tries=attempt.tries + 1)
    token = desk.hold(stream, lease)
    paper.put_stream(stream)
    if not desk.suspect(attempt):
        paper.put_attempt(attempt)
    stored = () if fresh or kind == "wake" else paper.answers(attempt)
    return Claim(stream=copy(stream), attempt=attempt, token=token, answers=stored)
