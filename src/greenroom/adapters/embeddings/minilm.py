"""Vectors of texts by the embedded model, in a thread of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from greenroom.adapters.turnstile import Turnstile

if TYPE_CHECKING:
    from greenroom.adapters.embeddings.network import MiniLMNetwork

#: Texts in one run. Small, so that a question never waits long behind the background's work.
BATCH = 16


class MiniLM:
    """One thread of its own: the lowest-priority work of the house never takes both cores. Libraries and weights are
    loaded with the first text.
    """

    name = "minilm-l6-int8"
    dimensions = 384

    def __init__(self) -> None:
        self._thread = Turnstile("greenroom vectors")
        self._loaded: MiniLMNetwork | None = None

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        found: list[Sequence[float]] = []
        for start in range(0, len(texts), BATCH):
            found += await self._thread.run(partial(self._run, texts[start : start + BATCH]))
        return found

    def close(self) -> None:
        self._thread.close()

    def _run(self, texts: Sequence[str]) -> list[list[float]]:
        import numpy as np  # noqa: PLC0415  not before something is to be read

        from greenroom.adapters.embeddings.network import MiniLMNetwork  # noqa: PLC0415  the same

        network = self._loaded = self._loaded or MiniLMNetwork()
        hidden, mask = network.states(texts)
        weight = mask[..., None].astype(np.float32)
        pooled = (hidden * weight).sum(1) / weight.sum(1)
        normal: list[list[float]] = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).tolist()
        return normal
