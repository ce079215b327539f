"""The embedded model as it comes, and with numbers of its own changed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from greenroom.adapters.embeddings.network import Network, changed, model_file
from greenroom.adapters.embeddings.tensors import tensors

Floats = NDArray[np.float32]
#: One weight of the first layer, and a bias of the last.
WEIGHT, BIAS = "val_49", "inner.encoder.layer.5.output.LayerNorm.bias"
TEXTS = ["The ferry was late again.", "One beer, please, and the window seat if it is free."]


def means(difference: Mapping[str, Floats] | None = None) -> Floats:
    hidden, mask = Network(difference).states(TEXTS)
    found: Floats = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return found


@pytest.fixture(scope="module")
def model() -> bytes:
    return model_file().read_bytes()


@pytest.fixture(scope="module")
def as_it_comes() -> Floats:
    return means()


def test_the_numbers_of_a_model_are_found_by_name_in_their_shape_and_kind(model: bytes) -> None:
    found = tensors(bytearray(model))
    assert found[f"{WEIGHT}_q"].shape == (384, 384)
    assert found[f"{WEIGHT}_q"].dtype == np.int8
    assert found[f"{WEIGHT}_scale"].shape == (1, 384)
    assert found[BIAS].shape == (384,)
    assert sum(name.endswith("_q") for name in found) == 38


def test_a_change_stays_where_it_was_made(model: bytes) -> None:
    now = bytearray(model)
    tensors(now)[BIAS][:] = 1
    before, after = tensors(bytearray(model)), tensors(bytearray(now))
    assert len(now) == len(model)
    assert [name for name in before if not np.array_equal(before[name], after[name])] == [BIAS]


def test_no_difference_leaves_a_model_as_it_is(model: bytes, as_it_comes: Floats) -> None:
    nothing = {f"{WEIGHT}.up": np.zeros((384, 2), np.float32), f"{WEIGHT}.down": np.zeros((2, 384), np.float32)}
    assert changed(model, {}) == model
    assert np.abs(means(nothing) - as_it_comes).max() < 1e-3


def test_a_product_is_added_to_a_weight_as_near_as_eight_bits_allow(model: bytes) -> None:
    chance = np.random.default_rng(7)
    up, down = (chance.standard_normal(shape, np.float32) * np.float32(0.05) for shape in ((384, 3), (3, 384)))
    before = tensors(bytearray(model))
    after = tensors(bytearray(changed(model, {f"{WEIGHT}.up": up, f"{WEIGHT}.down": down})))
    whole = before[f"{WEIGHT}_q"] * before[f"{WEIGHT}_scale"] + up @ down
    off = np.abs(after[f"{WEIGHT}_q"] * after[f"{WEIGHT}_scale"] - whole)
    assert (off <= after[f"{WEIGHT}_scale"] * 0.51).all()


def test_a_number_that_is_replaced_shows_in_the_states(as_it_comes: Floats) -> None:
    bias = tensors(bytearray(model_file().read_bytes()))[BIAS]
    assert np.allclose(means({BIAS: bias + 1}), as_it_comes + 1, atol=1e-3)
