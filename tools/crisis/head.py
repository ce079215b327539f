"""Learn the understudy's half of the bar's crisis check: small networks on top of the embedded model.

    python -m tools.crisis.head            writes src/greenroom/worlds/bar/content/crisis.npz
    python -m tools.crisis.head --check    says how well it does on each file when it has learned from the others

Needs the extra ``embeddings``; the same input gives the same numbers. Several networks, each begun elsewhere: their
mean is right more often than one of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from greenroom.adapters.embeddings.minilm import MiniLM
from tools.crisis.train import Bools, Rows, read, told

OUT = Path(__file__).parents[2] / "src/greenroom/worlds/bar/content/crisis.npz"
NETWORKS, HIDDEN, ROUNDS, BATCH, RATE, DECAY = 3, 60, 16, 256, 0.002, 1e-4
#: Share of the numbers that a network does without while it learns: of what goes in, and inside.
UNSEEN, DROPPED = 0.15, 0.3

#: Sentences that the embedded model reads at once.
TOGETHER = 32

Floats = NDArray[np.float32]


class Network:
    """One hidden layer."""

    def __init__(self, width: int, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        self.first = self._normal(width, (width, HIDDEN))
        self.bias = np.zeros(HIDDEN, np.float32)
        self.last = self._normal(HIDDEN, (HIDDEN,))
        self.odds = np.zeros(1, np.float32)

    def _normal(self, width: int, shape: tuple[int, ...]) -> Floats:
        found: Floats = (self.chance.normal(size=shape) / width**0.5).astype(np.float32)
        return found

    def weigh(self, given: Floats) -> Floats:
        result: Floats = np.maximum(given @ self.first + self.bias, 0) @ self.last + self.odds
        return result

    def learn(self, given: Floats, crisis: Bools) -> None:
        """Adam on the log loss, crisis and ok weighing the same; the rate falls to nothing."""
        worth = np.where(crisis, 0.5 / crisis.mean(), 0.5 / (1 - crisis.mean())).astype(np.float32)
        numbers = [self.first, self.bias, self.last, self.odds]
        moments = [(np.zeros_like(one), np.zeros_like(one)) for one in numbers]
        step = 0
        for turn in range(ROUNDS):
            order = self.chance.permutation(len(crisis))
            for start in range(0, len(order), BATCH):
                some, step = order[start : start + BATCH], step + 1
                slopes = self._slopes(given[some], crisis[some], worth[some])
                for one, slope, (mean, square) in zip(numbers, slopes, moments, strict=True):
                    mean += 0.1 * (slope - mean)  # noqa: PLW2901  in place
                    square += 0.001 * (slope * slope - square)  # noqa: PLW2901
                    way = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
                    one -= (RATE * (1 - turn / ROUNDS) * way).astype(np.float32)  # noqa: PLW2901

    def _slopes(self, given: Floats, crisis: Bools, worth: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        given = given * self._kept(given.shape, UNSEEN)
        before = given @ self.first + self.bias
        kept = self._kept(before.shape, DROPPED)
        inner = np.maximum(before, 0) * kept
        sure = 1 / (1 + np.exp(-(inner @ self.last + self.odds)))
        wrong = ((sure - crisis) * worth / len(crisis)).astype(np.float32)
        back = np.outer(wrong, self.last) * kept * (before > 0)
        decay = np.float32(DECAY)
        return given.T @ back + decay * self.first, back.sum(0), inner.T @ wrong + decay * self.last, wrong.sum()[None]

    def _kept(self, shape: tuple[int, ...], share: float) -> Floats:
        return ((self.chance.random(shape, dtype=np.float32) >= share) / (1 - share)).astype(np.float32)


def learn(given: Floats, crisis: Bools) -> list[Network]:
    found = [Network(given.shape[1], seed) for seed in range(NETWORKS)]
    for network in found:
        network.learn(given, crisis)
    return found


def pooled(rows: Rows) -> tuple[Floats, Bools]:
    """What the embedded model makes of sentences; those of about one length together, which is faster."""
    encoder, order = MiniLM(), sorted(range(len(rows)), key=lambda i: (len(rows[i][0]), i))
    batches = [order[i : i + TOGETHER] for i in range(0, len(order), TOGETHER)]
    made = np.concatenate([encoder.pool([rows[i][0] for i in batch]) for batch in batches])
    # Rounded, so that the last bits of one machine's arithmetic do not change what is learned.
    return made[np.argsort(order)].astype(np.float16).astype(np.float32), np.array([label for _, label in rows])


def check(files: dict[str, tuple[Floats, Bools]]) -> None:
    for name, (held, crisis) in files.items():
        given = np.concatenate([one for other, (one, _) in files.items() if other != name])
        labels = np.concatenate([one for other, (_, one) in files.items() if other != name])
        mean, spread = given.mean(0), given.std(0) + 1e-6
        networks = learn((given - mean) / spread, labels)
        odds = np.mean([network.weigh((held - mean) / spread) for network in networks], 0)
        print(f"{name:12} {told(odds, crisis)}", flush=True)


def write(given: Floats, crisis: Bools) -> None:
    mean, spread = given.mean(0).astype(np.float16), (given.std(0) + 1e-6).astype(np.float16)
    networks = learn((given - mean) / spread, crisis)
    first = np.stack([network.first for network in networks])
    scale = np.abs(first).max(1, keepdims=True) / 127
    np.savez_compressed(
        OUT,
        mean=mean,
        spread=spread,
        first=np.round(first / scale).astype(np.int8),
        scale=scale,
        bias=np.stack([network.bias for network in networks]),
        last=np.stack([network.last for network in networks]),
        odds=np.concatenate([network.odds for network in networks]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="learn without each file in turn, and write nothing")
    files = {name: pooled(rows) for name, rows in read().items()}
    if parser.parse_args().check:
        check(files)
        return
    write(np.concatenate([one for one, _ in files.values()]), np.concatenate([one for _, one in files.values()]))
    print(f"learned from {sum(len(one) for _, one in files.values())} sentences")


if __name__ == "__main__":
    main()
