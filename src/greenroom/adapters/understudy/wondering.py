"""What is asked without a question: "I wonder if you ever sleep" and "bet you miss shops" both ask *do you*."""

from __future__ import annotations

import re
from typing import Final

from greenroom.adapters.facts.sentences import sentences

#: Words that may stand before what is wondered or guessed, and take nothing from it.
_LEAD_WORDS = """
and but so well oh ok okay hm hmm anyway actually honestly though still now right no yes yeah lol haha sorry please i
i'm i've i'd i'll am was been have do keep just always often sometimes really would will like love want need wants
wanted meant going to can may could let me don't not should he she my
"""
_LEAD: Final = frozenset(_LEAD_WORDS.split())
_CUT = r"(?P<cut>'re|'s|'ve|'d|'ll)?"
#: Wondered aloud, or asked for by a third: what follows waits for an answer.
_WONDERED = re.compile(
    r"^(?P<lead>.{0,60}?)\b(?:wonder(?:ing|ed)?|curious|asking myself|know|hear|asks?|asked|wonders|tell)(?: you| me)? (?:if|whether) "
    rf"(?P<who>you|it|there|he|she|they|this|that|people|any\w+|some\w+|(?:the|your|a|an) \w+){_CUT} (?P<rest>.+)$",
    re.IGNORECASE,
)
#: Guessed of whoever hears it: it may be let stand, or answered.
_GUESSED = re.compile(
    r"^(?P<lead>.{0,60}?)\b(?:bet|suppose|guess|imagine|expect|assume|reckon|presume|dare say|take it|have thought|should think|would think)(?: that)? "
    rf"(?P<who>you|one|it|there|people){_CUT} (?P<must>must |probably )?(?P<rest>.+)$",
    re.IGNORECASE,
)
_MUST = re.compile(
    rf"^(?P<lead>.{{0,30}}?)\b(?P<must>(?:surely |presumably )?(?P<who>you){_CUT} (?:must|probably)|surely you) (?P<rest>.+)$",
    re.IGNORECASE,
)
_FULL: Final = {"'re": "are ", "'s": "is ", "'ve": "have ", "'d": "would ", "'ll": "will "}
_HEAD = re.compile(
    r"^(?P<aux>are|is|was|were|can|could|will|would|should|do|does|did|may|might|"
    r"(?:have|has|had)(?=(?:n't)? (?:(?:ever|never|always|already|also|just) )?(?:been|seen|had|got|done|gone|met|heard|read|lost|felt|told|made|kept|slept|come|\w+(?:ed|en|wn|ght))\b))"
    r"(?P<no>n't)? (?P<rest>.+)$",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"^(?:\w{3,}ed|had|went|came|saw|felt|got|knew|took|made|left|lost|met|wrote|said|grew)\b", re.IGNORECASE
)
#: What a verb has more after *it*.
_THIRD = re.compile(r"^(\w+[^s\W])s\b")
#: What is put after a guess: "don't you", "I suppose".
_TAG = re.compile(
    r",? (?:(?:do|does|are|have|did|would|wo|could|must|is)(?:n't|nt)? (?:you|it|they|there)|right|eh|i (?:suppose|guess|bet|imagine|expect)|though|no|then)$",
    re.IGNORECASE,
)
#: A guess of fewer words has nothing to answer.
LEAST = 2
#: Words of those who wonder: "my little brother wants to know if …".
MOST_LEAD = 5


def wondered(sentence: str) -> str:
    """A sentence that asks by wondering, as the question that it is; any other as it stands."""
    found = _WONDERED.match(sentence.strip())
    return (
        sentence
        if found is None or not _leads(found["lead"])
        else _asked(found["who"], _FULL.get(found["cut"] or "", "") + found["rest"])
    )


def guessed(said: str) -> str:
    """What the last sentence of a message guesses, as a question; empty where it guesses nothing."""
    last = (sentences(said) or [said.strip()])[-1]
    guesses = (form.match(last) for form in (_GUESSED, _MUST))
    found = next((one for one in guesses if one is not None and _leads(one["lead"])), None)
    if found is None or len(found["rest"].split()) < LEAST:
        return ""
    who, rest = (found["who"] or "you").lower(), _FULL.get(found["cut"] or "", "") + found["rest"]
    if who == "one":
        who, rest = "you", _THIRD.sub(r"\1", rest)
    if found["must"]:
        rest = re.sub(r"^be\b", "are" if who == "you" else "is", rest)
    return _asked(who, rest)


def _leads(lead: str) -> bool:
    """Whether what stands before says no more than that it is wondered; one's own people may wonder as well."""
    said = re.findall(r"[\w']+", lead.casefold())
    return _LEAD.issuperset(said) or (said[0] == "my" and len(said) <= MOST_LEAD)


def _asked(who: str, clause: str) -> str:
    """A clause of somebody as a question; one in the past stays in its order, which asks as well."""
    text = _TAG.sub("", " ".join(clause.split()).rstrip(" .!?…"))
    if head := _HEAD.match(text):
        return f"{head['aux'].capitalize()}{head['no'] or ''} {who} {head['rest']}?"
    if _PAST.match(text):
        return f"{who.capitalize()} {text}?"
    if who in ("you", "they", "people"):
        return f"Do {who} {text}?"
    bare = _THIRD.sub(r"\1", text)
    return f"Does {who} {bare}?"


__all__ = ["guessed", "wondered"]
