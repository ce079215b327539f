"""What a message is known by to a table that was learned from labelled ones: its words, two or three in a row."""

from __future__ import annotations

import re
from typing import Final

#: Words in a row that are looked at together.
_MOST = 3
#: Words of a message that make it one step longer; no message is longer than so many steps.
_STEP, _LONGEST = 4, 5
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[?!]")


def runs(text: str) -> frozenset[str]:
    """All that a table knows a message by: runs of words, with its beginning and its end, and how long it is."""
    words = ["^", *_WORD.findall(text.casefold().replace("’", "'")), "$"]
    found = (" ".join(words[i : i + n]) for n in range(1, _MOST + 1) for i in range(len(words) - n + 1))
    return frozenset((*found, f"#{min(_LONGEST, (len(words) - 2) // _STEP)}"))


__all__ = ["runs"]
