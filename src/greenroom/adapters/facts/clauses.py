"""Clauses of a sentence: people tell several things in one breath, and each is a thing of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from greenroom.adapters.facts.sentences import asks
from greenroom.text.listing import any_of

_PRONOUN = any_of(r"""
    i, i'm, im, i've, ive, i'd, i'll, we, we're, we've, we'd, we'll, he, he's, hes, she, she's, shes, it, it's, they, they're,
    theyre, they've, there's, theres, its(?= (?:an?|the|my|our|not|been|got|in|on|at|just|only)\b), there is, there are,
    there was, that's, nobody, everybody, everyone, somebody
""")
_OWNED = r"(?:my|our|his|her|their|its) [\w'-]+"
_JOIN = any_of("and, but, so, then, or, plus")
_WH = any_of("what, where, who, how, why, when, which, what's, who's, where's")
_ASKING = any_of(f"would, could, can, do, did, will, are, is, have, {_WH}")
_SOMEBODY = rf"(?=(?:{_PRONOUN}|{_OWNED})\b)"
_QUESTION = rf"(?={_ASKING} {any_of('you, i, it, we, he, she, they, that, this, my, your, the')}\b)"
_NAMED = r"(?=(?-i:[A-Z]\w+ [a-z]))"
#: Between two clauses: a comma, a dash, a colon or a small word before somebody who does something, or before a question.
_BREAK = re.compile(
    rf"(?:[,;:]| [-–—])\s+(?:{_JOIN}\s+)*{_SOMEBODY}|(?<!\s)(?<!\bme)\s+{_JOIN}\s+{_SOMEBODY}|"
    rf"[,:]\s+{_JOIN}\s+{_NAMED}|[,;:]\s+(?:(?:and|but|so)\s+)?{_QUESTION}",
    re.IGNORECASE,
)
_VERBS = any_of(r"""
    am, is, are, was, were, be, been, have, has, had, do, does, did, can, cannot, could, will, would, should, must, might, may,
    got, go, goes, went, came, comes?, says?, said, thinks?, thought, left, lost, made, took, gave, told, kept, felt, fell, grew,
    knew, ran, sold, bought, broke, died, im, hes, shes, ive, cant, dont, \w+n't, \w\w\w+ed
""")
_DOES = re.compile(rf"\b{_VERBS}\b|\w'(?:s|m|re|ve|d|ll)\b", re.IGNORECASE)
_SUBJECT = re.compile(rf"^{_PRONOUN}\b", re.IGNORECASE)
_OWNED_DOES = re.compile(rf"^{_OWNED}(?: (?-i:[A-Z]\w+))*(?: \w+)?? (?:\w+ing|\w{{2,}}s)\b", re.IGNORECASE)
_ASKS = re.compile(rf"^{_ASKING}\b", re.IGNORECASE)
#: "My nan, who raised me in Hull, always said …": two things told of one.
_WHO = re.compile(
    r"^(?P<lead>.*?)(?P<head>\b(?:my|our) [^,]{2,40}?), who(?P<does>(?:'s)? [^,]+)(?:, (?P<rest>.+))?$",
    re.IGNORECASE,
)

#: Words before somebody who is told of that are no clause of their own: "and", "oh well".
MOST_LEAD = 2


class Clause(NamedTuple):
    """A clause, and where it stands in its sentence."""

    text: str
    start: int
    end: int


def clauses(sentence: str) -> list[Clause]:
    """The clauses of a sentence in order; a piece that tells nothing by itself stays with the one before it."""
    if (apart := _WHO.match(sentence)) is not None:
        return [*_of_whom(sentence, apart)]
    found: list[Clause] = []
    places = [(0, 0), *((cut.start(), cut.end()) for cut in _BREAK.finditer(sentence)), (len(sentence),) * 2]
    for (_, begin), (end, _) in pairwise(places):
        alone = not found or (_stands(found[-1].text) and _stands(sentence[begin:end]))
        start = begin if alone else found.pop().start
        found.append(Clause(sentence[start:end].strip(" ,;"), start, end))
    return found


def _of_whom(sentence: str, apart: re.Match[str]) -> Iterator[Clause]:
    """What is told of somebody beside what is told of them in the first place."""
    head, before = apart["head"], apart["lead"].split()
    if len(before) > MOST_LEAD:
        yield from clauses(sentence[: apart.end("head")])
    yield Clause(f"{head}{apart['does']}", apart.start("head"), apart.end("does"))
    if apart["rest"] is not None:
        after = apart.start("rest")
        first, *more = clauses(apart["rest"])
        stands = len(before) <= MOST_LEAD and not _SUBJECT.match(first.text)
        yield Clause(f"{head} {first.text}" if stands else first.text, apart.start("head"), after + first.end)
        yield from (Clause(one.text, one.start + after, one.end + after) for one in more)


def _stands(piece: str) -> bool:
    """Whether a piece says of somebody what they do."""
    return len(piece.split()) > 1 and bool(
        _ASKS.match(piece) or _SUBJECT.match(piece) or _DOES.search(piece) or _OWNED_DOES.match(piece)
    )


#: A clause that begins so is understood by what stands before it only.
_POINTS = re.compile(
    r"^(?:and |but |so |then )*(?:he|she|it|they|his|her|its|their|him|them|that|this|which|died|came|went|got|left|\w{3,}ed|"
    r"(?:he|she|it|they)'\w+|hes|shes)\b",
    re.IGNORECASE,
)


#: What a clause begins with that tells nothing.
_LEADS = re.compile(
    r"^(?:(?:and|but|so|oh|well|anyway|anyhow|also|plus|ok|okay|right|haha|lol|um+|btw|by the way|honestly|background)\b[,:]? )+(?=\w)",
    re.IGNORECASE,
)


#: What goes on with the sentence before: "I have a cat. Minka."
_FRAGMENT = re.compile(r"^[^\W\d_]+(?: [^\W\d_]+)?[.!]?$")


class TellingClause(NamedTuple):
    """A clause that tells, the sentence it stands in, and the words from which one understands it."""

    text: str
    sentence: str
    quote: str
    #: Where it begins in its sentence.
    start: int


def telling_clauses(apart: Sequence[str]) -> Iterator[TellingClause]:
    """The clauses of some sentences that do not ask, each with what it points back to."""
    last, asked = "", False
    for sentence, after in zip(apart, (*apart[1:], ""), strict=False):
        parts = clauses(sentence)
        told = [one for one in parts if not (asks(one.text) or (one.end == len(sentence) and sentence.endswith("?")))]
        for one in told:
            n = parts.index(one)
            if asked and not n and not _stands(one.text):
                continue  # it goes on with what was asked
            if _stands(one.text) and not _POINTS.match(one.text):
                quote = one.text
            elif n:
                quote = sentence[parts[n - 1].start : one.end].strip(" ,;")
            else:
                quote = f"{last} {one.text}".strip()
            if one is told[-1] and _FRAGMENT.match(after):
                quote = f"{quote.rstrip(' .!')}. {after.rstrip(' .!')}."
            yield TellingClause(_LEADS.sub("", one.text), sentence, _LEADS.sub("", quote), one.start)
        last, asked = sentence if told else "", not told


__all__ = ["Clause", "TellingClause", "clauses", "telling_clauses"]
