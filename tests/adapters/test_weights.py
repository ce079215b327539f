"""A model is loaded only if it is the one whose digest is written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from greenroom.adapters.embeddings import network
from greenroom.adapters.weights import DIGESTS, check_digest, checked
from greenroom.kernel.errors import BackendError


def test_every_file_of_a_model_has_its_digest() -> None:
    assert set(map(len, DIGESTS.values())) == {64}


def test_weights_with_one_byte_changed_are_not_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = bytearray(network.weights().read_bytes())
    assert checked("minilm-l6-int8/model.onnx", bytes(data))
    data[len(data) // 2] ^= 1
    (tmp_path / "model.onnx").write_bytes(data)
    monkeypatch.setattr(network, "weights", lambda: tmp_path / "model.onnx")
    with pytest.raises(BackendError, match="install the package that brings it anew"):
        network.MiniLMNetwork().states(["hello"])


def test_another_digest_is_refused_for_every_file() -> None:
    for name in DIGESTS:
        with pytest.raises(BackendError, match=name):
            check_digest(name, "0" * 64)
