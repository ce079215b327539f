"""Embedders for tests: what they make of a text depends on nothing but its words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from greenroom.kernel.errors import BackendError

#: Words that mean the same to these tests, so that likeness finds what words cannot.
ALIKE = {"vessel": "ship", "boat": "ship", "feline": "cat"}


@dataclass(slots=True)
class BagOfWords:
    """Each word a direction of its own; words that mean the same share it."""

    name: str = "bag"
    dimensions: int = 64
    #: Every text it was given.
    seen: list[str] = field(default_factory=list)
    broken: bool = False

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        if self.broken:
            raise BackendError("the embedder is down")
        self.seen += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in text.lower().split():
            plain = word.strip(".,?!")
            vector[sha256(ALIKE.get(plain, plain).encode()).digest()[0] % self.dimensions] += 1.0
        length = math.sqrt(sum(x * x for x in vector)) or 1.0
        return [x / length for x in vector]
