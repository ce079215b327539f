"""A message in its parts: what it asks and what it tells, each to be answered by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from greenroom.adapters.facts.sentences import asks, is_greeting, orders, sentences
from greenroom.text.stems import STOP, words

#: Words that the beginning of a question has, to be one by itself.
LEAST_HEAD = 3
_INITIAL = re.compile(r"\b([A-Z])\. ?(?=[A-Z])")
_SALUTATION = re.compile(
    r"^(?:dear|hello|hi|hey|madam|sir)\b(?: (?:ms|mrs|mr|miss|dr)\b\.?)?(?: (?-i:[A-Z])[\w'-]+){0,2}[,!:.] *",
    re.IGNORECASE,
)
_CALLED = re.compile(r",? (?:ms|mrs|mr|miss)\.? (?-i:[A-Z])[\w'-]+(?=[?!.,]|$)", re.IGNORECASE)
#: What people say before what they mean.
_OPENING = re.compile(
    r"^(?:(?:lol|omg|haha+|hm+|tbh|ngl|ok(?:ay)?|well|so|and|but|yo|oi|oh|ah|ugh|hiya|gosh|wow|right|now|anyway|actually|look|listen|honestly|"
    r"sorry(?! (?:for|about|that|if|i)\b)|please|fine|all right|you there)\b[,.!]? +)+(?=\w)",
    re.IGNORECASE,
)
#: What only takes the edge off what stands beside it.
_ASIDE = re.compile(
    r"^(?:(?:plainly|honestly|seriously|please|sorry|no offence|just curious|one|confess|all right|ok(?:ay)?|well|fine|"
    r"good|great|cool|right|yes|yeah|no|nope|no way|sure|haha|lol|ugh|touchy|hm+|very well|god help me|not really|"
    r"you do not|you don't)\b"
    r"[\w, ]{0,8})+[.!…]*$",
    re.IGNORECASE,
)
_WANTS = re.compile(
    r"^(?:send|explain|answer|name|describe|summari[sz]e|remind|help|call|swear|promise|read|repeat)\b|"
    r"^i(?:'d| would| should)? (?:like|want|wish) to (?:know|hear)\b|^i wonder\b|"
    r"^(?:your|ur) [\w ]{2,12}\W*$",
    re.IGNORECASE,
)
#: A question that is put after a statement, and asks nothing else.
_TAG = re.compile(
    r"(?:,| or) (?:or )?(?:did|do|are|have|is|were|was|will|would|can|could)(?:n't)? (?:you|i|it|we|they|he|she)\?$|"
    r", (?:right|ok|okay|yes|no|yeah|eh)\?$",
    re.IGNORECASE | re.MULTILINE,
)
#: "I told you my trade, I think. What was it?"
_TOLD_ASKED = re.compile(
    r"\bi (?:told|gave|mentioned|said)(?: to)?(?: you)? (?P<what>my [^.,!?]{1,60})[^.!?]{0,20}[.!]+ "
    r"(?:what|who|where|which|how) (?:was|were|is|are) (?:it|that|he|she|they)\?",
    re.IGNORECASE,
)
_EXCLAIMS = re.compile(r"^what (?:an? [^?]*!*|the \w+\W*)$", re.IGNORECASE)
#: Where one question goes over into the next.
_AND_ASKS = re.compile(
    r",? and (?=(?:(?:on|in|at|for|with|from|to|of) )?(?:what|how|who|whom|where|why|when|which)\b)", re.IGNORECASE
)

#: What points back to something.
_POINTS = re.compile(
    r"\b(?:it|that|them|they|him|he|her|she|i)\W*$|^(?:whose|whom|which|how many|how much)\W*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class MailPart:
    """A sentence that asks or tells."""

    text: str
    asks: bool


@lru_cache(8192)  # a cast asks it of its examples whenever a house is opened
def asking(text: str) -> bool:
    """Whether a sentence asks for something to be said or done."""
    return (asks(text) or orders(text) or bool(_WANTS.match(text))) and not _EXCLAIMS.match(text)


def plain(said: str) -> str:
    """A message without initials that look like the end of a sentence, and without the question after a statement."""
    return _TAG.sub(".", _TOLD_ASKED.sub(r"What was \g<what>?", _INITIAL.sub(r"\1 ", said)))


def parts_of(said: str) -> tuple[MailPart, ...]:
    """The parts of a message; a greeting or an aside only where there is nothing else."""
    apart = [left for one in sentences(said) if (left := _bare(one))] or [said.strip()]
    kept = [one for one in apart if not (is_greeting(one) or _ASIDE.match(one))] or apart[:1]
    return tuple(_joined(part for one in kept for part in _split(one)))


def _weight(text: str) -> int:
    """How many words tell something."""
    return sum(word not in STOP for word in words(text))


def _bare(sentence: str) -> str:
    text = _CALLED.sub("", _SALUTATION.sub("", sentence)).strip()
    return _OPENING.sub("", text) if not _ASIDE.match(text) else text


def _split(sentence: str) -> list[str]:
    parts = _AND_ASKS.split(sentence) if asking(sentence) else [sentence]
    if any(len(part.split()) < LEAST_HEAD for part in parts):
        return [sentence]
    return [*(f"{part}?" for part in parts[:-1]), parts[-1]]


def _joined(apart: Iterable[str]) -> Iterator[MailPart]:
    """A question that says nothing by itself goes with what stands before it."""
    last: MailPart | None = None
    for text in apart:
        part = MailPart(text, asking(text))  # an order is bare if there is nothing but its verb
        if last is not None and part.asks and _POINTS.search(text) and _weight(text) <= orders(text):
            last = MailPart(f"{last.text} {text}", asks=True)
            continue
        if last is not None:
            yield last
        last = part
    if last is not None:
        yield last
