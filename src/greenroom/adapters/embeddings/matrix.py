"""The vectors of one scope as one matrix: exact search, a millisecond for twenty thousand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from greenroom.kernel.recall import Likeness

#: Memories that are considered for their likeness alone.
CLOSEST = 200


def packed(vector: Sequence[float]) -> bytes:
    """A vector as it is stored: float32, little-endian."""
    return np.asarray(vector, dtype="<f4").tobytes()


class Matrix:
    """Vectors by the number of their memory."""

    def __init__(self, dimensions: int) -> None:
        self._rows = np.empty((64, dimensions), dtype=np.float32)
        self._numbers: list[int] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, number: int, vector: bytes) -> None:
        if len(self._numbers) == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._rows[len(self._numbers)] = np.frombuffer(vector, dtype="<f4")
        self._numbers.append(number)

    def likeness(self, question: Sequence[float], known: bytearray) -> Likeness | None:
        """How like the question each known memory is; None if nothing known has a vector."""
        numbers = np.asarray(self._numbers, dtype=np.int64)
        seen = np.frombuffer(bytes(known), dtype=np.uint8)[numbers] == 1
        numbers = numbers[seen]
        if not len(numbers):
            return None
        likes = (self._rows[: len(self._numbers)] @ np.asarray(question, dtype=np.float32))[seen]
        likes = (likes - likes.mean()) / (likes.std() or 1.0)
        of = np.zeros(len(known), dtype=np.float64)
        of[numbers] = likes
        # Rounded: sums of floats differ in their last digits from one machine's matrix product to another's.
        of = of.round(5)
        first = np.argsort(-of[numbers], kind="stable")[:CLOSEST]
        return Likeness(of.tolist(), numbers[first].tolist())
