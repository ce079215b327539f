"""Ranking memories, written once for every back-end: a full-text index of one scope, and the search in it.

An index holds one scope and nothing else, so that neither hits, nor the weight of a word, nor a neighbour's text can
come from somebody else's. What the asking place may not know – a branch's future, a replaced memory – is left out
before anything is counted: on a branch recall gives, score by score, what the parent gave at that version.

A memory scores by its own words (BM25 with a fixed idea of an ordinary length), half as much by the words of the
memories right before and after it, and a little more when its speaker is named, when it is recent, when it tells much
and does not ask. Where vectors are known their likeness counts about as much as the words. The best hits then lend
the search a few of their rare words: that finds what is two steps away from the question.
"""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nlargest
from typing import Any, TypeAlias

from greenroom.kernel.asks import Json
from greenroom.kernel.stems import STOP, stem, telling, terms, words
from greenroom.kernel.times import moment

#: How fast more of the same word stops counting, and how much length counts against a memory.
SATURATION, LENGTH = 1.2, 0.75
#: Terms of an ordinary memory, with its speaker and date. Fixed, so that no memory changes the weight of another.
ORDINARY = 30
_AROUND = 6
#: What a memory gets of the score of those one, two and three places away.
NEIGHBOURS = (0.5, 0.3, 0.1)
#: What likeness weighs against words, both in standard deviations over the scope.
LIKENESS = 1.0
SPEAKER, ASKING, TELLING, RECENT = 0.8, 0.1, 0.1, 0.05
#: Age at which a memory has lost half of what being recent gives it.
FADES = 30 * 86_400_000_000
#: Second pass: so many hits lend so many words, which count so much; a word in more than this share is not rare.
LENDERS, LENT, LENT_WEIGHT, RARE = 10, 10, 0.15, 0.05
#: Memories whose score is handed to neighbours, when lenders are looked for and in the end; the rest is far behind.
FIRST_REACH, REACH = 100, 300
#: In a scope of more memories than this, a word that stands in more than such a share of them says nothing.
LARGE, COMMON = 2_000, 0.25
#: Terms of a question that are heeded, and of one memory.
MOST_ASKED, MOST_TERMS = 64, 4096

Where: TypeAlias = Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Doc:
    """What an index is told of one memory."""

    #: The back-end's own number or id; grows with time inside a version of a stream.
    key: Any
    id: str
    #: The back-end's number or name of its stream.
    stream: Any
    version: int
    at: int
    text: str
    kind: str
    speaker: str
    meta: Mapping[str, Json] | None = None
    supersedes: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
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


@dataclass(slots=True)
class _Card:
    """What is kept of a memory: everything but its words."""

    key: Any
    id: str
    stream: Any
    version: int
    at: int
    kind: str
    speaker: int
    meta: Mapping[str, Json] | None
    supersedes: str | None
    #: What its own form is worth: tells much, does not ask.
    form: float
    #: Its position in its stream.
    place: int = 0


