"""Ports to everything that is not the journal: words, models, tools, channels, the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import msgspec

from greenroom.kernel.asks import AskModel, Failed, Json, Recall, Recalled, UseTool
from greenroom.kernel.journal import Entry, Stored
from greenroom.kernel.words import Scope


class MemoryBank(Protocol):
    """Words by id and by scope. Writing happens in the journal's own settlements."""

    async def get(self, ids: Sequence[str]) -> Mapping[str, str]:
        """Texts by memory id; forgotten ones are missing."""

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


class Asked(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where an ask of a model comes from."""

    stream: str
    world: str
    owner: str
    n: int
    i: int
    at: int
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
