"""The model behind the bar's crisis check: read from its parts, put together, run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from greenroom.adapters import mpnet
from greenroom.adapters.embeddings.network import session_of
from greenroom.adapters.mpnet.graph import MICROSOFT, Graph
from greenroom.adapters.mpnet.network import HEADS, WIDTH, MpnetNetwork, _linear, steps, tokenizer_of
from greenroom.adapters.mpnet.parts import Floats, _Joined
from greenroom.settings import read_part
from greenroom.worlds.bar.outside import judge_of
from greenroom.worlds.bar.settings import BarSettings


@pytest.fixture(scope="module")
def network() -> MpnetNetwork:
    """As it comes: it has learned nothing further."""
    return MpnetNetwork({})


def meaning(network: MpnetNetwork, text: str) -> Floats:
    found: Floats = network.states(text).mean(0)
    found /= np.linalg.norm(found)
    return found


def test_what_means_the_same_is_near_whatever_its_words(network: MpnetNetwork) -> None:
    cat, kitten, stocks = (
        meaning(network, text)
        for text in ("The cat sat on the mat.", "A kitten was resting on the rug.", "Share prices fell sharply today.")
    )
    assert cat @ kitten > 0.6
    assert abs(cat @ stocks) < 0.2


def test_any_text_is_read_and_a_long_one_in_part(network: MpnetNetwork) -> None:
    assert network.states("").shape == (2, WIDTH)
    assert network.states("half \ud800").shape[1] == WIDTH
    assert network.states("word " * 5_000).shape == (256, WIDTH)


def test_pieces_are_told_apart_by_how_far_and_on_which_side() -> None:
    found = steps(200)
    assert found[5].tolist()[:12] == [5, 4, 3, 2, 1, 0, 17, 18, 19, 20, 21, 22]
    assert (found[0, 130], found[0, 199], found[199, 0]) == (31, 31, 15)
    assert len(set(found.ravel().tolist())) == 2 * (HEADS + 4) - 1


def test_the_vocabulary_comes_with_the_parts() -> None:
    assert tokenizer_of().encode("Unhappily, yes").tokens == ["<s>", "un", "##ha", "##pp", "##ily", ",", "yes", "</s>"]


def test_files_are_read_as_one_over_their_ends(tmp_path: Path) -> None:
    whole = bytes(range(256)) * 3
    paths = [tmp_path / str(number) for number in range(3)]
    for path, part in zip(paths, (whole[:100], whole[100:101], whole[101:]), strict=True):
        path.write_bytes(part)
    with _Joined(paths) as joined:
        assert joined.readall() == whole
        assert joined.read(1) == b""
        for offset, whence in ((98, 0), (-5, 1), (-600, 2)):
            joined.seek(offset, whence)
            at = joined.tell()
            assert joined.readall() == whole[at:]
            joined.seek(at)


def test_a_computation_is_written_as_onnxruntime_reads_it() -> None:
    graph = Graph()
    weight = np.linspace(-1, 1, 64 * 8, dtype=np.float32).reshape(64, 8)
    left, right = graph.nodes(2, "Split", graph.node("MatMul", "given", graph.tensor(weight)), axis=-1, num_outputs=2)
    found = graph.node("Concat", graph.node("LeakyRelu", right, alpha=0.25), left, axis=1)
    run = session_of(graph.model({"given": ("many", 64)}, found, ("many", 8))).run
    given = np.arange(192, dtype=np.float32).reshape(3, 64)
    whole = given @ weight
    wanted = np.concatenate([np.where(whole[:, 4:] > 0, whole[:, 4:], whole[:, 4:] / 4), whole[:, :4]], 1)
    np.testing.assert_allclose(run(None, {"given": given})[0], wanted, rtol=1e-4)
    assert MICROSOFT.encode() in graph.model({}, found, ())


def test_what_was_learned_is_added_to_a_matrix_as_near_as_eight_bits_allow() -> None:
    chance = np.random.default_rng(7)
    weight, up, down, bias, given = (
        chance.standard_normal(shape, np.float32)
        for shape in ((WIDTH, WIDTH), (WIDTH, 3), (3, WIDTH), (WIDTH,), (5, WIDTH))
    )
    known = {"0.o.weight": weight, "0.o.bias": bias, "0.o.up": up, "0.o.down": down}
    graph = Graph()
    found = _linear(graph, "given", known, "0.o")
    (now,) = session_of(graph.model({"given": (5, WIDTH)}, found, (5, WIDTH))).run(None, {"given": given})
    wanted = given @ (weight.T + up @ down) + bias
    assert np.abs(now - wanted).max() < 0.02 * np.abs(wanted).max()
    assert np.abs(now - (given @ weight.T + bias)).max() > 0.5 * np.abs(wanted).max()


def test_without_its_parts_or_where_words_are_wanted_nobody_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge_of(read_part(BarSettings, "bar")) is None
    monkeypatch.setenv("GREENROOM_RECALL", "vectors")
    assert judge_of(read_part(BarSettings, "bar")) is not None
    monkeypatch.setattr(mpnet, "NEEDED", (*mpnet.NEEDED, "no-such-part"))
    assert mpnet.missing() == ("no-such-part",)
    assert judge_of(read_part(BarSettings, "bar")) is None
