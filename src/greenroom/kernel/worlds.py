"""A world as a value: pure functions over state, commands and events."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from greenroom.kernel.asks import Ask, Json
from greenroom.kernel.letters import LetterChange
from greenroom.kernel.tables import Change, Table, row_id
from greenroom.kernel.words import Memory, Words

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")
T_co = TypeVar("T_co", covariant=True)

#: A place at the table: a player's id, an agent's name, or one of the two below.
Seat: TypeAlias = str
#: The runtime itself: opens streams, wakes them, settles letters.
HOUSE: Seat = "house"
#: The person who runs the house and may see everything.
OPERATOR: Seat = "operator"


@dataclass(frozen=True, slots=True)
class Wake:
    """The command a stream gets at the moment its ``wake_at`` named."""


class CommandContext(msgspec.Struct, Generic[T_co], frozen=True, kw_only=True):
    """A command in its place: who gave it, when it was recorded, and where its turn will stand."""

    stream: str
    #: Ordinal of the attempt within the stream.
    n: int
    #: The version the turn's first step will have.
    version: int
    #: When the command was recorded; for a wake, when it was due.
    at: datetime
    seat: Seat
    #: Person or named group that owns the stream.
    owner: str
    command: T_co

    def memory(self, i: int, *, agent: str, text: str, speaker: str = "", step: int = 0, **more: Any) -> Memory:
        """The ``i``-th memory of a step, owned by the stream's owner unless ``owner`` says otherwise."""
        fields: dict[str, Any] = {"owner": self.owner, "at": self.at} | more
        place = f"{self.stream}/{self.version + step}.{i}"
        return Memory(id=place, agent=agent, text=text, speaker=speaker, **fields)

    def child(self, n: int) -> str:
        """The name of the stream that the ``n``-th ask of this turn plays; counted from 0, each of a tuple."""
        return f"{self.stream}.{self.n}.{n}"

    def hear(self, words: Words, *, agent: str, speaker: str = "", **more: Any) -> Memory:
        """Give the words of the command to an agent: from now on that agent may recall them."""
        fields: dict[str, Any] = {"owner": self.owner, "at": self.at} | more
        return Memory(id=words.id, agent=agent, text=None, speaker=speaker or self.seat, **fields)


class EventContext(msgspec.Struct, Generic[T_co], frozen=True, kw_only=True, gc=False):
    """An event in its place."""

    stream: str
    version: int
    #: Ordinal within its step.
    ordinal: int
    at: datetime
    event: T_co

    def row_id(self, row: str = "") -> str:
        """A table key that a rebuild gives again."""
        return row_id(self.stream, self.version, f"{self.ordinal}/{row}")


class Done(msgspec.Struct, Generic[E], frozen=True):
    """What a turn returns: its steps, each a sequence of events, and the memories to write.

    Each step raises the stream's version by one; all of them commit together. No step, or only
    empty ones, makes no version.
    """

    steps: tuple[tuple[E, ...], ...] = ()
    memories: tuple[Memory, ...] = ()
    #: Names of streams that this one played, that have ended, and that are to be removed whole with the settlement.
    releases: tuple[str, ...] = ()


def done(*events: E, memories: Sequence[Memory] = (), releases: Sequence[str] = ()) -> Done[E]:
    """A turn of one step."""
    return Done(steps=(events,) if events else (), memories=tuple(memories), releases=tuple(releases))


Turn: TypeAlias = Generator[Ask | tuple[Ask, ...], Any, Done[E]]


@dataclass(frozen=True, slots=True)
class Text:
    """Any words of this many characters."""

    least: int = 1
    most: int = 500


@dataclass(frozen=True, slots=True)
class Range:
    """Any whole number from ``least`` to ``most``."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Pattern(Generic[T_co]):
    """Many legal commands at once: the example with its ``free`` fields filled in any way.

    A ``Text`` field is ``Words`` or plain text, as it is in the example.
    """

    example: T_co
    free: Mapping[str, Text | Range]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long a world keeps its streams. None keeps for ever."""

    #: A stream with an outcome goes whole this long after its last step.
    ended: timedelta | None = None
    #: Steps older than this go, up to the newest snapshot before it.
    steps: timedelta | None = None


def _nothing(*_: Any) -> tuple[()]:
    return ()


def _never(_: Any) -> None:
    return None


def _nobody(*_: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class World(Generic[S, C, E]):
    """Everything the runtime needs to know of a world. All callables are pure."""

    name: str
    #: Number of the state's shape: raise it when the same events fold to other bytes.
    shape: int
    state: type[S]
    config: type[Any]
    #: Stable names of the command and event types; never import paths.
    commands: Mapping[str, type[Any]]
    events: Mapping[str, type[Any]]
    #: The state before the first event.
    blank: S
    #: The first events of a new stream. An attempt like any other: it may ask, crash and resume.
    open: Callable[[CommandContext[Any]], Turn[E]]
    #: Decides about one command, or about :class:`Wake` or ``LetterSettled``.
    handle: Callable[[S, CommandContext[Any]], Turn[E]]
    #: Total: every event changes every state into a state. On a branch the shared past is folded again under
    #: the branch's name: the state must not depend on ``told.stream``.
    evolve: Callable[[S, EventContext[E]], S]
    #: What this seat may do now.
    legal: Callable[[S, Seat], Sequence[C | Pattern[C]]]
    #: The seats of this state; the house and the operator are not among them.
    seats: Callable[[S], Sequence[Seat]]
    #: What this seat may see; ``Words`` in it are filled in by the service.
    view: Callable[[S, Seat, datetime], Any]
    #: The same secrecy for one event; None shows nothing of it. The state is the one after it.
    shows: Callable[[S, EventContext[E], Seat], Any | None]
    #: What the giver of a command is told, now and whenever the key is repeated.
    reply: Callable[[S, Sequence[EventContext[E]], Seat], Any]
    #: When the stream next wants to be woken; a moment not after the last step means at once.
    wake_at: Callable[[S], datetime | None] = _never
    #: What a parent that played this stream is told; not None means the stream has ended.
    outcome: Callable[[S], Json | None] = _never
    #: Micro-dollars that models may cost a stream in all its life, from its config or whatever else the state knows; an
    #: ask that might cost more is ``Failed``. None leaves it to the caps of the house, which count in any case.
    cap: Callable[[S], int | None] = _never
    #: Whether a seat may hear a sentence of a line that is still being said, which its checks must have passed by then.
    #: Nothing is heard early without it.
    overhears: Callable[[S, Seat, str], bool] = _nobody
    tables: tuple[Table, ...] = ()
    #: Table changes for one event; the state is the one after it.
    rows: Callable[[S, EventContext[E]], Iterable[Change]] = _nothing
    letters: Callable[[S, EventContext[E]], Iterable[LetterChange]] = _nothing
    #: Whether ``handle`` wants a ``LetterSettled`` for every letter sent or failed.
    hears_letters: bool = False
    #: Old event and command kinds, each with a function from its body to (newer kind, newer body).
    upcasts: Mapping[str, Callable[[Json], tuple[str, Json]]] = field(default_factory=dict)
    #: Brings the data of a snapshot of an older shape to this one; needed only where events were pruned.
    upcast_state: Callable[[int, Json], Json] | None = None
    retention: Retention = Retention()
    #: What the rules were made with, for whoever shows the world to people.
    content: Any = None
