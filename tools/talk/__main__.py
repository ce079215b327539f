"""Learn what is said to players of Secret AGI, say how often that is right about other messages, and write the table.

    python -m tools.talk          learns, measures and writes src/greenroom/worlds/secret_agi/content/senses.json

Logistic regression over runs of words, what patterns find, and how like a message is to some that tell most apart; and
once more without these, for a house without an encoder.
"""

from __future__ import annotations

import asyncio
import csv
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from greenroom.adapters.embeddings import embedded_default
from greenroom.text.runs import runs
from greenroom.worlds.secret_agi.rules.asking import Heard, heard, pattern
from greenroom.worlds.secret_agi.rules.forms import compared
from greenroom.worlds.secret_agi.rules.state import Game, Player
from tools.learning import Floats, fitted

MESSAGES: Final = Path(__file__).with_name("messages.tsv")
OUT: Final = Path(__file__).parents[2] / "src/greenroom/worlds/secret_agi/content/senses.json"
#: How many messages others are compared with; how much likenesses are told apart that hardly differ.
LIKENED, RIDGE = 192, 0.02
#: What one word, one pattern and likeness count for while learning: the more, the sooner they are leant on.
WORD, PATTERN, LIKENESS = 0.7, 1.0, 3.0
LEAST_SEEN, LEAST_WEIGHT, DECAY = 2, 12, 1e-4
PARTS: Final = 5

Kinds = NDArray[np.int64]


def read() -> tuple[list[Heard], list[str]]:
    """Every message as it is heard, others for X and Y, and its sense."""
    game = replace(Game(), round=1, players=tuple(Player(f"player_{i}", "HumanPlayer", "Safety") for i in range(1, 8)))
    with MESSAGES.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    texts = [re.sub(r"\bY\b", "player_2", re.sub(r"\bX\b", "player_6", row["text"])) for row in rows]
    return [heard(game, 0, text) for text in texts], [row["sense"] for row in rows]


def vectors(texts: Sequence[str]) -> Floats:
    embedder = embedded_default()
    assert embedder is not None
    found = np.array(asyncio.run(embedder.embed([compared(text) for text in texts])), np.float32)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


def telling(found: Floats) -> list[int]:
    """The messages that tell most apart: each the least like all before it."""
    rest, chosen = found.copy(), []
    for _ in range(LIKENED):
        chosen.append(int((rest**2).sum(1).argmax()))
        one = rest[chosen[-1]] / np.linalg.norm(rest[chosen[-1]])
        rest -= np.outer(rest @ one, one)
    return chosen


class Given:
    """What is known of every message, as a table of numbers; likeness in directions that differ."""

    def __init__(self, messages: Sequence[Heard]) -> None:
        self.found = [(*runs(said.form.text), pattern(said)) for said in messages]
        texts = [said.form.text for said in messages]
        made = vectors(texts)
        chosen = telling(made)
        self.likened = [compared(texts[i]) for i in chosen]
        likes = np.round(made @ made[chosen].T, 2)
        high, turned = np.linalg.eigh(made[chosen] @ made[chosen].T)
        self.turn = np.asarray(LIKENESS * turned / np.sqrt(high + RIDGE), np.float32)
        self.likes = np.asarray(likes @ self.turn, np.float32)

    def known(self, among: NDArray[np.bool_]) -> list[str]:
        seen = Counter(run for one, counts in zip(self.found, among, strict=True) if counts for run in one)
        return sorted(run for run, count in seen.items() if count >= LEAST_SEEN)

    def table(self, known: Sequence[str], *, encoder: bool) -> Floats:
        place = {run: i for i, run in enumerate(known)}
        table = np.zeros((len(self.found), len(known)), np.float32)
        for row, one in zip(table, self.found, strict=True):
            row[[place[run] for run in one if run in place]] = 1
        return np.hstack([table * worth(known), self.likes * encoder])


def worth(known: Sequence[str]) -> Floats:
    return np.array([PATTERN if run[0] in "=~" else WORD for run in known], np.float32)


class Learned(NamedTuple):
    known: list[str]
    weights: Floats
    always: Floats


def learned(given: Given, kinds: Kinds, among: NDArray[np.bool_], *, encoder: bool) -> Learned:
    known, count = given.known(among), int(kinds.max()) + 1
    seen = given.table(known, encoder=encoder)[among]
    return Learned(known, *fitted(seen, kinds[among], count, decay=DECAY))


def measure(given: Given, kinds: Kinds, topics: Sequence[str], *, encoder: bool) -> None:
    """Print how often it is right about messages that it did not learn from."""
    part = np.random.default_rng(0).integers(0, PARTS, len(kinds))
    found = np.zeros_like(kinds)
    for i in range(PARTS):
        known, weights, always = learned(given, kinds, part != i, encoder=encoder)
        found[part == i] = (given.table(known, encoder=encoder)[part == i] @ weights + always).argmax(1)
    right = found == kinds
    print(f"{len(kinds)} messages, each judged by what was learned from others: right {right.mean():.1%}")
    for k, topic in enumerate(topics if encoder else ()):
        taken, are = right[found == k], right[kinds == k]
        print(f"  {topic:18} {len(are):4}  precision {taken.sum() / max(1, len(taken)):.2f}, recall {are.mean():.2f}")


def runs_of(table: Learned) -> dict[str, Any]:
    """What speaks for which sense, in hundredths; little is left out."""
    words = np.round(100 * table.weights[: len(table.known)] * worth(table.known)[:, None]).astype(int)
    rows = {
        run: pairs
        for run, row in zip(table.known, words, strict=True)
        if (pairs := [int(one) for i, weight in enumerate(row) if abs(weight) >= LEAST_WEIGHT for one in (i, weight)])
    }
    return {"always": [int(one) for one in np.round(100 * table.always)], "runs": rows}


def main() -> None:
    messages, senses = read()
    topics = sorted(set(senses))
    kinds = np.array([topics.index(sense) for sense in senses])
    given = Given(messages)
    for encoder in (True, False):
        measure(given, kinds, topics, encoder=encoder)
    alike, alone = (learned(given, kinds, np.ones(len(kinds), bool), encoder=encoder) for encoder in (True, False))
    likeness = np.round(100 * given.turn @ alike.weights[len(alike.known) :]).astype(int)
    table = {
        "senses": topics, "likened": given.likened, "likeness": likeness.tolist(),
        "alike": runs_of(alike), "alone": runs_of(alone),
    }  # fmt: skip
    OUT.write_bytes(msgspec.json.encode(table) + b"\n")
    print(f"{OUT.name}: {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
