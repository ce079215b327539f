"""The lines of an export file: one JSON record each, in the order header, records, footer.

Stored bytes are JSON already and stand in the lines as text, exactly as they are summed.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from greenroom.journal.records import Attempt, Snapshot, Status, Step, Stored
from greenroom.kernel.codec import canonical
from greenroom.kernel.errors import CorruptHistory
from greenroom.kernel.letters import Letter, LetterStatus
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import Memory

S = TypeVar("S", bound=msgspec.Struct)

FORMAT = "greenroom-stream"
PERSON_FORMAT = "greenroom-person"
FORMAT_VERSION = 1


class ExportRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """One line."""


class Header(ExportRecord, frozen=True, kw_only=True, tag="stream"):
    """The stream itself; where it comes first, the format too."""

    format: str = FORMAT
    format_version: int = FORMAT_VERSION
    name: str
    world: str
    shape: int
    owner: str
    seed: int
    born_at: int
    #: Where a branch came from. Its shared past stands in the file, so this is for people only.
    parent: str | None = None
    forked_at: int = 0
    mark: int = 0
    awake: bool = True
    mute: bool = False
    clock_at: int | None = None
    version: int
    recorded_at: int
    last_at: int
    wake_at: int | None = None
    woken: bool = False
    outcome: str | None = None


class AttemptRecord(ExportRecord, frozen=True, kw_only=True, tag="attempt"):
    """An attempt; the keyed digest of its request is the old house's own and stays there."""

    #: The stream it was recorded in: the words of its command are named after that.
    stream: str
    n: int
    key: str
    at: int
    seat: str
    command: str
    rank: int
    tries: int
    status: Status | None
    base: int | None
    version: int | None
    error: str | None
    kept: str | None


class StepRecord(ExportRecord, frozen=True, kw_only=True, tag="step"):
    version: int
    at: int
    n: int
    shape: int
    events: str
    fold: str
    history: str


class SnapshotRecord(ExportRecord, frozen=True, kw_only=True, tag="snapshot"):
    """The state that stands for pruned steps."""

    version: int
    shape: int
    state: str


class MemoryRecord(ExportRecord, frozen=True, kw_only=True, tag="memory"):
    id: str
    version: int | None
    owner: str
    agent: str
    text: str
    sort: str
    speaker: str
    at: int | None
    meta: dict[str, str | int | float | bool | list[str]]
    supersedes: str | None
    #: Only where memories of several streams stand together.
    stream: str | None = None


class LetterRecord(ExportRecord, frozen=True, kw_only=True, tag="letter"):
    key: str
    due_at: int
    channel: str
    to: str
    words: str
    subject: str
    status: LetterStatus
    tries: int
    error: str | None
    version: int
    closed: int | None


class RowRecord(ExportRecord, frozen=True, kw_only=True, tag="row"):
    table: str
    version: int
    values: dict[str, Any]


class KeptRecord(ExportRecord, frozen=True, kw_only=True, tag="kept"):
    """A row that agents of other frameworks keep."""

    table: str
    values: dict[str, Any]


class SpentRecord(ExportRecord, frozen=True, kw_only=True, tag="spent"):
    """One line of the ledger."""

    n: int
    role: str
    model: str
    at: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: int
    milliseconds: int
    status: str


class PersonHeader(ExportRecord, frozen=True, kw_only=True, tag="person"):
    format: str = PERSON_FORMAT
    format_version: int = FORMAT_VERSION
    owner: str
    streams: list[str]


class Footer(ExportRecord, frozen=True, kw_only=True, tag="end"):
    #: Records by kind, header and footer not among them.
    counts: dict[str, int]
    #: SHA-256 of every line before this one, line ends included.
    sha256: str


AnyRecord = (
    Header
    | AttemptRecord
    | StepRecord
    | SnapshotRecord
    | MemoryRecord
    | LetterRecord
    | RowRecord
    | KeptRecord
    | SpentRecord
    | PersonHeader
    | Footer
)

_decoder = msgspec.json.Decoder(AnyRecord)


def to_line(record: ExportRecord) -> bytes:
    return canonical(record) + b"\n"


def from_line(line: bytes) -> AnyRecord:
    """Raises msgspec.DecodeError for a line that is no record, UnicodeDecodeError for one that is no text."""
    record: AnyRecord = _decoder.decode(line)
    return record


def kind_of(record: ExportRecord) -> str:
    return str(record.__struct_config__.tag)


# records to kernel values and back


def told_as(kind: type[S], value: msgspec.Struct, **otherwise: Any) -> S:
    """Another kind of struct with the fields that both have, but those that are told otherwise."""
    shared = {name: getattr(value, name) for name in kind.__struct_fields__ if name in value.__struct_fields__}
    return kind(**shared | otherwise)


def from_attempt(a: Attempt) -> AttemptRecord:
    kept = None if a.kept is None else _text(a.kept, a.stream)
    return told_as(AttemptRecord, a, command=_text(a.command, a.stream), kept=kept)


def to_attempt(r: AttemptRecord, stream: str, digest: bytes) -> Attempt:
    kept = None if r.kept is None else r.kept.encode()
    return told_as(Attempt, r, stream=stream, command=r.command.encode(), digest=digest, kept=kept)


def from_step(s: Step, stream: str) -> StepRecord:
    events = _text(s.events, f"{stream}, version {s.version}")
    return told_as(StepRecord, s, events=events, fold=s.fold.hex(), history=s.history.hex())


def to_step(r: StepRecord) -> Step:
    """Raises ValueError for a sum that is none."""
    sums = {"fold": bytes.fromhex(r.fold), "history": bytes.fromhex(r.history)}
    return told_as(Step, r, events=r.events.encode(), **sums)


def from_snapshot(s: Snapshot, stream: str) -> SnapshotRecord:
    return told_as(SnapshotRecord, s, state=_text(s.state, f"{stream}, snapshot {s.version}"))


def to_snapshot(r: SnapshotRecord) -> Snapshot:
    return told_as(Snapshot, r, state=r.state.encode())


def from_stored(s: Stored, *, stream: str | None = None) -> MemoryRecord:
    m = s.memory
    return MemoryRecord(
        id=m.id, version=s.version, owner=m.owner, agent=m.agent, text=m.text or "", sort=m.kind, speaker=m.speaker,
        at=None if m.at is None else micros(m.at), meta=dict(m.meta), supersedes=m.supersedes, stream=stream,
    )  # fmt: skip


def to_stored(r: MemoryRecord, stream: str) -> Stored:
    memory = Memory(
        id=r.id, owner=r.owner, agent=r.agent, text=r.text, kind=r.sort, speaker=r.speaker,
        at=None if r.at is None else moment(r.at), meta=r.meta, supersedes=r.supersedes,
    )  # fmt: skip
    return Stored(memory=memory, stream=stream, version=r.version)


def from_letter(letter: Letter) -> LetterRecord:
    """An unsent letter leaves as held: nobody wants it sent from two houses."""
    return told_as(LetterRecord, letter, due_at=micros(letter.due_at), status=_held(letter.status))


def to_letter(r: LetterRecord, stream: str) -> Letter:
    return told_as(Letter, r, stream=stream, due_at=moment(r.due_at), status=_held(r.status))


def _held(status: LetterStatus) -> LetterStatus:
    return "held" if status == "due" else status


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CorruptHistory(f"stream {where}: stored bytes are not text; verify the stream") from error
