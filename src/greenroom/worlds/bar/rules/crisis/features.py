"""What a message is made of, for whoever has learned from examples: groups of words, and pieces of them.

``!word`` is one that a "not" stands before, ``one _ other`` a pair with a word between, ``#piec`` a piece of a word,
``L:word`` one of the last sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from greenroom.text.stems import stem

#: Letters of a piece of a word.
PIECE: Final = 4
#: Words that a "not" reaches.
REACH: Final = 4
_NOT: Final = frozenset({"not", "never", "no", "nobody", "nothing", "without"})


def features(sentences: Sequence[str]) -> frozenset[str]:
    """What is in a message; its sentences are in their normal form."""
    found: set[str] = set()
    kept: list[str] = []
    for sentence in sentences:
        kept = [word for word in sentence.split() if word.isalnum()]
        stems = ["^", *map(stem, kept), "$"]
        found.update(_groups(stems), _denied(stems), _pieces(kept))
    # What a message ends on tells more than what it begins with.
    found.update(f"L:{one}" for one in ("^", *map(stem, kept), "$"))
    return frozenset(found)


def _groups(stems: list[str]) -> Iterator[str]:
    """Words, two and three in a row, and pairs with one or two words between them."""
    yield from stems
    for i, one in enumerate(stems):
        yield from (" ".join(stems[i:j]) for j in (i + 2, i + 3) if j <= len(stems))
        yield from (f"{one} {'_' * gap} {stems[i + gap + 1]}" for gap in (1, 2) if i + gap + 1 < len(stems))


def _denied(stems: list[str]) -> Iterator[str]:
    """Words that a "not" stands before."""
    left = 0
    for one in stems[1:-1]:
        if left:
            yield f"!{one}"
            left -= 1
        if one in _NOT:
            left = REACH


def _pieces(words: list[str]) -> Iterator[str]:
    for word in words:
        whole = f"<{word}>"
        yield from (f"#{whole[i : i + PIECE]}" for i in range(max(1, len(whole) - PIECE + 1)))
