"""The index of one scope: which memory holds which term, and in what order a stream's memories stand."""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from greenroom.kernel.asks import Json
from greenroom.kernel.times import moment
from greenroom.text.stems import STOP, stem, telling, terms, words

#: How fast more of the same word stops counting, and how much length counts against a memory.
SATURATION, LENGTH = 1.2, 0.75
#: Terms of an ordinary memory, with its speaker and date. Fixed, so that no memory changes the weight of another.
ORDINARY = 30
_AROUND = 6
#: What a memory loses that asks, and gains or loses by telling much or little.
ASKING, TELLING = 0.1, 0.1
#: Terms of one memory that are heeded.
MOST_TERMS = 4096


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


@dataclass(slots=True)
class Card:
    """What is kept of a memory: everything but its words in their order."""

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
    #: The terms it can lend to a question, those it has more than once twice.
    lends: tuple[str, ...]
    #: Its position in its stream.
    place: int = 0


@dataclass(slots=True)
class Thread:
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
        self.cards: list[Card] = []
        self.postings: dict[str, tuple[array[int], array[float]]] = {}
        self.threads: dict[Any, Thread] = {}
        self._speakers: dict[str, int] = {}
        self._speaker_terms: list[frozenset[str]] = []
        #: Numbers of the memories that replace another, by the id of that other.
        self.replaced: dict[str, list[int]] = {}
        self.numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def streams(self) -> Iterable[Any]:
        return self.threads.keys()

    def key(self, number: int) -> Any:
        return self.cards[number].key

    def add(self, doc: Doc) -> int:
        """Take a memory in; returns its number here."""
        number = len(self.cards)
        found = terms(doc.text)[:MOST_TERMS]
        self.cards.append(
            Card(
                doc.key, doc.id, doc.stream, doc.version, doc.at, doc.kind, self._speaker(doc.speaker), doc.meta,
                doc.supersedes, _form(doc.text, len(found)), _lends(found),
            )
        )  # fmt: skip
        self.numbers[doc.id] = number
        if doc.supersedes is not None:
            self.replaced.setdefault(doc.supersedes, []).append(number)
        self._thread(doc, number)
        self._post(number, found, doc)
        return number

    def _speaker(self, name: str) -> int:
        number = self._speakers.setdefault(name, len(self._speakers))
        if number == len(self._speaker_terms):
            self._speaker_terms.append(frozenset(stem(word) for word in words(name) if word not in STOP))
        return number

    def _thread(self, doc: Doc, number: int) -> None:
        thread = self.threads.setdefault(doc.stream, Thread())
        thread.newest_at = max(thread.newest_at, doc.at)
        entry = (doc.version, doc.key, number)
        if not thread.line or entry > thread.line[-1]:
            self.cards[number].place = len(thread.line)
            thread.line.append(entry)
            thread.numbers.append(number)
        else:
            insort(thread.line, entry)
            thread.numbers = [moved for _, _, moved in thread.line]
            for place, moved in enumerate(thread.numbers):
                self.cards[moved].place = place

    def _post(self, number: int, found: Sequence[str], doc: Doc) -> None:
        counts = Counter(found)
        counts.update(self._speaker_terms[self._speakers[doc.speaker]])
        counts.update(_date_terms(doc.at // 86_400_000_000))
        norm = SATURATION * (1 - LENGTH + LENGTH * (len(found) + _AROUND) / ORDINARY)
        for term, count in counts.items():
            posting = self.postings.get(term)
            if posting is None:
                posting = self.postings[term] = (array("L"), array("f"))
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


_STOP_TERMS = frozenset(stem(word) for word in STOP)


def _lends(found: Sequence[str]) -> tuple[str, ...]:
    seen: Counter[str] = Counter()
    lent = []
    for term in found:
        if len(term) > 2 and term not in _STOP_TERMS and seen[term] < 2:
            seen[term] += 1
            lent.append(term)
    return tuple(lent)


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
