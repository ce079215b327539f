"""Copies outside the transaction: who follows what was settled, and how far each has been told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeAlias

import msgspec

from greenroom.journal.records import Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """One settled step."""

    stream: str
    world: str
    owner: str
    version: int
    at: datetime
    #: Decoded events of the world.
    events: tuple[Any, ...]
    #: The state after the step.
    state: Any


#: Words by id; forgotten ones are missing.
Texts: TypeAlias = Callable[[Sequence[str]], Awaitable[Mapping[str, str]]]


class Follower(Protocol):
    """Keeps a copy of what was settled, outside the house's own transaction: files, an index, another database.

    It is told of every settled step of its worlds at least once, the steps of one stream in order; after a crash the
    last ones may come again, so that telling it twice must do what telling it once does. Branches are never told. At
    most one process tells a follower at a time.
    """

    @property
    def name(self) -> str:
        """Of its cursor; unique in a house."""

    @property
    def worlds(self) -> frozenset[str]:
        """Whose streams it follows."""

    async def follow(self, batch: Sequence[Followed], texts: Texts) -> None:
        """Copy these steps. When it returns, the copy is safe: the cursor moves.

        Raises:
            BackendError: not now; the same steps are told again later.
            TryLater: the same, after so many seconds.
        """

    async def forgotten(self, stream: str) -> None:
        """A stream was removed from the house: its copy goes too, if there is one. Raises what :meth:`follow` does."""

    async def reset(self) -> None:
        """A rebuild begins: throw away what was copied. Raises what :meth:`follow` does."""


#: Before every place.
FIRST = -(1 << 62)


class Hold(msgspec.Struct, frozen=True, kw_only=True):
    """A leased cursor."""

    name: str
    token: int
    #: How often in a row the follower has failed.
    tries: int = 0
    #: Whether a rebuild was asked for and has not begun.
    rebuilding: bool = False


class Behind(msgspec.Struct, frozen=True, kw_only=True):
    """A stream that moved on since its follower was last told of it."""

    #: Where it stands among the streams that are behind; means nothing else.
    place: int
    stream: str
    #: The version up to which the follower was told, and the one it was seen at since.
    told: int
    version: int
    #: Whether the stream was removed.
    gone: bool = False


class Cursor(msgspec.Struct, frozen=True, kw_only=True):
    """How far a follower is."""

    name: str
    worlds: tuple[str, ...]
    #: Whoever tells it now, and until when on the machine's clock; without a holder it rests until then.
    holder: str | None = None
    until: int = 0
    #: Streams that it follows, those of them it has not been told everything of, and the steps that it lacks.
    streams: int = 0
    behind: int = 0
    steps: int = 0
    #: Streams that were removed and of which it has not been told that.
    gone: int = 0
    rebuilding: bool = False
    #: How often in a row it failed, and what it said last.
    tries: int = 0
    error: str | None = None


class Cursors(Protocol):
    """How far each follower was told, stream by stream.

    A settlement in a world that somebody follows notes, in its own transaction, that the stream moved. So nothing is
    found before it is committed and nothing that is committed is passed over, in whatever order transactions end; and
    looking costs what there is to tell, not what sleeps.
    """

    async def enrol(self, name: str, worlds: Collection[str]) -> None:
        """From now on settlements in these worlds are noted for this follower. Again with other worlds: those count."""

    async def sweep(self, name: str) -> int:
        """Note every stream of the follower's worlds that moved without being noted; returns how many.

        Those are streams from before it was enrolled, and streams that a process wrote that did not know of it. This
        looks at all streams of the worlds.

        Raises:
            Unknown: there is no such follower.
        """

    async def take(self, name: str, lease: Lease) -> Hold | None:
        """Lease a cursor; None if there is nothing to tell, or somebody else holds it, or it rests.

        Raises:
            Unknown: there is no such follower.
        """

    async def renew(self, hold: Hold, lease: Lease) -> None:
        """Lengthen a lease.

        Raises:
            LeaseLost: another worker has it, or a rebuild was asked for.
        """

    async def begun(self, hold: Hold) -> None:
        """The follower has thrown its copy away: everything that is kept of its streams is to be told again.

        Raises:
            LeaseLost: nothing was written.
        """

    async def behind(self, name: str, *, after: int = FIRST, limit: int = 100) -> Sequence[Behind]:
        """Streams that moved since the follower was told of them, removed ones among them, in order of their place."""

    async def told(self, hold: Hold, upto: Sequence[Behind]) -> None:
        """The follower was told of these streams up to ``version``; of those that are gone nothing is kept.

        One that is being written this very moment may be left as it was, and is told again.

        Raises:
            LeaseLost: nothing was written.
        """

    async def release(self, hold: Hold, *, until: int = 0, error: str | None = None) -> None:
        """Give the cursor back; it rests until a moment on the machine's clock. An ``error`` counts as a failed try.

        Raises:
            LeaseLost: nothing was written.
        """

    async def rewind(self, name: str) -> None:
        """Ask for a rebuild. Whoever tells the follower now is fenced, and has the length of its lease to notice.

        Raises:
            Unknown: there is no such follower.
        """

    async def list(self) -> Sequence[Cursor]:
        """All followers by name."""

    async def drop(self, name: str) -> bool:
        """Remove a cursor: nothing is noted for it any more. Whether there was one."""
