"""MPNet with whatever it has learned further, its matrices in 8 bits, run by onnxruntime on one core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from greenroom.adapters.embeddings.network import session_of, sound
from greenroom.adapters.mpnet.graph import MICROSOFT, Graph
from greenroom.adapters.mpnet.parts import Floats, vocabulary, weights

#: How the model is built, and after how many of its layers states are read beside the last.
LAYERS: Final = 12
LOWER: Final = 6
WIDTH: Final = 768
HEADS: Final = 12
LEAST: Final = 1e-5
#: Where the places of pieces begin; the first two mean something else.
FIRST_PLACE: Final = 2
#: How far two pieces may be apart to be told apart: near ones each by itself, farther ones in steps.
BUCKETS: Final = 32
FARTHEST: Final = 128
#: Numbers of a matrix that share a scale.
BLOCK: Final = 128
#: That states, too, may be rounded to 8 bits for a product, as many by a scale of their own.
ROUNDED: Final = 4
#: Pieces of a text that are read.
MOST_PIECES: Final = 256

#: The matrices of a layer: our name, and those of the model that are put side by side in it.
MATRICES: Final = {
    "qkv": ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
    "o": ("attention.attn.o",),
    "in": ("intermediate.dense",),
    "out": ("output.dense",),
}
NORMS: Final = {"seen": "attention.LayerNorm", "made": "output.LayerNorm"}


class MpnetNetwork:
    """The model with a ``difference``: ``<matrix>.up`` times ``<matrix>.down`` is added, what else is named put in."""

    def __init__(self, difference: Mapping[str, Floats]) -> None:
        self._tokenizer = tokenizer_of()
        given = {**named_weights(), **difference}
        self._words = given.pop("words").astype(np.float16)  # rounded by far less than int8 rounds
        self._places, self._near = given.pop("places"), given.pop("near")
        self._norm = given.pop("first.weight"), given.pop("first.bias")
        self._session = session_of(_graph(given))

    def states(self, text: str) -> Floats:
        """The last states of a text's pieces."""
        return self.layers(text)[1]

    def layers(self, text: str) -> tuple[Floats, Floats]:
        """The states of a text's pieces after the lower layers, and the last ones."""
        ids = self._tokenizer.encode(sound(text)).ids
        length = len(ids)
        states = self._words[ids] + self._places[FIRST_PLACE : FIRST_PLACE + length]
        states -= states.mean(1, keepdims=True)
        states /= np.sqrt((states**2).mean(1, keepdims=True) + LEAST)
        fed = {"states": states * self._norm[0] + self._norm[1], "near": self._near[:, steps(length)]}
        found: Floats
        (found,) = self._session.run(None, {name: one.astype(np.float32) for name, one in fed.items()})
        return found[:, :WIDTH], found[:, WIDTH:]


def named_weights() -> dict[str, Floats]:
    """The numbers of the model as it comes, by our names."""
    given = dict(weights())
    found = {
        "words": given["embeddings.word_embeddings.weight"],
        "places": given["embeddings.position_embeddings.weight"],
        "near": given["encoder.relative_attention_bias.weight"].T,
        "first.weight": given["embeddings.LayerNorm.weight"],
        "first.bias": given["embeddings.LayerNorm.bias"],
    }
    for layer in range(LAYERS):
        for name, parts in MATRICES.items():
            for kind in ("weight", "bias"):
                whole = [given[f"encoder.layer.{layer}.{part}.{kind}"] for part in parts]
                found[f"{layer}.{name}.{kind}"] = np.concatenate(whole)
        for name, part in NORMS.items():
            for kind in ("weight", "bias"):
                found[f"{layer}.{name}.{kind}"] = given[f"encoder.layer.{layer}.{part}.{kind}"]
    return found


