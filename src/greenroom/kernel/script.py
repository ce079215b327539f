"""The pure half of the driver: runs a turn as far as its stored answers reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from greenroom.kernel.asks import (
    KEPT,
    Alike,
    Ask,
    AskModel,
    Fact,
    Facts,
    Failed,
    Latest,
    Notice,
    Noticed,
    Play,
    Read,
    Recall,
    Recalled,
    Roll,
    Usage,
    UseTool,
    WithUsage,
)
from greenroom.kernel.codec import canonical, fingerprint
from greenroom.kernel.errors import Malformed
from greenroom.kernel.worlds import Done, Turn

E = TypeVar("E")

_ASKS = (AskModel, Recall, Latest, Facts, Notice, Alike, Read, Roll, UseTool, Play)
_VALUES: Mapping[type, Any] = {
    Recall: list[Recalled],
    Latest: list[Recalled],
    Facts: list[Fact],
    Notice: list[Noticed],
    Alike: list[float],
    Read: dict[str, str],
    Roll: tuple[int, ...],
}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer as stored."""

    #: Number of its ask within the attempt, counted flat.
    n: int
    fingerprint: bytes
    body: bytes


class Fresh(NamedTuple):
    """One answer that may still have to be stored; most turns end before."""

    n: int
    ask: Ask
    body: bytes
    #: Where somebody wanted it before.
    fingerprint: bytes | None = None

    def stored(self) -> Answer:
        return Answer(self.n, self.fingerprint or fingerprint(self.ask), self.body)


def answer_bytes(value: Any) -> bytes:
    match value:
        case Failed(reason, None):
            return canonical({"failed": reason})
        case Failed(reason, usage):
            return canonical({"failed": reason, "usage": usage})
        case WithUsage(answer, usage):
            return canonical({"ok": answer, "usage": usage})
        case _:
            return canonical({"ok": value})


def answer_value(ask: Ask, body: bytes) -> Any:
    """What the turn is sent: the same whether the answer is fresh or was stored before a crash."""
    data = msgspec.json.decode(body)
    usage = msgspec.convert(data["usage"], Usage) if "usage" in data else None
    if "failed" in data:
        return Failed(data["failed"], usage)
    if usage is not None:
        return WithUsage(data["ok"], usage)
    kind = _VALUES.get(type(ask))
    return data["ok"] if kind is None else msgspec.convert(data["ok"], kind)


class Script(Generic[E]):
    """A turn in progress.

    ``run`` until it returns a ``Done``; while it returns None, answer every ask in ``pending``.
    """

    def __init__(self, turn: Turn[E], stored: Sequence[Answer] = ()) -> None:
        self._turn = turn
        self._stored = {answer.n: answer for answer in stored}
        self._asked = 0
        self._group: tuple[Ask, ...] | None = None
        self._alone = True
        self._values: dict[int, Any] = {}
        self._fingerprints: dict[int, bytes] = {}
        #: Asks without an answer, by number.
        self.pending: dict[int, Ask] = {}
        #: Answers that stay for good, by the number of their ask.
        self.kept: dict[str, Any] = {}
        #: The first stored answer that no longer fits what the code asks; it and all later ones are void.
        self.stale_from: int | None = None

    def run(self) -> Done[E] | None:
        """Go on to the end (the result) or to the next ask without an answer (None)."""
        try:
            while not self.pending:
                self._take(self._turn.send(self._collected()))
        except StopIteration as stop:
            if not isinstance(stop.value, Done):
                raise Malformed(f"a turn must return Done, not {type(stop.value).__name__}") from None
            return stop.value
        return None

    def fingerprint(self, n: int) -> bytes:
        """What tells a pending ask from others; the answer is stored with the same."""
        self._fingerprints[n] = fingerprint(self.pending[n])
        return self._fingerprints[n]

    def answer(self, n: int, value: Any) -> Fresh:
        """Take the answer to a pending ask."""
        ask = self.pending.pop(n)
        try:
            body = answer_bytes(value)
        except (TypeError, ValueError):  # half a character, or no plain data: asked again, it would come again
            body = answer_bytes(Failed("the answer cannot be stored"))
        self._know(n, ask, body)
        return Fresh(n, ask, body, self._fingerprints.pop(n, None))

    def close(self) -> None:
        """Drop the turn; what was answered is stored and it can be driven again."""
        self._turn.close()

    def _take(self, asked: Ask | tuple[Ask, ...]) -> None:
        self._alone = not isinstance(asked, tuple)
        self._group = asked if isinstance(asked, tuple) else (asked,)
        for ask in self._group:
            if not isinstance(ask, _ASKS):
                raise Malformed(f"a turn may yield asks, not {type(ask).__name__}")
            self._look_up(self._asked, ask)
            self._asked += 1

    def _look_up(self, n: int, ask: Ask) -> None:
        stored = self._stored.get(n) if self.stale_from is None else None
        if stored is None:
            self.pending[n] = ask
        elif stored.fingerprint != fingerprint(ask):
            self.stale_from = n
            self.pending[n] = ask
        else:
            self._know(n, ask, stored.body)

    def _know(self, n: int, ask: Ask, body: bytes) -> None:
        value = self._values[n] = answer_value(ask, body)
        if isinstance(ask, KEPT):
            self.kept[str(n)] = {"failed": value.reason} if isinstance(value, Failed) else value

    def _collected(self) -> Any:
        if self._group is None:
            return None
        first = self._asked - len(self._group)
        values = tuple(self._values.pop(n) for n in range(first, self._asked))
        return values[0] if self._alone else values
