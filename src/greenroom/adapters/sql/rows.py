"""Records to rows and back. Streams, attempts and steps have their fields in the order of the columns."""

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
    (_, name, world, owner, seed, born_at, parent, forked_at, player, mark, awake, mute, clock_at, version,
     recorded, open_, head_at, recorded_at, last_at, wake_at, ready_at, busy_until, holder, token, waiting, woken,
     outcome) = row  # fmt: skip
    return Stream(
        name=name, world=world, owner=owner, seed=seed, born_at=born_at, parent=parent, forked_at=forked_at,
        player=player, mark=mark, awake=bool(awake), mute=bool(mute), clock_at=clock_at, version=version,
        recorded=recorded, open=open_, head_at=head_at, recorded_at=recorded_at, last_at=last_at, wake_at=wake_at,
        ready_at=ready_at, busy_until=busy_until, holder=holder, token=token, waiting=bool(waiting),
        woken=bool(woken), outcome=outcome,
    )  # fmt: skip


def attempt_row(sid: int, a: Attempt) -> Row:
    return (sid, *astuple(a)[1:])  # the stream stands first, by its name


def to_attempt(stream: str, row: Row) -> Attempt:
    _, n, key, at, seat, command, digest, rank, tries, status, base, version, error, kept = row
    return Attempt(
        stream=stream, n=n, key=key, at=at, seat=seat, command=command, digest=digest, rank=rank, tries=tries,
        status=status, base=base, version=version, error=error, kept=kept,
    )  # fmt: skip


def step_row(sid: int, s: Step) -> Row:
    return (sid, *astuple(s))


def to_step(row: Row) -> Step:
    _, version, at, n, shape, events, fold, history = row
    return Step(version=version, at=at, n=n, shape=shape, events=events, fold=fold, history=history)


def to_snapshot(row: Row) -> Snapshot:
    _, version, shape, state = row
    return Snapshot(version=version, shape=shape, state=state)


def to_answer(row: Row) -> Answer:
    _, _, i, fingerprint, body = row
    return Answer(i, fingerprint, body)


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
    return (
        sid, n, e.n, e.role, e.model, e.at, e.input_tokens, e.output_tokens, e.cached_tokens, e.cost, e.milliseconds,
        e.status, e.account,
    )  # fmt: skip


def to_entry(row: Row) -> tuple[int, Entry]:
    (_, n, i, role, model, at, input_tokens, output_tokens, cached_tokens, cost, milliseconds, status,
     account) = row  # fmt: skip
    return n, Entry(
        n=i, role=role, model=model, at=at, input_tokens=input_tokens, output_tokens=output_tokens,
        cached_tokens=cached_tokens, cost=cost, milliseconds=milliseconds, status=status, account=account,
    )  # fmt: skip
