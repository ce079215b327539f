"""Chance without state: the same place in a stream always rolls the same dice."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


_WORDS = 1 << 64


class Chance:
    """A counter-based generator: block *i* is SHA-256 of (key, i).

    Two generators with one key give one sequence, on any machine, after any crash.
    """

    __slots__ = ("_block", "_counter", "_key")

    def __init__(self, *key: int | str) -> None:
        self._key = "\x1f".join(map(str, key)).encode()
        self._counter = 0
        self._block = b""

    def _word(self) -> int:
        if not self._block:
            self._block = sha256(self._key + b"\x1e%d" % self._counter).digest()
            self._counter += 1
        word, self._block = self._block[:8], self._block[8:]
        return int.from_bytes(word, "big")

    def below(self, sides: int) -> int:
        """A whole number in ``range(sides)``, without bias."""
        if sides < 1:
            raise ValueError(f"a die needs at least one side, not {sides}")
        limit = _WORDS - _WORDS % sides
        while (word := self._word()) >= limit:
            pass
        return word % sides

    def choose(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return tuple(mixed)


def roll(seed: int, version: int, ask: int, sides: Sequence[int]) -> tuple[int, ...]:
    """The answer to ``Roll(*sides)`` at one place of one stream: on top of a version, not in an attempt.

    A worker that comes late numbers attempts otherwise than one in time; versions come out the same.
    """
    chance = Chance(seed, version, ask)
    return tuple(chance.below(n) for n in sides)
