"""Vectors of a world's own lines are made once for a data directory, and nobody waits long for them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from greenroom.adapters.embeddings import embedded_default
from greenroom.adapters.embeddings.keeping import MANY, PATIENCE, KeepingEmbedder
from greenroom.kernel.errors import BackendError
from greenroom.ports import Embedder

#: Short ones and long ones, in no order.
LINES = [f"line {i}" + " and another word" * (i * 7 % 5) for i in range(MANY)]


@pytest.fixture(scope="module")
def encoder() -> Embedder:
    found = embedded_default()
    assert found is not None
    return found


def written(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}


async def test_many_lines_are_read_from_their_files_and_made_again_where_one_is_damaged(
    encoder: Embedder, tmp_path: Path
) -> None:
    folder = tmp_path / "vectors"
    kept = KeepingEmbedder(encoder, folder, patient=True)
    first = np.asarray(await kept.embed(LINES))
    assert np.allclose(first[:20], np.asarray(await encoder.embed(LINES[:20])), atol=1e-3)
    before = written(folder)
    assert np.array_equal(np.asarray(await kept.embed(LINES)), first)
    assert written(folder) == before
    damaged = next(folder.iterdir())
    damaged.write_bytes(damaged.read_bytes()[:1000])
    halved = written(folder)
    assert np.allclose(np.asarray(await kept.embed(LINES)), first, atol=1e-3)
    assert {name for name, at in written(folder).items() if at != halved[name]} == {damaged.name}


async def test_what_people_say_is_kept_nowhere_and_a_folder_that_cannot_be_written_is_no_fault(
    encoder: Embedder, tmp_path: Path
) -> None:
    kept = KeepingEmbedder(encoder, tmp_path / "vectors", patient=True)
    await kept.embed(["I live in Hull.", "my name is Ada"])
    assert not (tmp_path / "vectors").exists()
    (tmp_path / "file").write_text("no folder")
    assert len(await KeepingEmbedder(encoder, tmp_path / "file", patient=True).embed(LINES)) == MANY


class Slow:
    """The encoder behind a gate, as if this machine were slow."""

    name, dimensions = "slow", 384

    def __init__(self, encoder: Embedder) -> None:
        self.gate = asyncio.Event()
        self._encoder = encoder

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        await self.gate.wait()
        return await self._encoder.embed(texts)


async def test_nobody_waits_long_for_lines_that_are_still_being_made(encoder: Embedder) -> None:
    slow = Slow(encoder)
    kept = KeepingEmbedder(slow, None, patient=False)
    loop = asyncio.get_running_loop()
    begun = loop.time()
    with pytest.raises(BackendError, match="still being made"):
        await kept.embed(LINES)
    assert PATIENCE - 0.1 < loop.time() - begun < PATIENCE + 1
    begun = loop.time()
    with pytest.raises(BackendError):
        await kept.embed(LINES)
    assert loop.time() - begun < 0.5
    slow.gate.set()
    async with asyncio.timeout(30):
        while True:
            try:
                assert len(await kept.embed(LINES)) == MANY
            except BackendError:
                await asyncio.sleep(0.05)
            else:
                break


async def test_a_house_that_closes_gives_up_what_is_being_made(encoder: Embedder) -> None:
    kept = KeepingEmbedder(Slow(encoder), None, patient=True)
    stop = asyncio.Event()
    waiting = asyncio.create_task(kept.embed(LINES))
    keeping = asyncio.create_task(kept.run(stop))
    await asyncio.sleep(0)
    stop.set()
    async with asyncio.timeout(5):
        await keeping
        with pytest.raises(BackendError):
            await waiting
