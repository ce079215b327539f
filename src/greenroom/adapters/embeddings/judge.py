"""A judgement by the embedded model after it has learned further for it; vectors for recall never come from here."""

from __future__ import annotations

from io import BytesIO

import numpy as np

from greenroom.adapters.embeddings.minilm import MiniLM
from greenroom.adapters.embeddings.network import Network


class Judge:
    """Works in the thread of ``encoder``. ``numbers`` is an ``.npz`` file: what is different from the model as it
    comes, and ``weight`` and ``bias``, which make odds of the mean and the first of a text's states.
    """

    def __init__(self, encoder: MiniLM, numbers: bytes) -> None:
        with np.load(BytesIO(numbers)) as found:
            given = {name: found[name].astype(np.float32) for name in found.files}
        self._weight, self._bias = given.pop("weight"), given.pop("bias")
        self._encoder, self._network = encoder, Network(given)

    async def odds(self, text: str) -> float:
        """Logarithm of the odds."""
        return await self._encoder.apart(self.weigh, text)

    def weigh(self, text: str) -> float:
        """The same, here and now."""
        (states,), _ = self._network.states([text])
        return float(np.concatenate([states.mean(0), states[0]]) @ self._weight + self._bias)
