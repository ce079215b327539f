"""What a message is made of, for whoever has learned from examples: numbers of word groups and word pieces.

The numbers are buckets of a fixed table, so that what was learned is a row of small weights and no words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from zlib import crc32

from greenroom.kernel.stems import stem
from greenroom.worlds.bar.crisis.normalise import sentences

BUCKETS: Final = 1 << 15
#: Letters of a piece of a word.
PIECE: Final = 4


def features(text: str) -> frozenset[int]:
    """The buckets that a message falls into."""
    found: set[int] = set()
    for sentence in sentences(text):
        found.update(crc32(feature.encode()) % BUCKETS for feature in _of_sentence(sentence.split()))
    return frozenset(found)


def _of_sentence(words: list[str]) -> Iterator[str]:
    kept = [word for word in words if word.isalnum()]
    stems = ["^", *map(stem, kept), "$"]
    for i, one in enumerate(stems):
        yield one
        yield from (" ".join(stems[i:j]) for j in (i + 2, i + 3) if j <= len(stems))
        if i + 2 < len(stems):
            yield f"{one} _ {stems[i + 2]}"
    for word in kept:
        whole = f"<{word}>"
        yield from (f"#{whole[i : i + PIECE]}" for i in range(max(1, len(whole) - PIECE + 1)))
