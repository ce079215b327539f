"""The search in an index, as one place may know it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import chain
from typing import Any

from greenroom.recall.filters import Where, fits
from greenroom.recall.index import Card, Index, Thread
from greenroom.text.stems import telling

#: What a memory gets of the score of those one, two and three places away.
NEIGHBOURS = (0.5, 0.3, 0.1)
#: What likeness weighs against words, both in standard deviations over the scope.
LIKENESS = 1.0
#: What a memory gains whose speaker is named, and one that is new.
SPEAKER, RECENT = 0.8, 0.05
#: Age at which a memory has lost half of what being new gives it.
FADES = 30 * 86_400_000_000
#: Second pass: so many hits lend so many words, which count so much; a word in more than this share is not rare.
LENDERS, LENT, LENT_WEIGHT, RARE = 10, 10, 0.15, 0.05
#: Memories whose score is handed to neighbours, when lenders are looked for and in the end; the rest is far behind.
FIRST_REACH, REACH = 100, 200
#: In a scope of more memories than this, a word that stands in more than such a share of them says nothing.
LARGE, COMMON = 2_000, 0.25
#: Terms of a question that are heeded.
MOST_ASKED = 64

_WIDE = len(NEIGHBOURS)
_SHARES = (*reversed(NEIGHBOURS), 1.0, *NEIGHBOURS)


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """Where a question is asked: decides what may be known."""

    #: The asking stream's past, root first: (stream, the last version of it that counts).
    lineage: tuple[tuple[Any, int], ...]
    #: Other streams whose memories are known, up to the moment.
    others: frozenset[Any]
    at: int


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like the question each memory is, in standard deviations from the scope's mean; 0 where nothing is known."""

    of: Sequence[float]
    #: The numbers of the closest, to be considered even if they share no word.
    closest: Sequence[int]


