"""Plain lists of phrases that show what a sentence is: ``^`` stands where it begins, ``$`` where it ends, ``!`` takes it back.

``thanks: ^thanks | thank you | !no thanks to`` finds *oh, thanks for the soup* and not *no thanks to him*. Case, marks and
what people say before they begin count for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
#: What a sentence begins with that says nothing.
_LEADS_WORDS = """
oh ah and but so well ok okay right then look now just please anyway also hey ha haha um hm honestly really actually
"""
_LEADS: Final = frozenset(_LEADS_WORDS.split())


@lru_cache(4096)
def evened(text: str) -> str:
    """A text as phrases are looked for in it."""
    words = _WORD.findall(text.casefold().replace("’", "'"))
    begin = next((i for i, word in enumerate(words) if word not in _LEADS), 0)
    return f" ^ {' '.join(words[begin:])} $ "


class Cues:
    """Names, each with the phrases that show it; of several that are shown the first counts."""

    def __init__(self, listed: str) -> None:
        parts = (one.partition(": ") for one in re.split(r"\n(?=\w+: )", listed.strip()))
        self._given = [(name, *_read(given)) for name, _, given in parts]

    def all_in(self, text: str) -> Iterator[str]:
        """The names that a text shows."""
        said = evened(text)
        for name, shown, taken_back in self._given:
            if _any(shown, said) and not _any(taken_back, said):
                yield name

    def of(self, text: str) -> str:
        """The first name that a text shows; empty if it shows none."""
        return next(self.all_in(text), "")


def _read(given: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    phrases = [" ".join(one.replace("^", " ^ ").replace("$", " $ ").split()) for one in given.split("|")]
    shown = tuple(f" {one} " for one in phrases if not one.startswith("!"))
    return shown, tuple(f" {one.removeprefix('!').strip()} " for one in phrases if one.startswith("!"))


def _any(phrases: Iterable[str], said: str) -> bool:
    return any(one in said for one in phrases)


__all__ = ["Cues", "evened"]
