"""The understudy's half of the crisis check: no rules, only likeness to examples.

Naive Bayes over words and pairs of neighbouring words. It shares nothing with the local check but the normal form of a
sentence, so that the two miss different things. It is no model, and whoever reports its results says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import log
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from greenroom.kernel.stems import stem
from greenroom.worlds.bar.crisis.normalise import sentences

#: How sure it must be, in natural logarithms of the odds, and at least so many telling features.
SURE: Final = 15.0
#: What is added to every count.
SMOOTHING: Final = 0.4

Sentence = Annotated[str, Field(min_length=1, max_length=500)]


class Examples(BaseModel):
    """Sentences with and without a crisis in them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    crisis: Annotated[tuple[Sentence, ...], Field(min_length=20)]
    ok: Annotated[tuple[Sentence, ...], Field(min_length=20)]


class Likeness:
    """Learned once from the examples; afterwards the same message always weighs the same."""

    def __init__(self, examples: Examples) -> None:
        self._crisis = _counted(examples.crisis)
        self._ok = _counted(examples.ok)
        self._sizes = len(examples.crisis), len(examples.ok)

    def odds(self, text: str) -> float:
        """Logarithm of the odds that a message is like the crisis examples."""
        found = features(text)
        return sum(self._weight(one) for one in found) + log(self._sizes[0] / self._sizes[1])

    def in_crisis(self, text: str) -> bool:
        return self.odds(text) >= SURE

    def _weight(self, feature: str) -> float:
        here = (self._crisis[feature] + SMOOTHING) / (self._sizes[0] + 2 * SMOOTHING)
        there = (self._ok[feature] + SMOOTHING) / (self._sizes[1] + 2 * SMOOTHING)
        return log(here / there) if self._crisis[feature] or self._ok[feature] else 0.0


def features(text: str) -> frozenset[str]:
    """Words, and pairs of neighbouring words, of every sentence."""
    found: set[str] = set()
    for sentence in sentences(text):
        words = ["^", *(stem(word) for word in sentence.split() if word.isalnum()), "$"]
        found.update(words[1:-1])
        found.update(f"{one} {other}" for one, other in pairwise(words))
    return frozenset(found)


def _counted(texts: Sequence[str]) -> Counter[str]:
    return Counter(_all(features(text) for text in texts))


def _all(parts: Iterable[frozenset[str]]) -> Iterable[str]:
    for part in parts:
        yield from part
