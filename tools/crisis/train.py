"""Learn the likeness half of the bar's local crisis check from the sentences beside this file.

    python tools/crisis/train.py            writes src/greenroom/worlds/bar/crisis/weights.py
    python tools/crisis/train.py --check    says how well it does on sentences it has not seen (five folds)

Logistic regression over the features of ``worlds/bar/crisis/features.py``; the same input gives the same weights.
"""

from __future__ import annotations

import argparse
import base64
import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from greenroom.worlds.bar.crisis.features import BUCKETS, features

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "src/greenroom/worlds/bar/crisis/weights.py"
ROUNDS, RATE, DECAY = 300, 0.05, 2e-5

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Sentences:
    """Messages as one long row of buckets, with the message each belongs to."""

    def __init__(self, rows: list[tuple[str, bool]]) -> None:
        found = [sorted(features(text)) for text, _ in rows]
        self.crisis = np.array([label for _, label in rows])
        self.owner = np.repeat(np.arange(len(rows)), [len(one) for one in found])
        self.bucket = np.array([bucket for one in found for bucket in one])
        self.scale = 1 / np.sqrt(np.maximum(np.bincount(self.owner, minlength=len(rows)), 1))

    def odds(self, weights: Floats, bias: float) -> Floats:
        return np.bincount(self.owner, weights[self.bucket], len(self.crisis)) * self.scale + bias


def read() -> list[tuple[str, bool]]:
    rows = []
    for file in sorted(HERE.glob("*.csv")):
        with file.open(newline="", encoding="utf-8") as lines:
            rows += [(row["text"], row["label"] == "crisis") for row in csv.DictReader(lines)]
    return rows


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


def check(rows: list[tuple[str, bool]]) -> None:
    order = np.random.default_rng(1).permutation(len(rows))
    odds, crisis = np.zeros(len(rows)), np.array([label for _, label in rows])
    for fold in range(5):
        held = order[fold::5]
        weights, bias = learn(Sentences([rows[i] for i in order if i not in set(held)]))
        odds[held] = Sentences([rows[i] for i in held]).odds(weights, bias)
    for allowed in (0.02, 0.03, 0.05, 0.10):
        bar = np.sort(odds[~crisis])[::-1][int(allowed * (~crisis).sum())]
        print(f"false positives {allowed:.0%}: recall {(odds[crisis] > bar).mean():.1%} from {bar:.2f} on")


def write(weights: Floats, bias: float) -> None:
    scale = float(np.abs(weights).max()) / 127
    packed = base64.b64encode(np.round(weights / scale).astype(np.int8).tobytes()).decode()
    lines = "\n".join(f'    "{packed[i : i + 110]}"' for i in range(0, len(packed), 110))
    OUT.write_text(
        '"""What was learned from the sentences in tools/crisis; written by tools/crisis/train.py."""\n\n'
        "from __future__ import annotations\n\n"
        f"SCALE = {scale:.6f}\nBIAS = {bias:.6f}\n"
        f"#: One signed byte for each bucket, in base 64.\nWEIGHTS = (\n{lines}\n)\n",
        encoding="utf-8",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    rows = read()
    if parser.parse_args().check:
        check(rows)
        return
    write(*learn(Sentences(rows)))
    print(f"learned from {len(rows)} sentences")


if __name__ == "__main__":
    main()
