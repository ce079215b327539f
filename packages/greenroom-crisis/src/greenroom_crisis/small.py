"""Learn what the encoder of recall makes of a message: a head on MiniLM as it comes, which stays as it is.

The mean, the greatest and the first of a message's states go through one hidden layer. It is the honest try with an
encoder of a fifth of the size: what it came to stands in the README beside the larger one. Nothing of it is shipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from greenroom.adapters.embeddings.network import MiniLMNetwork
from greenroom_crisis.table import Rows
from greenroom_crisis.typed import typed

OUT: Final = Path(__file__).parents[2] / ".learned/small.npz"
WIDTH: Final = 384
#: Sentences that are read, drawn by lot: reading takes 15 ms each.
MOST: Final = 20_000
HIDDEN, ROUNDS, BATCH = 256, 14, 128
RATE, DECAY, WARM, DROPPED = 1e-3, 1e-4, 0.06, 0.2
#: How far the labels are from certain.
DOUBT: Final = 0.05

Floats = NDArray[np.float32]


class Reader:
    """A message as numbers, read alone, as it is when somebody says it."""

    def __init__(self) -> None:
        self._network = MiniLMNetwork()

    def read(self, text: str) -> Floats:
        states = self._network.states([text])[0][0]
        return np.concatenate([states.mean(0), states.max(0), states[0]]).astype(np.float16).astype(np.float32)


@dataclass(frozen=True)
class Head:
    """What was learned."""

    mean: Floats
    scale: Floats
    inner: Floats
    inner_bias: Floats
    outer: Floats
    outer_bias: Floats

    def odds(self, read: Floats) -> Floats:
        """Logarithm of the odds that whoever wrote a message is in danger."""
        hidden = np.maximum((read - self.mean) / self.scale @ self.inner + self.inner_bias, 0)
        found: Floats = hidden @ self.outer + self.outer_bias[0]
        return found

    def write(self) -> None:
        OUT.parent.mkdir(exist_ok=True)
        np.savez_compressed(OUT, **vars(self))


def loaded() -> Head:
    with np.load(OUT) as found:
        return Head(**{name: found[name] for name in found.files})


def drawn(rows: Rows, most: int = MOST) -> list[tuple[int, str, bool]]:
    """So many of the sentences, each as somebody might have typed it."""
    order = np.random.default_rng(0).permutation(len(rows))[:most]
    return [(int(i), typed(rows[i][0], np.random.default_rng([0, int(i)])), rows[i][1]) for i in order]


def learn(read: Floats, crisis: Floats, *, seed: int = 0) -> Head:
    """Adam on the log loss, crisis and ok weighing the same; the rate rises at first, then falls to nothing."""
    mean, scale = read.mean(0), read.std(0) + np.float32(1e-6)
    given, chance = (read - mean) / scale, np.random.default_rng(seed)
    weights = [
        chance.normal(0, given.shape[1] ** -0.5, (given.shape[1], HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        chance.normal(0, HIDDEN**-0.5, HIDDEN).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    adam = _Adam(weights, steps=ROUNDS * -(-len(given) // BATCH))
    share = crisis.mean()
    worth = np.where(crisis > 0, 0.5 / share, 0.5 / (1 - share)).astype(np.float32)
    for _ in range(ROUNDS):
        order = chance.permutation(len(given))
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            adam.step(_slopes(weights, given[some], crisis[some], worth[some], chance))
    return Head(mean, scale, *weights)


def _slopes(
    weights: list[Floats], given: Floats, crisis: Floats, worth: Floats, chance: np.random.Generator
) -> list[Floats]:
    seen = given * _kept(given.shape, chance)
    hidden = np.maximum(seen @ weights[0] + weights[1], 0)
    kept = _kept(hidden.shape, chance)
    odds = (hidden * kept) @ weights[2] + weights[3]
    wrong = (1 / (1 + np.exp(-odds)) - (crisis * (1 - DOUBT) + DOUBT / 2)) * worth / len(given)
    back = np.outer(wrong, weights[2]) * kept * (hidden > 0)
    return [seen.T @ back, back.sum(0), (hidden * kept).T @ wrong, wrong.sum(keepdims=True)]


def _kept(shape: tuple[int, ...], chance: np.random.Generator) -> Floats:
    found: Floats = (chance.random(shape, dtype=np.float32) >= DROPPED).astype(np.float32) / np.float32(1 - DROPPED)
    return found


class _Adam:
    """Changes the weights in place."""

    def __init__(self, weights: list[Floats], *, steps: int) -> None:
        self._weights, self._steps, self._step = weights, steps, 0
        self._first = [np.zeros_like(one) for one in weights]
        self._second = [np.zeros_like(one) for one in weights]

    def step(self, slopes: list[Floats]) -> None:
        self._step += 1
        rate = RATE * min(self._step / self._steps / WARM, 1 - self._step / self._steps)
        for i, slope in enumerate(slopes):
            self._first[i] += 0.1 * (slope - self._first[i])
            self._second[i] += 0.001 * (slope**2 - self._second[i])
            root = np.sqrt(self._second[i] / (1 - 0.999**self._step)) + 1e-8
            moved = self._first[i] / (1 - 0.9**self._step) / root + DECAY * self._weights[i]
            self._weights[i] -= (rate * moved).astype(np.float32)


def train(rows: Rows, most: int = MOST) -> None:
    """Read, learn and write."""
    reader, some = Reader(), drawn(rows, most)
    read = np.array([reader.read(text) for _, text, _ in some])
    learn(read, np.array([crisis for *_, crisis in some], np.float32)).write()
    print(f"small: learned from {len(some)} of {len(rows)} sentences")
