"""Ranking memories, written once for every back-end: a full-text index of one scope, and the search in it.

An index holds one scope and nothing else, so that neither hits, nor the weight of a word, nor a neighbour's text can
come from somebody else's. What the asking place may not know – a branch's future, a replaced memory – is left out
before anything is counted: on a branch recall gives, score by score, what the parent gave at that version.

A memory scores by its own words (BM25 with a fixed idea of an ordinary length), half as much by the words of the
memories right before and after it, and a little more when its speaker is named, when it is recent, when it tells much
and does not ask. Where vectors are known their likeness counts about as much as the words. The best hits then lend
the search a few of their rare words: that finds what is two steps away from the question.
"""

from greenroom.recall.facts import KeptFact, is_aside, is_fact, known
from greenroom.recall.filters import Where, fits, importance, surplus
from greenroom.recall.index import Doc, Index
from greenroom.recall.search import Likeness, MemoryPlace, ScopeView

__all__ = [
    "Doc",
    "Index",
    "KeptFact",
    "Likeness",
    "MemoryPlace",
    "ScopeView",
    "Where",
    "fits",
    "importance",
    "is_aside",
    "is_fact",
    "known",
    "surplus",
]