@dataclass(slots=True)
class _Thread:
    """The memories of one stream, in order."""

    #: (version, key, number), and the numbers alone.
    line: list[tuple[int, Any, int]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    newest_at: int = 0

    def end(self, version: int) -> int:
        """How many belong to versions up to this one."""
        if not self.line or self.line[-1][0] <= version:
            return len(self.line)
        return bisect_right(self.line, version, key=lambda entry: entry[0])


class Index:
    """The memories of one scope. Not safe for two threads at once."""

    def __init__(self) -> None:
        self._cards: list[_Card] = []
        self._postings: dict[str, tuple[array[int], array[float]]] = {}
        self._threads: dict[Any, _Thread] = {}
        self._speakers: dict[str, int] = {}
        self._speaker_terms: list[frozenset[str]] = []
        #: Numbers of the memories that replace another, by the id of that other.
        self._replaced: dict[str, list[int]] = {}
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._cards)

    @property
    def streams(self) -> Iterable[Any]:
        return self._threads.keys()

    def key(self, number: int) -> Any:
        return self._cards[number].key

    def add(self, doc: Doc) -> int:
        """Take a memory in; returns its number here."""
        number = len(self._cards)
        found = terms(doc.text)[:MOST_TERMS]
        self._cards.append(
            _Card(
                doc.key, doc.id, doc.stream, doc.version, doc.at, doc.kind, self._speaker(doc.speaker), doc.meta,
                doc.supersedes, _form(doc.text, len(found)),
            )
        )  # fmt: skip
        self._numbers[doc.id] = number
        if doc.supersedes is not None:
            self._replaced.setdefault(doc.supersedes, []).append(number)
        self._thread(doc, number)
        self._post(number, found, doc)
        return number

    def _speaker(self, name: str) -> int:
        number = self._speakers.setdefault(name, len(self._speakers))
        if number == len(self._speaker_terms):
            self._speaker_terms.append(frozenset(stem(word) for word in words(name) if word not in STOP))
        return number

    def _thread(self, doc: Doc, number: int) -> None:
        thread = self._threads.setdefault(doc.stream, _Thread())
        thread.newest_at = max(thread.newest_at, doc.at)
        entry = (doc.version, doc.key, number)
        if not thread.line or entry > thread.line[-1]:
            self._cards[number].place = len(thread.line)
            thread.line.append(entry)
            thread.numbers.append(number)
        else:
            insort(thread.line, entry)
            thread.numbers = [moved for _, _, moved in thread.line]
            for place, moved in enumerate(thread.numbers):
                self._cards[moved].place = place

    def _post(self, number: int, found: Sequence[str], doc: Doc) -> None:
        counts = Counter(found)
        counts.update(self._speaker_terms[self._speakers[doc.speaker]])
        counts.update(_date_terms(doc.at // 86_400_000_000))
        norm = SATURATION * (1 - LENGTH + LENGTH * (len(found) + _AROUND) / ORDINARY)
        for term, count in counts.items():
            posting = self._postings.get(term)
            if posting is None:
                posting = self._postings[term] = (array("L"), array("f"))
            posting[0].append(number)
            posting[1].append(count * (SATURATION + 1) / (count + norm))

    # asking

    def named(self, question: str) -> frozenset[int]:
        """The speakers that a question names."""
        asked = set(telling(question))
        return frozenset(i for i, own in enumerate(self._speaker_terms) if own & asked)

    def bare(self, question: str) -> str:
        """The question without the names of speakers: what it is about, for a vector."""
        names = frozenset().union(*(self._speaker_terms[i] for i in self.named(question)))
        if not names:
            return question

        def keep(match: re.Match[str]) -> str:
            return "" if names.intersection(terms(match.group("name"))) else match.group()

        return _NAME.sub(keep, question).strip() or question

    def view(self, place: Place, where: Where) -> View:
        return View(self, place, where)


class View:
    """An index as one place may know it."""

    def __init__(self, index: Index, place: Place, where: Where) -> None:
        self._index = index
        self._place = place
        self._ends: dict[Any, int] = {}
        self._starts: dict[Any, int] = {}
        self._follow_lineage()
        #: A byte for each memory: 1 if it may be known.
        self.known = self._known()
        self._drop_replaced()
        self.count = self.known.count(1)
        self.wanted = self._filtered(where)

    def _follow_lineage(self) -> None:
        start = 0
        for stream, upto in self._place.lineage:
            if (thread := self._index._threads.get(stream)) is not None:
                self._starts[stream], self._ends[stream] = start, thread.end(upto)
                start += self._ends[stream]

    def _known(self) -> bytearray:
        index = self._index
        shown = {stream: self._shown(stream, thread) for stream, thread in index._threads.items()}
        if all(shown.values()):
            return bytearray(b"\x01") * len(index)
        known = bytearray(len(index))
        for stream, whole in shown.items():
            thread = index._threads[stream]
            for number in thread.numbers if whole else self._part(stream, thread):
                known[number] = 1
        return known

    def _shown(self, stream: Any, thread: _Thread) -> bool:
        """Whether all of a stream may be known."""
        if stream in self._ends:
            return self._ends[stream] == len(thread.numbers)
        return stream in self._place.others and thread.newest_at <= self._place.at

    def _part(self, stream: Any, thread: _Thread) -> Iterable[int]:
        if stream in self._ends:
            return thread.numbers[: self._ends[stream]]
        if stream not in self._place.others:
            return ()
        cards, at = self._index._cards, self._place.at
        return (number for number in thread.numbers if cards[number].at <= at)

    def _drop_replaced(self) -> None:
        index = self._index
        hidden = [
            index._numbers[old]
            for old, newer in index._replaced.items()
            if old in index._numbers and any(self.known[number] for number in newer)
        ]
        for number in hidden:  # after the look: a replaced memory still replaces what came before it
            self.known[number] = 0

    def _filtered(self, where: Where) -> bytearray:
        if not where:
            return self.known
        cards = self._index._cards
        return bytearray(
            known and fits(cards[number].kind, cards[number].meta, where) for number, known in enumerate(self.known)
        )

    # ranking

    def search(
        self,
        question: str,
        limit: int,
        texts: Callable[[Sequence[Any]], Iterable[str]],
        likeness: Likeness | None = None,
    ) -> list[tuple[Any, float]]:
        """Keys and scores of the best, best first. ``texts`` gives the words behind some keys, in any order."""
        if limit < 1 or not self.count:
            return []
        asked = telling(question)[:MOST_ASKED]
        ranking = _Ranking(self, self._index.named(question), likeness)
        own: dict[int, float] = {}
        self._score(own, self._chosen(asked), 1.0)
        best = ranking.best(self._spread(own, FIRST_REACH), LENDERS)
        lent = self._lent(asked, texts([self._index.key(number) for number, _ in best[:LENDERS]]))
        self._score(own, lent, LENT_WEIGHT)
        best = ranking.best(self._spread(own, REACH), limit)
        return [(self._index.key(number), round(score, 6)) for number, score in best]

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
        posting = self._index._postings.get(term)
        if posting is None:
            return ()
        if self.count == len(self._index):
            return list(zip(*posting, strict=True))
        known = self.known
        return [hit for hit in zip(*posting, strict=True) if known[hit[0]]]

    def _frequency(self, term: str) -> int:
        """In how many known memories a term stands."""
        posting = self._index._postings.get(term)
        if posting is None:
            return 0
        return len(posting[0]) if self.count == len(self._index) else sum(map(self.known.__getitem__, posting[0]))

    def _spread(self, own: Mapping[int, float], reach: int) -> dict[int, float]:
        """Scores by own words and neighbours'."""
        strongest: Iterable[tuple[int, float]] = own.items()
        if len(own) > reach:
            least = sorted(own.values())[-reach]
            strongest = [item for item in own.items() if item[1] >= least][:reach]
        spread: dict[int, float] = {}
        for number, score in strongest:
            spread[number] = spread.get(number, 0.0) + score
            for other, share in self._around(number):
                spread[other] = spread.get(other, 0.0) + share * score
        return spread

    def _around(self, number: int) -> list[tuple[int, float]]:
        """Known memories near one, in its own stream or the past it shares, and what they get of its score."""
        card = self._index._cards[number]
        numbers, known = self._index._threads[card.stream].numbers, self.known
        place, end = card.place, self._ends.get(card.stream, len(numbers))
        if place >= _WIDE and place + _WIDE < end:
            near = numbers[place - _WIDE : place + _WIDE + 1]
            return [(other, share) for other, share in zip(near, _SHARES, strict=True) if share and known[other]]
        found = []
        for step, share in enumerate(_SHARES, -_WIDE):
            there = place + step
            other = numbers[there] if 0 <= there < end else self._across(card.stream, there)
            if share and other is not None and known[other]:
                found.append((other, share))
        return found

    def _across(self, stream: Any, place: int) -> int | None:
        """The memory at a place beyond the end of one part of the lineage."""
        if len(self._starts) < 2 or stream not in self._starts:
            return None
        wanted = self._starts[stream] + place
        for other, start in self._starts.items():
            if start <= wanted < start + self._ends[other]:
                return self._index._threads[other].numbers[wanted - start]
        return None

    def _lent(self, asked: Sequence[str], found: Iterable[str]) -> list[str]:
        """The rare words that the best hits have most of."""
        rare = max(1.0, self.count * RARE)
        worth: dict[str, float] = {}
        for text in found:
            for term, count in Counter(terms(text)[:MOST_TERMS]).items():
                if term not in asked and len(term) > 2 and term not in _STOP_TERMS:
                    worth[term] = worth.get(term, 0.0) + min(count, 2)
        for term in tuple(worth):
            frequency = self._frequency(term)
            worth[term] = worth[term] * _rarity(self.count, frequency) if 0 < frequency <= rare else 0.0
        chosen = nlargest(LENT, worth.items(), key=lambda item: (item[1], item[0]))
        return [term for term, score in chosen if score]


@dataclass(frozen=True, slots=True)
class _Ranking:
    """Puts everything that counts together."""

    view: View
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
        exact = [(number, self._score(number, score)) for score, number in rough[: max(100, 4 * limit)]]
        cards = self.view._index._cards
        return nlargest(limit, exact, key=lambda item: (item[1], cards[item[0]].at, cards[item[0]].id))

    def _score(self, number: int, score: float) -> float:
        if score <= 0:
            return score
        card = self.view._index._cards[number]
        age = max(0, self.view._place.at - card.at)
        score *= card.form * (1 + RECENT * math.exp2(-age / FADES))
        return score * (1 + SPEAKER) if card.speaker in self.named else score


def fits(kind: str, meta: Mapping[str, Json] | None, where: Where) -> bool:
    """Whether a memory passes every filter.

    ``kind`` is the memory's own; every other name is looked up in ``meta``. A wanted list means any of its values; a
    list in ``meta`` fits if it contains the value. ``True`` is not 1, and what is missing never fits.
    """
    return all(
        _fits(kind if name == "kind" else (meta or {}).get(name, _MISSING), wanted) for name, wanted in where.items()
    )


_MISSING = object()


def _fits(value: Json, wanted: Json) -> bool:
    if isinstance(wanted, (list, tuple)):
        return any(_fits(value, one) for one in wanted)
    values = value if isinstance(value, (list, tuple)) else (value,)
    return any(one == wanted and isinstance(one, bool) == isinstance(wanted, bool) for one in values)


def surplus(memories: Iterable[tuple[Any, int, Mapping[str, Json] | None, bool]], cap: int) -> list[Any]:
    """Which memories go when only ``cap`` may stay; given as (key, at, meta, whether it was replaced).

    The rule: replaced ones go first, then those of the lowest ``importance`` in their metadata (0 if there is none),
    among equals the oldest.
    """
    ranked = sorted(memories, key=lambda m: (not m[3], importance(m[2]), m[1], m[0]))
    return [key for key, _, _, _ in ranked[: max(0, len(ranked) - max(cap, 0))]]


def importance(meta: Mapping[str, Json] | None) -> float:
    value = (meta or {}).get("importance", 0)
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else 0.0


_WIDE = len(NEIGHBOURS)
_SHARES = (*reversed(NEIGHBOURS), 0.0, *NEIGHBOURS)
_STOP_TERMS = frozenset(stem(word) for word in STOP)
_NAME = re.compile(r"\b(?P<name>[^\W_]+)(?:['’]s)?\b")


def _form(text: str, length: int) -> float:
    telling_ = max(-2.0, min(2.0, (math.log1p(length) - 3.0) / 0.6))
    return (1 + TELLING * telling_) * (1 - ASKING if text.rstrip().endswith("?") else 1)


@lru_cache(maxsize=4096)
def _date_terms(day: int) -> tuple[str, ...]:
    """The words one would say for a day, as terms."""
    date = moment(day * 86_400_000_000)
    return tuple(terms(f"{date.day} {_MONTHS[date.month - 1]} {date.year} {_DAYS[date.weekday()]}"))


# Not strftime: it speaks the language of the machine.
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _rarity(count: int, hits: int) -> float:
    return math.log(1 + (count - hits + 0.5) / (hits + 0.5))


def _deviation(scores: Iterable[float], count: int) -> float:
    total = squares = 0.0
    for score in scores:
        total += score
        squares += score * score
    mean = total / count
    return math.sqrt(max(squares / count - mean * mean, 0.0)) or 1.0
