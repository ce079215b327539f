"""The records that pass between services and back-ends. Moments in them are whole microseconds.

Structs rather than dataclasses: a turn makes a dozen of them, and they cost a tenth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from greenroom.kernel.letters import LetterChange
from greenroom.kernel.script import Answer
from greenroom.kernel.tables import Change
from greenroom.kernel.words import Memory
from greenroom.kernel.worlds import Seat

Status: TypeAlias = Literal["settled", "refused", "failed", "cancelled"]


class Stream(msgspec.Struct):
    """One stream as its back-end keeps it; the one mutable record, changed only by the transitions."""

    name: str
    world: str
    #: Person or named group that owns it.
    owner: str
    seed: int
    born_at: int
    #: The stream this one branched from, and the last version it shares with it.
    parent: str | None = None
    forked_at: int = 0
    #: The stream whose turn plays this one and waits for its outcome.
    player: str | None = None
    #: Steps up to this version were pruned.
    mark: int = 0
    #: Whether its ``wake_at`` is heeded.
    awake: bool = True
    #: Whether its letters are held back.
    mute: bool = False
    #: The standing clock of a sandbox; None on the house clock.
    clock_at: int | None = None
    version: int = 0
    #: Attempts recorded so far.
    recorded: int = 0
    #: Attempts not yet settled, and the moment of the one whose turn it is.
    open: int = 0
    head_at: int | None = None
    recorded_at: int = 0
    #: Moment of the last step.
    last_at: int = 0
    wake_at: int | None = None
    #: The earliest moment there is something to do; None for nothing.
    ready_at: int | None = None
    #: On the machine's clock: leased, or backing off, until then.
    busy_until: int = 0
    holder: str | None = None
    token: int = 0
    #: Parked until a child stream ends.
    waiting: bool = False
    #: Whether the last turn was a wake.
    woken: bool = False
    outcome: bytes | None = None


class Birth(msgspec.Struct, frozen=True, kw_only=True):
    """A stream to be made with the attempt that opens it."""

    world: str
    owner: str
    seed: int
    #: The stream whose turn plays it.
    player: str | None = None
    #: A child of a sandbox is one too.
    mute: bool = False
    clock_at: int | None = None


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """A command to be recorded. Its words stand in ``texts``; in ``command`` they are ``@0``, ``@1``, …"""

    stream: str
    key: str
    seat: Seat
    command: bytes
    digest: bytes
    #: House clock of whoever records it.
    now: int
    texts: tuple[str, ...] = ()
    #: Who said the words: forgetting this person removes them. None for the stream's owner.
    person: str | None = None
    birth: Birth | None = None
    #: Whether the house made the key for this request alone and records it for the first time: nobody need look whether
    #: it was used before.
    fresh: bool = False


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's wish to hold streams; both moments on the machine's clock."""

    worker: str
    wall: int
    until: int
    #: The worlds whose streams and letters it can do something about; None means all.
    worlds: tuple[str, ...] | None = None


class Attempt(msgspec.Struct, frozen=True):
    """One recorded attempt."""

    stream: str
    n: int
    key: str
    at: int
    seat: Seat
    command: bytes
    digest: bytes
    #: 0 for a wake, which goes before any command; 1 for a command.
    rank: int = 1
    tries: int = 0
    status: Status | None = None
    #: Version before and after the turn.
    base: int | None = None
    version: int | None = None
    error: str | None = None
    #: Answers that stay for good (dice, outcomes of child streams), by ask.
    kept: bytes | None = None


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """The right to drive one attempt of one stream."""

    stream: Stream
    attempt: Attempt
    #: Every later verb checks it; None for a draft, which is recorded by its own settlement.
    token: int | None
    answers: tuple[Answer, ...] = ()
    draft: Recording | None = None


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The attempt is stored: nothing can lose it now."""

    attempt: Attempt
    #: False when the key was there already.
    new: bool
    #: Present when the recorder asked for the stream and got it.
    claim: Claim | None = None


class Step(msgspec.Struct, frozen=True, gc=False):
    """One stored step."""

    version: int
    at: int
    #: The attempt it belongs to.
    n: int
    shape: int
    events: bytes
    fold: bytes
    history: bytes


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    version: int
    shape: int
    state: bytes


class Entry(msgspec.Struct, frozen=True):
    """What one ask of a model used; ids and numbers only, no words."""

    n: int
    role: str
    model: str
    at: int
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    #: Micro-dollars, so that sums are exact.
    cost: int = 0
    milliseconds: int = 0
    status: str = "ok"
    #: The account: sections, memories with scores, digests.
    account: bytes = b"{}"
    #: What was said and could not be used, or was to be kept. It goes into the bank as the owner's words,
    #: and never into the ledger.
    raw: str = ""


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one attempt leads to, written in one transaction or not at all."""

    claim: Claim
    status: Status
    error: str | None = None
    steps: tuple[Step, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    #: Table changes and letters with the version that caused them.
    changes: tuple[tuple[int, Change], ...] = ()
    letters: tuple[tuple[int, LetterChange], ...] = ()
    #: Memories with the version that they belong to.
    memories: tuple[tuple[int, Memory], ...] = ()
    kept: bytes | None = None
    ledger: tuple[Entry, ...] = ()
    wake_at: int | None = None
    outcome: bytes | None = None
    #: Ended streams that this one played, to be removed whole.
    releases: tuple[str, ...] = ()
    #: House clock, for what is ready next.
    now: int = 0
    #: Whether answers of this attempt were stored and are to go.
    answered: bool = False
    #: Wish for the stream's next work in the same lease.
    lease: Lease | None = None


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """The settlement is stored."""

    stream: Stream
    attempt: Attempt
    next: Claim | None = None


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """What is needed to know the state of a stream at one version."""

    stream: Stream
    version: int
    snapshot: Snapshot | None
    #: The step that the snapshot was taken after; None before the first.
    stood: Step | None
    #: Steps after the snapshot, in order.
    steps: tuple[Step, ...]


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """A branch to be made."""

    parent: str
    at: int
    name: str
    seed: int
    now: int
    #: Whether its agents play on.
    awake: bool = False
    wake_at: int | None = None
    owner: str | None = None


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """A memory as the bank keeps it."""

    memory: Memory
    stream: str
    #: The version it belongs to; None while no agent has heard it: its attempt is open, refused or failed,
    #: or its turn gave the words to nobody.
    version: int | None


class Removed(msgspec.Struct, frozen=True, kw_only=True):
    """What a forget or a prune took away, or would."""

    streams: tuple[str, ...] = ()
    counts: Mapping[str, int] = msgspec.field(default_factory=dict)
