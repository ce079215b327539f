"""The vectors of one scope as one matrix: exact search, a millisecond for twenty thousand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from greenroom.recall import Likeness

#: Memories that are considered for their likeness alone.
CLOSEST = 200


def packed(vector: Sequence[float]) -> bytes:
    """A vector as it is stored: float32, little-endian."""
    return np.asarray(vector, dtype="<f4").tobytes()


class Matrix:
    """Vectors by the number of their memory."""

    def __init__(self, dimensions: int) -> None:
        self._rows = np.empty((64, dimensions), dtype=np.float32)
        self._numbers = np.empty(64, dtype=np.int64)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, number: int, vector: bytes) -> None:
        if self._count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
            self._numbers = np.concatenate([self._numbers, np.empty_like(self._numbers)])
        self._rows[self._count] = np.frombuffer(vector, dtype="<f4")
        self._numbers[self._count] = number
        self._count += 1

    def likeness(self, question: Sequence[float], known: bytearray) -> Likeness | None:
        """How like the question each known memory is; None if nothing known has a vector."""
        numbers = self._numbers[: self._count]
        seen = np.frombuffer(known, dtype=np.bool_)[numbers]
        # Not `@`: on busy cores the threads of a matrix product wait for each other, 20 ms instead of one.
        likes = np.vecdot(self._rows[: self._count], np.asarray(question, dtype=np.float32))[seen]
        numbers = numbers[seen]
        if not len(numbers):
            return None
        # Rounded: sums of floats differ in their last digits from one machine's matrix product to another's.
        likes = ((likes - likes.mean()) / (likes.std() or 1.0)).astype(np.float64).round(4)
        of = np.zeros(len(known))
        of[numbers] = likes
        if len(likes) > CLOSEST:
            numbers = numbers[np.argpartition(-likes, CLOSEST)[:CLOSEST]]
        return Likeness(of.tolist(), numbers.tolist())
