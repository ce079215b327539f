"""Vectors of a world's own lines in a file of the house: they come again with every start, and take long to make."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from greenroom.ports import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: So many texts at once are lines of a world; what people say never comes in such numbers, and is never kept here.
MANY = 500
#: Files that are kept; those that were not made lately go first.
MOST_FILES = 32


class KeepingEmbedder:
    """Another embedder, asked only once for the same many texts."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self._folder = folder

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        if len(texts) < MANY:
            return await self._embedder.embed(texts)
        file = self._folder / f"{_digest(self.name, texts)}.npy"
        found: Any = await asyncio.to_thread(_read, file, (len(texts), self.dimensions))
        if found is None:
            import numpy as np  # noqa: PLC0415  only where the encoder is

            found = np.asarray(await self._embedder.embed(texts), dtype=np.float32)
            await asyncio.to_thread(_write, file, found)
        return list(found)


def _digest(name: str, texts: Sequence[str]) -> str:
    made = blake2b(name.encode(), digest_size=16)
    for text in texts:
        made.update(b"\0" + text.encode("utf-8", "replace"))
    return made.hexdigest()


def _read(file: Path, shape: tuple[int, int]) -> NDArray[np.float32] | None:
    """What was kept, if it is whole."""
    import numpy as np  # noqa: PLC0415  the same

    try:
        found: NDArray[np.float32] = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return found if found.shape == shape and found.dtype == np.float32 else None


def _write(file: Path, vectors: NDArray[np.float32]) -> None:
    """Keep them, whole or not at all; a house that cannot write makes them again another time."""
    import numpy as np  # noqa: PLC0415  the same

    part = file.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as out:
            np.save(out, vectors, allow_pickle=False)
        part.replace(file)
        files = sorted(file.parent.glob("*.npy"), key=lambda one: one.stat().st_mtime)
        for old in files[:-MOST_FILES]:
            old.unlink()