class ScopeView:
    """An index as one place may know it."""

    def __init__(self, index: Index, place: MemoryPlace, where: Where) -> None:
        self.index = index
        self.place = place
        self._ends: dict[Any, int] = {}
        self._starts: dict[Any, int] = {}
        self._follow_lineage()
        #: A byte for each memory: 1 if it may be known.
        self.known = self._known()
        self._drop_replaced()
        self.count = self.known.count(1)
        self._whole = self.count == len(index)
        self.wanted = self._filtered(where)

    def _follow_lineage(self) -> None:
        start = 0
        for stream, upto in self.place.lineage:
            if (thread := self.index.threads.get(stream)) is not None:
                self._starts[stream], self._ends[stream] = start, thread.end(upto)
                start += self._ends[stream]

    def _known(self) -> bytearray:
        index = self.index
        shown = {stream: self._shown(stream, thread) for stream, thread in index.threads.items()}
        if all(shown.values()):
            return bytearray(b"\x01") * len(index)
        known = bytearray(len(index))
        for stream, whole in shown.items():
            thread = index.threads[stream]
            for number in thread.numbers if whole else self._part(stream, thread):
                known[number] = 1
        return known

    def _shown(self, stream: Any, thread: Thread) -> bool:
        """Whether all of a stream may be known."""
        if stream in self._ends:
            return self._ends[stream] == len(thread.numbers)
        return stream in self.place.others and thread.newest_at <= self.place.at

    def _part(self, stream: Any, thread: Thread) -> Iterable[int]:
        if stream in self._ends:
            return thread.numbers[: self._ends[stream]]
        if stream not in self.place.others:
            return ()
        cards, at = self.index.cards, self.place.at
        return (number for number in thread.numbers if cards[number].at <= at)

    def _drop_replaced(self) -> None:
        index = self.index
        hidden = [
            index.numbers[old]
            for old, newer in index.replaced.items()
            if old in index.numbers and any(self.known[number] for number in newer)
        ]
        for number in hidden:  # after the look: a replaced memory still replaces what came before it
            self.known[number] = 0

    def _filtered(self, where: Where) -> bytearray:
        if not where:
            return self.known
        cards = self.index.cards
        return bytearray(
            known and fits(cards[number].kind, cards[number].meta, where) for number, known in enumerate(self.known)
        )

    # ranking

    def search(self, question: str, limit: int, likeness: Likeness | None = None) -> list[tuple[Any, float]]:
        """Keys and scores of the best, best first."""
        if limit < 1 or not self.count:
            return []
        asked = telling(question)[:MOST_ASKED]
        ranking = Ranking(self, self.index.named(question), likeness)
        own: dict[int, float] = {}
        self._score(own, self._chosen(asked), 1.0)
        best = ranking.best(self._spread(own, FIRST_REACH), LENDERS)
        self._score(own, self._lent(asked, [number for number, _ in best]), LENT_WEIGHT)
        best = ranking.best(self._spread(own, REACH), limit)
        return [(self.index.key(number), round(score, 6)) for number, score in best]

    def _chosen(self, asked: Sequence[str]) -> Sequence[str]:
        """Without the words that say nothing here, unless no other is left."""
        if self.count <= LARGE:
            return asked
        return [term for term in asked if self._frequency(term) <= self.count * COMMON] or asked

    def _score(self, own: dict[int, float], chosen: Iterable[str], weight: float) -> None:
        """Add what the memories' own words give."""
        for term in chosen:
            hits = self._hits(term)
            worth = weight * _rarity(self.count, len(hits))
            for number, impact in hits:
                own[number] = own.get(number, 0.0) + worth * impact

    def _hits(self, term: str) -> Sequence[tuple[int, float]]:
        posting = self.index.postings.get(term)
        if posting is None:
            return ()
        if self._whole:
            return list(zip(*posting, strict=True))
        known = self.known
        return [hit for hit in zip(*posting, strict=True) if known[hit[0]]]

    def _frequency(self, term: str) -> int:
        """In how many known memories a term stands."""
        posting = self.index.postings.get(term)
        if posting is None:
            return 0
        return len(posting[0]) if self._whole else sum(map(self.known.__getitem__, posting[0]))

    def _spread(self, own: Mapping[int, float], reach: int) -> dict[int, float]:
        """Scores by own words and neighbours'."""
        strongest: Iterable[tuple[int, float]] = own.items()
        if len(own) > reach:
            least = sorted(own.values())[-reach]
            strongest = [item for item in own.items() if item[1] >= least][:reach]
        spread: dict[int, float] = {}
        cards, threads, known = self.index.cards, self.index.threads, self.known
        for number, score in strongest:
            card = cards[number]
            numbers, place = threads[card.stream].numbers, card.place
            if _WIDE <= place < self._ends.get(card.stream, len(numbers)) - _WIDE:
                around: Iterable[int | None] = numbers[place - _WIDE : place + _WIDE + 1]
            else:
                around = self._around(card.stream, place)
            for other, share in zip(around, _SHARES, strict=True):
                if other is not None and known[other]:
                    spread[other] = spread.get(other, 0.0) + share * score
        return spread

    def _around(self, stream: Any, place: int) -> list[int | None]:
        """What stands near a place at the edge of its stream, in it or across in the past it shares."""
        numbers = self.index.threads[stream].numbers
        end = self._ends.get(stream, len(numbers))
        return [
            numbers[there] if 0 <= there < end else self._across(stream, there)
            for there in range(place - _WIDE, place + _WIDE + 1)
        ]

    def _across(self, stream: Any, place: int) -> int | None:
        """The memory at a place beyond the end of one part of the lineage."""
        if len(self._starts) < 2 or stream not in self._starts:
            return None
        wanted = self._starts[stream] + place
        for other, start in self._starts.items():
            if start <= wanted < start + self._ends[other]:
                return self.index.threads[other].numbers[wanted - start]
        return None

    def _lent(self, asked: Sequence[str], lenders: Sequence[int]) -> list[str]:
        """The rare words that the best hits have most of."""
        rare = max(1.0, self.count * RARE)
        counts = Counter(chain.from_iterable(self.index.cards[number].lends for number in lenders))
        worth = [
            (count * _rarity(self.count, frequency), term)
            for term, count in counts.items()
            if term not in asked and 0 < (frequency := self._frequency(term)) <= rare
        ]
        return [term for _, term in nlargest(LENT, worth)]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Puts everything that counts together."""

    view: ScopeView
    named: frozenset[int]
    likeness: Likeness | None

    def best(self, scores: Mapping[int, float], limit: int) -> list[tuple[int, float]]:
        scale, wanted = _deviation(scores.values(), self.view.count), self.view.wanted
        rough = [(score / scale, number) for number, score in scores.items() if wanted[number]]
        if self.likeness is not None:
            of = self.likeness.of
            rough = [(score + LIKENESS * of[number], number) for score, number in rough]
            rough += [(LIKENESS * of[n], n) for n in self.likeness.closest if wanted[n] and n not in scores]
        rough.sort(reverse=True)
        # What form, age and speaker may change is a factor of three; nothing beyond these comes in again.
        cards = self.view.index.cards
        exact = [
            (self._score(card := cards[number], score), card.at, card.id, number)
            for score, number in rough[: max(100, 4 * limit)]
        ]
        exact.sort(reverse=True)
        return [(number, score) for score, _, _, number in exact[:limit]]

    def _score(self, card: Card, score: float) -> float:
        if score <= 0:
            return score
        age = max(0, self.view.place.at - card.at)
        score *= card.form * (1 + RECENT * math.exp2(-age / FADES))
        return score * (1 + SPEAKER) if card.speaker in self.named else score


def _rarity(count: int, hits: int) -> float:
    return math.log(1 + (count - hits + 0.5) / (hits + 0.5))


def _deviation(scores: Iterable[float], count: int) -> float:
    total = squares = 0.0
    for score in scores:
        total += score
        squares += score * score
    mean = total / count
    return math.sqrt(max(squares / count - mean * mean, 0.0)) or 1.0