def steps(length: int) -> NDArray[np.int64]:
    """How far each piece is from each, as the model counts it."""
    half = BUCKETS // 2
    apart = np.arange(length)[:, None] - np.arange(length)
    far, exact = np.abs(apart), half // 2
    grown = exact + np.log(np.maximum(far, 1) / exact) / np.log(FARTHEST / exact) * (half - exact)
    found: NDArray[np.int64] = np.where(far < exact, far, np.minimum(grown.astype(np.int64), half - 1))
    return found + half * (apart < 0)


def tokenizer_of() -> Any:
    """What makes pieces of a text."""
    import tokenizers  # noqa: PLC0415  slow to import, and not before something is to be read

    found = tokenizers.Tokenizer.from_str(vocabulary())
    found.no_padding()
    found.enable_truncation(MOST_PIECES)
    return found


def _graph(given: Mapping[str, Floats]) -> bytes:
    graph, states, lower = Graph(), "states", ""
    heads = graph.tensor(np.array([-1, HEADS, WIDTH // HEADS]))
    whole = graph.tensor(np.array([-1, WIDTH]))
    for layer in range(LAYERS):
        queries = _linear(graph, states, given, f"{layer}.qkv")
        query, key, value = (
            graph.node("Transpose", graph.node("Reshape", part, heads), perm=order)
            for part, order in zip(
                graph.nodes(3, "Split", queries, axis=1, num_outputs=3), ([1, 0, 2], [1, 2, 0], [1, 0, 2]), strict=True
            )
        )
        likes = graph.node("Add", graph.node("MatMul", query, key), "near")
        seen = graph.node("MatMul", graph.node("Softmax", likes, axis=-1), value)
        seen = graph.node("Reshape", graph.node("Transpose", seen, perm=[1, 0, 2]), whole)
        states = _normed(graph, states, _linear(graph, seen, given, f"{layer}.o"), given, f"{layer}.seen")
        inner = graph.node("Gelu", _linear(graph, states, given, f"{layer}.in"))
        states = _normed(graph, states, _linear(graph, inner, given, f"{layer}.out"), given, f"{layer}.made")
        lower = states if layer < LOWER else lower
    both = graph.node("Concat", lower, states, axis=1)
    return graph.model({"states": ("pieces", WIDTH), "near": (HEADS, "pieces", "pieces")}, both, ("pieces", 2 * WIDTH))


def _linear(graph: Graph, states: str, given: Mapping[str, Floats], name: str) -> str:
    weight, bias = given[f"{name}.weight"].T, given[f"{name}.bias"]
    if f"{name}.up" in given:
        weight = weight + given[f"{name}.up"] @ given[f"{name}.down"]
    if name.endswith("qkv"):  # of queries the likeness is a share
        share = np.where(np.arange(3 * WIDTH) < WIDTH, (WIDTH / HEADS) ** -0.5, 1).astype(np.float32)
        weight, bias = weight * share, bias * share
    return graph.node("Add", _product(graph, states, weight), graph.tensor(bias.astype(np.float32)))


def _product(graph: Graph, states: str, weight: Floats) -> str:
    """States times a matrix in 8 bits, so many rows of a column by a scale of their own."""
    rows, columns = weight.shape
    blocks = weight.T.reshape(columns, rows // BLOCK, BLOCK)
    scale = np.abs(blocks).max(2, keepdims=True) / 127
    rounded = (np.round(blocks / scale) + 128).astype(np.uint8)
    return graph.node(
        "MatMulNBits",
        states,
        graph.tensor(rounded),
        graph.tensor(scale.reshape(columns, -1).astype(np.float32)),
        domain=MICROSOFT,
        K=rows,
        N=columns,
        bits=8,
        block_size=BLOCK,
        accuracy_level=ROUNDED,
    )


def _normed(graph: Graph, states: str, more: str, given: Mapping[str, Floats], name: str) -> str:
    weight, bias = (graph.tensor(given[f"{name}.{kind}"].astype(np.float32)) for kind in ("weight", "bias"))
    return graph.node("LayerNormalization", graph.node("Add", states, more), weight, bias, axis=-1, epsilon=LEAST)
