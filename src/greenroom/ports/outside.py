"""Ports to everything that is not the journal: words, models, tools, channels, the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import msgspec

from greenroom.journal.records import Entry, Stored
from greenroom.kernel.asks import AskModel, Fact, Facts, Failed, Json, Latest, Noticed, Recall, Recalled, UseTool
from greenroom.kernel.words import Scope


class MemoryBank(Protocol):
    """Words by id and by scope. Writing happens in the journal's own settlements."""

    async def get(self, ids: Sequence[str]) -> Mapping[str, str]:
        """Texts by memory id; forgotten ones are missing."""

    async def owners(self, ids: Sequence[str]) -> Mapping[str, str]:
        """Whose each memory is; forgotten ones are missing."""

    async def of_stream(self, stream: str) -> Sequence[Stored]:
        """Every memory that one stream wrote, in no particular order."""

    async def count(self, scope: Scope) -> int:
        """How many memories the scope holds."""

    async def all(self, scope: Scope) -> Sequence[Stored]:
        """Every memory of a scope, oldest first."""

    async def search(self, ask: Recall, *, stream: str, version: int, at: int) -> Sequence[Recalled]:
        """The memories of a scope that answer a question best, best first, as one place of one stream may know them.

        Known is what the stream's own past says up to ``version`` – on a branch: its own, and what it shares with
        its parents – and what other root streams of the scope said up to the moment ``at``, except sandboxes. A
        memory that a known one supersedes is not found. Memories of other scopes touch neither hits nor scores. What
        was written a moment ago is found. A question is words, never a pattern: no character in it has a meaning.

        Raises:
            Unknown: there is no such stream.
        """

    async def latest(self, ask: Latest, *, stream: str, at: int) -> Sequence[Recalled]:
        """What one speaker said last in a scope, newest first: in this stream and in other root streams, up to ``at``.

        Raises:
            Unknown: there is no such stream.
        """

    async def facts(self, ask: Facts, *, stream: str, version: int, at: int) -> Sequence[Fact]:
        """What is known of the scope's owner at one place of one stream, by the same rule of what may be known.

        A replaced or struck one is not among them. Facts, and what is kept of kind ``raw``, are never found by search.

        Raises:
            Unknown: there is no such stream.
        """

    async def lacking(self, scope: Scope) -> int | None:
        """How many memories of the scope have no vector yet; None where recall goes by words only."""

    async def prune(self, scope: Scope, cap: int, *, kinds: Sequence[str]) -> int:
        """Remove what the scope holds beyond ``cap`` memories of these kinds; returns how many went.

        Superseded ones go first, then those of the lowest ``importance`` in their metadata (0 if it says nothing),
        among equals the oldest. Only root streams are counted and cut; what a branch shares stays, and so does what a
        letter that is still to be sent will say.
        """


class Embedder(Protocol):
    """Turns texts into vectors whose product says how alike they are."""

    @property
    def name(self) -> str:
        """Which model; vectors of different names are never compared."""

    @property
    def dimensions(self) -> int:
        """Length of each vector."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector of length 1 for each text.

        Raises:
            BackendError: not now; whoever asked goes on without.
        """


class Noticing(Protocol):
    """Whoever takes facts from what a person says, and compares what texts mean; no model is called for it."""

    async def notice(self, text: str, known: Sequence[Fact]) -> Sequence[Noticed]:
        """The facts in some words, and which of the known ones they replace; never fails, at worst finds nothing."""

    async def alike(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """How like a text each of the others is, from 0 to 1, with two digits."""


class Asked(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where an ask of a model comes from."""

    stream: str
    world: str
    owner: str
    n: int
    i: int
    at: int
    #: What tells the ask from others, before the settings have their say on it; empty outside of turns.
    fingerprint: bytes = b""
    #: Micro-dollars that the stream may spend in all its life, as its world says; the caps of the house count all the
    #: same. None where the world sets none.
    cap: int | None = None


class Models(Protocol):
    """Whoever answers for the configured roles."""

    async def ask(self, ask: AskModel, asked: Asked) -> tuple[Json | Failed, Sequence[Entry]]:
        """Text, or data that fits the schema; and what each call for it used. A dead provider is a ``Failed``.

        Raises:
            TryLater: no answer now; the turn is parked.
        """


@runtime_checkable
class Cast(Protocol):
    """Models that say who plays a role before they are asked."""

    def plays(self, role: str) -> str:
        """``provider:model``, or the name of whoever stands in for one."""


@runtime_checkable
class Speaking(Protocol):
    """Models whose answers can be heard while they are being said."""

    async def ask_aloud(
        self, ask: AskModel, asked: Asked, heard: Callable[[str], None]
    ) -> tuple[Json | Failed, Sequence[Entry]]:
        """The same as ``ask``; ``heard`` is given the answer so far, again from its beginning if it begins anew."""


@runtime_checkable
class Recast(Protocol):
    """Models that can let another one answer on one stream."""

    def cast(self) -> Mapping[str, str]:
        """Who can be asked: roles, each with its model."""

    def recast(self, stream: str, role: str) -> None:
        """Let the model of another role answer every ask of a stream, as long as this process lives.

        Raises:
            Unknown: nobody plays that role.
        """


class Tools(Protocol):
    """Named functions a world may use."""

    async def use(self, ask: UseTool, key: str) -> Json | Failed:
        """Call a tool. The same key again after a crash must not do the same thing twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A letter with its words, on its way out."""

    id: str
    to: str
    subject: str
    text: str
    world: str
    stream: str


class Channel(Protocol):
    """One way out: mail, SMS, the local inbox."""

    @property
    def costs(self) -> bool:
        """Whether a letter leaves the house by it, where it costs money or somebody's patience."""

    async def send(self, letter: Outgoing) -> None:
        """Send one letter.

        Raises:
            Refused: it can never be sent (the address is wrong, the text is gone).
            BackendError: not now; it is tried again.
        """


class Clock(Protocol):
    """The house clock. Leases and back-off never use it: they run on the machine's."""

    def now(self) -> int:
        """Microseconds since 1970."""

    async def until(self, moment: int) -> None:
        """Wait until the house clock shows a moment; may return early."""


@runtime_checkable
class MovableClock(Clock, Protocol):
    """A house clock that an operator or a simulation moves."""

    def move(self, moment: int) -> None:
        """Show a later moment; time never goes back."""
