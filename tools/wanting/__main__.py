"""Learn what messages want from labelled ones, say how often that is right about others, and write the table.

    python -m tools.wanting          learns, measures and writes src/greenroom/adapters/understudy/wanting.json

Logistic regression over runs of up to three words. The same messages give the same table.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from greenroom.adapters.understudy.asking import MAYBE, SURE, asks_by_form
from greenroom.adapters.understudy.wanting import WANTS, Want, runs
from greenroom.text.typed import written_out
from tools.learning import Floats, chances, fitted

MESSAGES: Final = Path(__file__).with_name("messages.tsv")
OUT: Final = Path(__file__).parents[2] / "src/greenroom/adapters/understudy/wanting.json"
#: What each label of a message wants; of all others nothing.
LABELS: Final[dict[str, Want]] = {
    "recall": "told", "about_you": "hearer", "advice": "counsel", "world": "world", "follow": "on", "request": "favour",
}  # fmt: skip
#: Messages in other languages, and noise: of these the table is to know nothing.
OTHER: Final = "other"
#: Runs of words that fewer messages have are left out, and weights that come to less than this.
LEAST_SEEN, LEAST_WEIGHT = 6, 4
PARTS: Final = 5


def read() -> tuple[list[str], NDArray[np.int64]]:
    """Every message, written out as the understudy reads it, and which of ``WANTS`` it wants."""
    with MESSAGES.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["act"] != OTHER]
    wanted = [WANTS.index(LABELS.get(row["act"], "nothing")) for row in rows]
    return [written_out(row["text"]) for row in rows], np.array(wanted)


def counted(texts: Sequence[str]) -> tuple[list[str], Floats]:
    """The runs that are known, and which message has which."""
    found = [runs(text) for text in texts]
    seen = Counter(run for one in found for run in one)
    known = sorted(run for run, count in seen.items() if count >= LEAST_SEEN)
    place = {run: i for i, run in enumerate(known)}
    table = np.zeros((len(texts), len(known)), np.float32)
    for row, one in zip(table, found, strict=True):
        row[[place[run] for run in one if run in place]] = 1
    return known, table


def measured(seen: Floats, wanted: NDArray[np.int64]) -> Floats:
    """What is thought of each message by what was learned from four fifths of the others."""
    part = np.random.default_rng(0).integers(0, PARTS, len(wanted))
    found = np.zeros((len(wanted), len(WANTS)), np.float32)
    for i in range(PARTS):
        weights, always = fitted(seen[part != i], wanted[part != i], len(WANTS))
        found[part == i] = chances(seen[part == i] @ weights + always)
    return found


def written(known: Sequence[str], weights: Floats, always: Floats) -> dict[str, Any]:
    """The table as it is kept: hundredths, small ones left out."""
    table = {}
    for run, row in zip(known, np.round(100 * weights).astype(int), strict=True):
        if pairs := [int(one) for i, weight in enumerate(row) if abs(weight) >= LEAST_WEIGHT for one in (i, weight)]:
            table[run] = pairs
    return {"always": [int(one) for one in np.round(100 * always)], "runs": table}


def report(texts: Sequence[str], wanted: NDArray[np.int64], chance: Floats) -> None:
    """Print how often it is right about messages that it did not learn from."""
    best = chance.argmax(1)
    print(f"{len(texts)} messages, each judged by what was learned from others: right {(best == wanted).mean():.1%}")
    for i, want in enumerate(WANTS):
        print(f"  {want:8} {(wanted == i).sum():5}  {_right(best == i, wanted == i)}")
    told, form = chance[:, 0], np.array([asks_by_form(text) for text in texts])
    print(f"  told, by form alone: {_right(form, wanted == 0)}")
    print(f"  told, as asked: {_right((form & (told > MAYBE)) | (told > SURE), wanted == 0)}")


def _right(found: NDArray[np.bool_], true: NDArray[np.bool_]) -> str:
    hits = (found & true).sum()
    return f"precision {hits / max(1, found.sum()):.3f}, recall {hits / true.sum():.3f}"


def main() -> None:
    texts, wanted = read()
    known, seen = counted(texts)
    report(texts, wanted, measured(seen, wanted))
    weights, always = fitted(seen, wanted, len(WANTS))
    OUT.write_bytes(msgspec.json.format(msgspec.json.encode(written(known, weights, always)), indent=0) + b"\n")
    print(f"{OUT.name}: {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
