"""The sentences as one table: each file was written apart, and ``authors.tsv`` says when and whether others read it."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

PROJECT: Final = Path(__file__).parents[4]
DATA: Final = Path(__file__).parents[2] / "data"
#: What all checks learn from, and what only tells ordinary talk apart.
LEARN, ORDINARY = "learn", "ordinary"
#: What is only ever measured with: nothing may be learned from it.
MEASURED: Final = PROJECT / "tests/worlds/bar/data"
SPLITS: Final = ("development", "sealed", "independent", "wider")
COLUMNS: Final = ("text", "label", "language", "author", "date", "split", "second_reader")

Rows: TypeAlias = list[tuple[str, bool]]


def rows_of(file: Path) -> Rows:
    """The messages of one file, and whether each is a crisis."""
    with file.open(newline="", encoding="utf-8") as lines:
        return [(row["text"], row["label"].strip().casefold() == "crisis") for row in csv.DictReader(lines)]


def authors() -> dict[str, dict[str, str]]:
    """What is known of each file, by its name."""
    with (DATA / "authors.tsv").open(newline="", encoding="utf-8") as lines:
        return {row["author"]: row for row in csv.DictReader(lines, delimiter="\t")}


def read(split: str = LEARN) -> dict[str, Rows]:
    """The sentences of each file of a split, by its name."""
    return {name: rows_of(DATA / f"{name}.csv") for name, row in sorted(authors().items()) if row["split"] == split}


def together(files: dict[str, Rows], *, without: str = "") -> Rows:
    """All of them, in the order of their files."""
    return [row for name, rows in files.items() if name != without for row in rows]


def measured() -> dict[str, Rows]:
    """The files to measure with, by their names."""
    return {name: rows_of(MEASURED / f"crisis_{name}.csv") for name in SPLITS}


def table() -> Iterator[dict[str, str]]:
    """Every sentence with all that is known of it."""
    given = authors()
    for author, rows in {**read(), **read(ORDINARY)}.items():
        known = {name: given[author][name] for name in ("language", "date", "split", "second_reader")}
        for text, crisis in rows:
            yield {"text": text, "label": "crisis" if crisis else "ok", "author": author, **known}
    for split, rows in measured().items():
        for text, crisis in rows:
            yield {"text": text, "label": "crisis" if crisis else "ok", "language": "en", "split": split}


def write() -> None:
    """Print the table as CSV."""
    out = csv.DictWriter(sys.stdout, COLUMNS, restval="", lineterminator="\n")
    out.writeheader()
    out.writerows(table())
