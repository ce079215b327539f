"""Vectors of a world's own lines in a file of the house: they come again with every start, and take long to make."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from greenroom.kernel.errors import BackendError
from greenroom.ports import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: So many texts at once are lines of a world; what people say never comes in such numbers, and is never kept here.
MANY = 500
#: Texts of one file: what a process has made when it ends need not be made again.
CHUNK = 256
#: Files that are kept; those that were not made lately go first.
MOST_FILES = 256
#: Seconds that somebody may wait for lines that are still being made.
PATIENCE = 3.0

Vectors = Sequence[Sequence[float]]


class KeepingEmbedder:
    """Another embedder, asked only once for the same many texts. They take long, so they are made in the background:
    whoever is not ``patient`` is told to do without after a few seconds. Without a folder they are kept until they
    are fetched.
    """

    def __init__(self, embedder: Embedder, folder: Path | None, *, patient: bool) -> None:
        self._embedder = embedder
        self._folder = folder
        self._patient = patient
        self._making: dict[str, _Making] = {}

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of these texts.

        Raises:
            BackendError: they are still being made.
        """
        if len(texts) < MANY:
            return await self._embedder.embed(texts)
        key, now = _digest(self.name, tuple(texts)), asyncio.get_running_loop().time()
        if (making := self._making.get(key)) is None:
            task = asyncio.create_task(self._made(tuple(texts)), name="vectors")
            making = self._making[key] = _Making(task, until=now + PATIENCE)
        await asyncio.wait({making.task}, timeout=None if self._patient else max(0.0, making.until - now))
        if not making.task.done() or making.task.cancelled():
            raise BackendError("the vectors of this world's lines are still being made")
        self._making.pop(key, None)
        return making.task.result()

    async def run(self, stop: asyncio.Event) -> None:
        """Give up what is being made when the house closes; whoever comes back goes on where it was."""
        await stop.wait()
        tasks = [making.task for making in self._making.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _made(self, texts: Sequence[str]) -> Vectors:
        """Short texts together and long ones together: a batch takes as long as its longest."""
        found: list[Sequence[float]] = [()] * len(texts)
        order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
        for start in range(0, len(order), CHUNK):
            chunk = order[start : start + CHUNK]
            for i, vector in zip(chunk, await self._chunk([texts[i] for i in chunk]), strict=True):
                found[i] = vector
        return found

    async def _chunk(self, texts: Sequence[str]) -> Vectors:
        if self._folder is None:
            return await self._embedder.embed(texts)
        file = self._folder / f"{_digest(self.name, tuple(texts))}.npy"
        found: Any = await asyncio.to_thread(_read, file, (len(texts), self.dimensions))
        if found is None:
            import numpy as np  # noqa: PLC0415  only where the encoder is

            found = np.asarray(await self._embedder.embed(texts), dtype=np.float32)
            await asyncio.to_thread(_write, file, found)
        return list(found)


class _Making(NamedTuple):
    task: asyncio.Task[Vectors]
    until: float


@lru_cache(maxsize=64)
def _digest(name: str, texts: tuple[str, ...]) -> str:
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
