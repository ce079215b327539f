"""Records to rows and back. Most records have their fields in the order of the columns."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from msgspec.structs import astuple

from greenroom.adapters.sql.columns import listed
from greenroom.journal.records import Attempt, Entry, Snapshot, Step, Stored, Stream
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.letters import Letter
from greenroom.kernel.script import Answer
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import Memory

Row = Sequence[Any]

STREAM = listed("streams")
ATTEMPT = listed("attempts")
ANSWER = listed("answers")
STEP = listed("steps")
SNAPSHOT = listed("snapshots", besides="id")
MEMORY = listed("memories", besides="mid")
LETTER = listed("letters")
LEDGER = listed("ledger", besides="id")
FOLLOWED = listed("followed")


def names(columns: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in columns.split(","))


def of(alias: str, columns: str) -> str:
    """Columns of one table among several."""
    return ", ".join(f"{alias}.{name}" for name in names(columns))


def storable(text: str) -> bool:
    """Whether it is whole text: a lone surrogate can be kept nowhere, and so is found nowhere."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def tombstone(secret: bytes, stream: str) -> bytes:
    """What is left of a removed stream's name: nobody can read it, whoever knows the name can find it."""
    return hmac.digest(secret, b"stream\x00" + stream.encode(errors="surrogatepass"), sha256)[:16]


def stream_row(sid: int, s: Stream) -> Row:
    return (sid, *astuple(s))


def to_stream(row: Row) -> Stream:
    stream = Stream(*row[1:])
    stream.awake, stream.mute = bool(stream.awake), bool(stream.mute)  # SQLite has numbers
    stream.waiting, stream.woken = bool(stream.waiting), bool(stream.woken)
    return stream


def attempt_row(sid: int, a: Attempt) -> Row:
    return (sid, *astuple(a)[1:])  # the stream stands first, by its name


def to_attempt(stream: str, row: Row) -> Attempt:
    return Attempt(stream, *row[1:])


def step_row(sid: int, s: Step) -> Row:
    return (sid, *astuple(s))


def to_step(row: Row) -> Step:
    return Step(*row[1:])


def to_snapshot(row: Row) -> Snapshot:
    return Snapshot(*row[1:])


def to_answer(row: Row) -> Answer:
    return Answer(*row[2:])


def memory_row(sid: int, world: str, version: int | None, at: int, m: Memory) -> Row:
    return (
        m.id, sid, version, world, m.owner, m.agent, m.kind, m.speaker, at if m.at is None else micros(m.at), m.text,
        meta_text(m), m.supersedes,
    )  # fmt: skip


def meta_text(m: Memory) -> str | None:
    return canonical(m.meta).decode() if m.meta else None


def to_stored(stream: str, row: Row) -> Stored:
    id, _, version, _, owner, agent, kind, speaker, at, text, meta, supersedes = row
    memory = Memory(
        id=id, owner=owner, agent=agent, text=text, kind=kind, speaker=speaker, at=moment(at),
        meta=parse(meta) if meta else {}, supersedes=supersedes,
    )  # fmt: skip
    return Stored(memory=memory, stream=stream, version=version)


def letter_row(sid: int, letter: Letter, busy_until: int = 0) -> Row:
    return (
        sid, letter.key, micros(letter.due_at), letter.channel, letter.to, letter.words, letter.subject,
        letter.status, letter.tries, letter.token, busy_until, letter.error, letter.version, letter.closed,
    )  # fmt: skip


def to_letter(stream: str, row: Row) -> Letter:
    _, key, due_at, channel, to, words, subject, status, tries, token, _, error, version, closed = row
    return Letter(
        stream=stream, key=key, due_at=moment(due_at), channel=channel, to=to, words=words, subject=subject,
        status=status, tries=tries, token=token, error=error, version=version, closed=closed,
    )  # fmt: skip


def entry_row(sid: int, n: int, e: Entry) -> Row:
    return (sid, n, *astuple(e)[:-1])  # what was said never goes into the ledger


def to_entry(row: Row) -> tuple[int, Entry]:
    return row[1], Entry(*row[2:])
