"""A judgement on top of the embedded model: small networks that have learned from what it makes of a text."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from greenroom.adapters.embeddings.minilm import MiniLM


class Head:
    """Several small networks, whose mean counts. ``numbers`` is an ``.npz`` file with

    ``mean`` and ``spread`` of what goes in, ``first`` (whole numbers) times ``scale``, ``bias``, ``last``, ``odds``.
    """

    def __init__(self, encoder: MiniLM, numbers: bytes) -> None:
        self._encoder = encoder
        with np.load(BytesIO(numbers)) as found:
            given = {name: found[name].astype(np.float32) for name in found.files}
        self._mean, self._spread = given["mean"], given["spread"]
        self._first, self._bias = given["first"] * given["scale"], given["bias"]
        self._last, self._odds = given["last"], given["odds"]

    async def odds(self, text: str) -> float:
        """Logarithm of the odds; computed in the encoder's thread."""
        return self.weigh(await self._encoder.pooled(text))

    def weigh(self, pooled: NDArray[np.float32]) -> float:
        given = (pooled - self._mean) / self._spread
        inner = np.maximum(np.einsum("i,kij->kj", given, self._first) + self._bias, 0)
        return float(((inner * self._last).sum(1) + self._odds).mean())
