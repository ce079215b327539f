"""Vectors of a world's own lines are made once for a data directory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from greenroom.adapters.embeddings import embedded_default
from greenroom.adapters.embeddings.keeping import MANY, KeepingEmbedder
from greenroom.ports import Embedder

LINES = [f"line {i}" for i in range(MANY)]


@pytest.fixture(scope="module")
def encoder() -> Embedder:
    found = embedded_default()
    assert found is not None
    return found


async def test_many_lines_are_read_from_their_file_and_made_again_where_it_is_damaged(
    encoder: Embedder, tmp_path: Path
) -> None:
    kept = KeepingEmbedder(encoder, tmp_path / "vectors")
    first = np.asarray(await kept.embed(LINES))
    (file,) = (tmp_path / "vectors").iterdir()
    written = file.stat().st_mtime_ns
    assert np.array_equal(np.asarray(await kept.embed(LINES)), first)
    assert file.stat().st_mtime_ns == written
    file.write_bytes(file.read_bytes()[:1000])
    assert np.allclose(np.asarray(await kept.embed(LINES)), first, atol=1e-3)
    assert file.stat().st_mtime_ns != written


async def test_what_people_say_is_kept_nowhere_and_a_folder_that_cannot_be_written_is_no_fault(
    encoder: Embedder, tmp_path: Path
) -> None:
    kept = KeepingEmbedder(encoder, tmp_path / "vectors")
    await kept.embed(["I live in Hull.", "my name is Ada"])
    assert not (tmp_path / "vectors").exists()
    (tmp_path / "file").write_text("no folder")
    assert len(await KeepingEmbedder(encoder, tmp_path / "file").embed(LINES)) == MANY
