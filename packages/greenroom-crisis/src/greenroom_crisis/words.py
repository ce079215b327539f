"""Learn the likeness half of the bar's local crisis check from the sentences of this package.

    python -m greenroom_crisis words          writes src/greenroom/worlds/bar/rules/crisis/weights.py
    python -m greenroom_crisis.words --check  says how well it does on each file when it has learned from the others

Logistic regression over the features of ``worlds/bar/rules/crisis/features.py``; the same input gives the same weights.
"""

from __future__ import annotations

import argparse
import base64
import zlib

import numpy as np
from numpy.typing import NDArray

from greenroom.worlds.bar.rules.crisis.features import BUCKETS, features
from greenroom.worlds.bar.rules.crisis.normalise import sentences
from greenroom_crisis.table import PROJECT, Rows, read, together
from greenroom_crisis.typed import typed

OUT = PROJECT / "src/greenroom/worlds/bar/rules/crisis/weights.py"
ROUNDS, RATE, DECAY = 300, 0.05, 3e-6
#: Steps of a weight either way: few, so that the file stays small.
STEPS = 24

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Sentences:
    """Messages as one long row of buckets, with the message each belongs to."""

    def __init__(self, rows: Rows) -> None:
        found = [sorted(features(sentences(text))) for text, _ in rows]
        self.crisis = np.array([label for _, label in rows])
        self.owner = np.repeat(np.arange(len(rows)), [len(one) for one in found])
        self.bucket = np.array([bucket for one in found for bucket in one])
        self.scale = 1 / np.sqrt(np.maximum(np.bincount(self.owner, minlength=len(rows)), 1))

    def odds(self, weights: Floats, bias: float) -> Floats:
        return np.bincount(self.owner, weights[self.bucket], len(self.crisis)) * self.scale + bias


def with_typed(rows: Rows) -> Rows:
    """The messages, and once more those that somebody on a phone would type otherwise."""
    chance = np.random.default_rng(0)
    return rows + [(other, crisis) for text, crisis in rows if (other := typed(text, chance)) != text]


def learn(given: Sentences) -> tuple[Floats, float]:
    """Adam on the log loss, crisis and ok weighing the same."""
    weights, bias = np.zeros(BUCKETS), 0.0
    first, second = np.zeros(BUCKETS), np.zeros(BUCKETS)
    share = given.crisis.mean()
    worth = np.where(given.crisis, 0.5 / share, 0.5 / (1 - share))
    for step in range(1, ROUNDS + 1):
        wrong = (1 / (1 + np.exp(-given.odds(weights, bias))) - given.crisis) * worth
        slope = np.bincount(given.bucket, (wrong * given.scale)[given.owner], BUCKETS) / len(worth) + DECAY * weights
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        bias -= RATE * float(wrong.mean())
    return weights, bias


def told(odds: Floats, crisis: Bools) -> str:
    """Recall at a few rates of false positives."""
    found = []
    for allowed in (0.02, 0.03, 0.05):
        bar = np.sort(odds[~crisis])[::-1][int(allowed * (~crisis).sum())]
        found.append(f"{(odds[crisis] > bar).mean():.1%} at {allowed:.0%} (from {bar:.2f})")
    return ", ".join(found)


def check(files: dict[str, Rows]) -> None:
    for name, rows in files.items():
        weights, bias = learn(Sentences(with_typed(together(files, without=name))))
        held = Sentences(rows)
        print(f"{name:12} {told(held.odds(weights, bias), held.crisis)}", flush=True)


def write(weights: Floats, bias: float) -> None:
    # The few greatest weights would leave the others too few steps.
    scale = float(np.quantile(np.abs(weights), 0.999)) / STEPS
    steps = np.clip(np.round(weights / scale), -127, 127).astype(np.int8)
    packed = base64.b85encode(zlib.compress(steps.tobytes(), 9)).decode()
    lines = "\n".join(f'    "{packed[i : i + 110]}"' for i in range(0, len(packed), 110))
    OUT.write_text(
        '"""What was learned from the sentences in packages/greenroom-crisis; written by its words.py."""\n\n'
        "from __future__ import annotations\n\n"
        f"SCALE = {scale:.6f}\nBIAS = {bias:.6f}\n"
        f"#: One signed byte for each bucket, compressed, in base 85.\nWEIGHTS = (\n{lines}\n)\n",
        encoding="utf-8",
    )


def train(rows: Rows) -> None:
    """Learn from these and write it."""
    write(*learn(Sentences(with_typed(rows))))
    print(f"words: learned from {len(rows)} sentences", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="learn without each file in turn, and write nothing")
    if parser.parse_args().check:
        check(read())
    else:
        train(together(read()))


if __name__ == "__main__":
    main()
