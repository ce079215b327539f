"""Learn the likeness half of the bar's local crisis check from the sentences of this package.

    python -m greenroom_crisis words          writes src/greenroom/worlds/bar/content/crisis.tsv
    python -m greenroom_crisis.words --check  says how well it does on each file when it has learned from the others

Logistic regression over the features of ``worlds/bar/rules/crisis/features.py``, twice: over all that are not rare, and
over those that weighed most. The same input gives the same weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from greenroom.worlds.bar.rules.crisis.features import features
from greenroom.worlds.bar.rules.crisis.likeness import BIAS, Learned
from greenroom.worlds.bar.rules.crisis.normalise import sentences
from greenroom_crisis.table import PROJECT, Rows, read, together
from greenroom_crisis.typed import typed

OUT = PROJECT / "src/greenroom/worlds/bar/content/crisis.tsv"
RATE, DECAY = 0.05, 3e-6
#: Rounds over all features and over those that are kept; how many messages have one that is not rare; how many stay.
FIRST, AGAIN, LEAST, KEPT = 120, 200, 5, 16_000
#: Digits of a weight behind the point.
DIGITS = 2

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int32]


class Sentences:
    """Messages as one long row of features, by their numbers, with the message each belongs to."""

    def __init__(self, rows: Rows) -> None:
        numbers: dict[str, int] = {}
        found = [self._numbered(text, numbers) for text, _ in rows]
        self.names = np.array(list(numbers), dtype=object)
        self.crisis = np.array([label for _, label in rows])
        self.feature = np.concatenate(found)
        lengths = np.array([len(one) for one in found])
        self.owner = np.repeat(np.arange(len(rows)), lengths)
        self.scale = 1 / np.sqrt(np.maximum(lengths, 1))

    @staticmethod
    def _numbered(text: str, numbers: dict[str, int]) -> Ints:
        own = sorted(features(sentences(text)))
        return np.fromiter((numbers.setdefault(name, len(numbers)) for name in own), np.int32, len(own))

    def counts(self) -> Ints:
        """How many messages have each feature."""
        return np.bincount(self.feature, minlength=len(self.names)).astype(np.int32)

    def keep(self, kept: Ints) -> None:
        """Forget all other features; how long a message was stays as it is."""
        place = np.full(len(self.names), -1, np.int32)
        place[kept] = np.arange(len(kept))
        here = place[self.feature] >= 0
        self.names, self.feature, self.owner = self.names[kept], place[self.feature[here]], self.owner[here]


def with_typed(rows: Rows) -> Rows:
    """The messages, and once more those that somebody on a phone would type otherwise."""
    chance = np.random.default_rng(0)
    return rows + [(other, crisis) for text, crisis in rows if (other := typed(text, chance)) != text]


def fitted(given: Sentences, rounds: int) -> tuple[Floats, float]:
    """Adam on the log loss, crisis and ok weighing the same."""
    number = len(given.names)
    weights, bias, first, second = np.zeros(number), 0.0, np.zeros(number), np.zeros(number)
    share = given.crisis.mean()
    worth = np.where(given.crisis, 0.5 / share, 0.5 / (1 - share))
    for step in range(1, rounds + 1):
        odds = np.bincount(given.owner, weights[given.feature], len(worth)) * given.scale + bias
        wrong = (1 / (1 + np.exp(-odds)) - given.crisis) * worth
        slope = np.bincount(given.feature, (wrong * given.scale)[given.owner], number) / len(worth) + DECAY * weights
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        bias -= RATE * float(wrong.mean())
    return weights, bias


def learn(given: Sentences) -> Mapping[str, float]:
    """Weights by feature; what is kept of the messages is changed."""
    given.keep(np.flatnonzero(given.counts() >= LEAST).astype(np.int32))
    weights, _ = fitted(given, FIRST)
    order = np.argsort(-np.abs(weights) * np.sqrt(given.counts()), kind="stable")[:KEPT]
    given.keep(np.sort(order).astype(np.int32))
    weights, bias = fitted(given, AGAIN)
    found = {str(name): round(float(weight), DIGITS) for name, weight in zip(given.names, weights, strict=True)}
    return {name: found[name] for name in sorted(found) if found[name]} | {BIAS: round(bias, DIGITS)}


def told(odds: Floats, crisis: Bools) -> str:
    """Recall at a few rates of false positives."""
    found = []
    for allowed in (0.02, 0.03, 0.05):
        bar = np.sort(odds[~crisis])[::-1][int(allowed * (~crisis).sum())]
        found.append(f"{(odds[crisis] > bar).mean():.1%} at {allowed:.0%} (from {bar:.2f})")
    return ", ".join(found)


def check(files: dict[str, Rows]) -> None:
    for name, rows in files.items():
        learned = Learned(learn(Sentences(with_typed(together(files, without=name)))))
        odds = np.array([learned.odds(sentences(text)) for text, _ in rows])
        print(f"{name:12} {told(odds, np.array([crisis for _, crisis in rows]))}", flush=True)


def train(rows: Rows) -> None:
    """Learn from these and write it."""
    weights = learn(Sentences(with_typed(rows)))
    lines = (f"{name}\t{weight}\n" for name, weight in weights.items())
    OUT.write_text("".join(lines), encoding="utf-8")
    print(f"words: {len(weights)} weights learned from {len(rows)} sentences", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="learn without each file in turn, and write nothing")
    if parser.parse_args().check:
        check(read())
    else:
        train(together(read()))


if __name__ == "__main__":
    main()
