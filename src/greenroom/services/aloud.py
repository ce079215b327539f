"""Lines that are still being said: shown sentence by sentence, to whoever may hear them, and never stored.

What is said here may yet be taken back: a line that fails, or whose worker dies, is asked anew and replaces what was
shown. Only what is settled is true. It lives in the process that drives the turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

_END = re.compile(r"[.!?…]+[\"'”’)]*(?=\s|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A line so far: whole sentences of it."""

    #: The attempt whose turn it is; another number means that the line began anew.
    attempt: int
    sentences: tuple[str, ...]
    #: The state before the turn, to ask who may hear it.
    state: Any


@dataclass(slots=True)
class Aloud:
    """What is being said in this process, by stream."""

    _said: dict[str, Saying] = field(default_factory=dict)
    _ears: dict[str, list[Callable[[], None]]] = field(default_factory=dict)

    def of(self, stream: str) -> Saying | None:
        return self._said.get(stream)

    def is_heard(self, stream: str) -> bool:
        """Whether anybody listens to a stream here."""
        return bool(self._ears.get(stream))

    def say(self, stream: str, saying: Saying) -> None:
        """Let whoever listens hear a line so far."""
        if self._said.get(stream) != saying:
            self._said[stream] = saying
            self._ring(stream)

    def hush(self, stream: str) -> None:
        """The turn has ended: what was said is settled, or was never said."""
        if self._said.pop(stream, None) is not None:
            self._ring(stream)

    def listen(self, stream: str, ear: Callable[[], None]) -> None:
        self._ears.setdefault(stream, []).append(ear)

    def leave(self, stream: str, ear: Callable[[], None]) -> None:
        left = [one for one in self._ears.get(stream, ()) if one is not ear]
        if left:
            self._ears[stream] = left
        else:
            self._ears.pop(stream, None)

    def _ring(self, stream: str) -> None:
        for ear in tuple(self._ears.get(stream, ())):
            ear()


def sentences_in(answer: str, name: str, *, schema: bool) -> tuple[str, ...]:
    """The whole sentences of a field of an answer that is still being written."""
    text, ended = _field(answer, name) if schema else (answer, False)
    found, start = [], 0
    for match in _END.finditer(text):
        if match.end() == len(text) and not ended:
            break  # perhaps there is more of it to come
        found.append(text[start : match.end()].strip())
        start = match.end()
    if ended and text[start:].strip():
        found.append(text[start:].strip())
    return tuple(found)


def _field(answer: str, name: str) -> tuple[str, bool]:
    """The text of a field so far, and whether its end is there."""
    opening = re.search(rf'"{re.escape(name)}"\s*:\s*"', answer)
    if opening is None:
        return "", False
    rest = answer[opening.end() :]
    closing = re.search(r'(?<!\\)(?:\\\\)*"', rest)
    text, ended = (rest[: closing.end() - 1], True) if closing else (rest, False)
    for cut in range(7):  # an escape may be cut in the middle
        try:
            return msgspec.json.decode(f'"{text[: len(text) - cut]}"', type=str), ended and not cut
        except msgspec.DecodeError:
            continue
    return "", False


__all__ = ["Aloud", "Saying", "sentences_in"]
