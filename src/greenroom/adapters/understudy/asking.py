"""Whom a question is about - whoever asks it, whoever is asked, or neither - and whether it asks for something told."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from greenroom.adapters.facts.clauses import clauses
from greenroom.adapters.facts.sentences import asks, sentences, to_keep
from greenroom.adapters.understudy.wanting import wants
from greenroom.text.listing import any_of, finds, forms
from greenroom.text.stems import STOP, telling, words

_YOU: Final = re.compile(
    r"\b(?:you|your|yours|u|ur|yourself|du|dein\w*|sie|ihr\w*|tu|ton|ta|tes|vous|votre|usted|su)\b", re.IGNORECASE
)
_FIRST: Final = re.compile(
    r"\b(?:i|i'm|i'd|i've|my|me|mine|we|our|us|ich|mein\w*|je|j'\w+|m'\w+|mon|ma|yo|mi)\b", re.IGNORECASE
)
_ASKS_HEARER = r"(?:(?:do|did|can|could|will|would|have|bet|surely|must) )*(?:you|u)(?:'ll|'ve|'d)?"
_STILL = r"(?: (?:still|even|ever|yet|also|surely|must|will|won't|wouldn't|do|don't|can't|have|maybe|happen to))*"
_KEEPS = r"(?:remember|recall|recollect|recogni[sz]e|forget|forgot|forgotten)"
_HAS = (
    r"(?:know|mind|guess|catch|caught|hear\w*|get|got|tell(?: me)?|say|noted?|noticed?|keep|pick(?:ed)? up|listening)"
)
_TOLD_OF = r"(?:wh\w+|how|my|me|our|his|her|their|its|about m[ey]|the (?:\w+'s )?name)"
#: "Do you still remember", and "you'll have caught" before what may have been told: it speaks to the hearer of nothing else.
_KEPT: Final = re.compile(rf"\b{_ASKS_HEARER}(?:n't)?{_STILL} {_KEEPS}\b(?!,? (?:any|about you))", re.IGNORECASE)
_CAUGHT: Final = re.compile(
    rf"\b(?:{_ASKS_HEARER}|were you){_STILL} {_HAS}\b(?=(?: at all| \w+)?(?: {_TOLD_OF}\b|\W*$|,))", re.IGNORECASE
)
#: Said as something told: "you won't remember what he's called".
_KEPT_OF: Final = re.compile(rf"{_KEPT.pattern} {_TOLD_OF}\b", re.IGNORECASE)
#: What somebody else wants to know, of one who told it: "they want to know which day it was, and I told you".
_INDIRECT: Final = re.compile(
    r"\b(?:know|wonder\w*|ask\w*|forget|forgotten|forgot|told you|mentioned)(?: \w+){0,2} (?:who|what|which|where|when|how)\b",
    re.IGNORECASE,
)
_TOLD_YOU: Final = re.compile(
    r"\b(?:i|we)(?:'ve|(?: \w+)? have)?(?: just| ever| already)? (?:told you|mentioned|said (?:it|so))\b|\byou were told\b",
    re.IGNORECASE,
)
_SAID: Final = re.compile(
    r"\b(?:did|have) (?:i|we)(?: ever| even| already)? (?:say|said|tell|told|mention\w*)\b|\b(?:i|we)(?:'ve|(?: \w+)? have)?(?: just| ever| already)? (?:said|told|mentioned)\b",
    re.IGNORECASE,
)
_TOLD: Final = (_KEPT, _CAUGHT, _SAID)
#: What asks for something told in other words, or in other languages.
_AGAIN: Final = re.compile(
    r"(?<!you )\bremind me\b|\b(?:remember|forgotten|forgot|know) me\b|\bwho i am\b|\bwho am i\b|\blast time\b|\bthe other day\b|\bmy name\b|"
    r"\b(?:te acuerdas|se acuerda|wissen sie noch|wei(?:ß|ss)t du noch|hei(?:ß|ss)e ich|je m'appelle|me llamo)\b",
    re.IGNORECASE,
)
_ENDS_AGAIN: Final = re.compile(
    r"^(?:\w+,? ){0,2}(?:who|what|which|where|when|how)\b(?!.*\byou\b).*\bagain\W*$", re.IGNORECASE
)
#: What stands around what is asked for: that it was told, and whether it is known still.
_FRAMES: Final = (
    *_TOLD,
    re.compile(
        r"\b(?:say|said|told|tell|remember|recall|mention(?:ed)?|again|quick test|anything|one thing|called|last time|even|name|"
        r"you know(?! (?:him|her|them|it|any|how)\b))\b",
        re.IGNORECASE,
    ),
)
#: First persons in a question that asks for leave, for counsel, or for something to be done.
_OTHERWISE: Final = forms(
    rf"\b{any_of('can, could, may, might, shall, should, must, would')} (?:i|we)\b",
    rf"\bam i {any_of('allowed, late, welcome, being, talking')}\b",
    rf"\bdo i (?:just )?{any_of('have to, need, look, talk, sit, pay, go, order, put, wait, owe')}\b",
    r"\bhow do i (?:get|go)\b|\bwhat do i (?:\w+ )?do (?:with|about|now)\b|\bwhere am i\b[,\s]*(?:exactly|now)?\W*$",
    r"\bis (?:it|that) (?:\w+ )?(?:that|if) i\b|\b(?:is|are) there\b|\bif i\b",
    r"\b(?:teach|show|give|help|let|than) me\b|\bfor me\?",
)
_ORDERED: Final = re.compile(
    rf"^(?:{any_of('go on, so, and, now, ok, well, but, please')},? )*(?:you (?:might|could|can|may)(?: just)? )?"
    r"(?:(?:tell|give|remind) me|say|name|guess|remember)\b(?!'| th(?:is|at)\b| an?\b)"
    rf"[^,.:]*\b{any_of('my, me, i, his, her, their, the other')}\b",
    re.IGNORECASE,
)
#: Where *you* is only whom something was done to.
_I_DO: Final = re.compile(r"\b(?:do|did|am|was|have|had|will) i\b", re.IGNORECASE)
#: *My dog's name*, with no verb: it is asked for.
_SHORT: Final = re.compile(
    r"^(?:and |so )?(?:(?:the )?names? of )?my (?:(?:\w+(?:'s)? ?){1,3}\?|"
    r"(?:(?!(?:is|was|are|were|has|had|got|died|left|came|went|lives?|works?|likes?|loves?|says|said)\b)\w+(?:'s)? ?){1,3})$",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(r"^and\b|\b(?:that|then|he|she|it|they|him|her|them|there|his|their)\b", re.IGNORECASE)
#: Words that say of what kind the answer is, and nothing of what it is about.
KINDS: Final = re.compile(
    r"\b(?:what|which) (?:year|day|date|time|month|age|city|town|country|place|number|kind of|sort of|part of)\b|"
    r"\bhow (?:old|many|much|long|far|often)\b|\b(?:called|named?|exactly|lol|reckon|long enough)\b",
    re.IGNORECASE,
)
#: A question of no more words than this is read with what stands around it; one that points back has no more telling ones.
LEAST_HEAD, MOST_POINTING = 2, 3
#: How likely a message must be to want something told: whatever its form, and in the form of such a question.
SURE, MAYBE, FEW = 0.7, 0.05, 4
#: Words of a question that do not say what it asks for: "you know who I mean, right?"
_EMPTY: Final = frozenset(
    telling(
        "know mean right guess think remember still now even again go sort quick thing listening listened believe anyone"
    )
)


#: Where one is just now, the hearer knows.
_WHERE: Final = re.compile(r"\bwhere am i\b[,\s]*(?:exactly|now|then)?\W*$", re.IGNORECASE)


def asks_of_self(said: str) -> bool:
    """Whether somebody asks for what they told of themselves: by its words alone where these leave little doubt."""
    if to_keep(said) or _WHERE.search(said):
        return False
    return wants(said)["told"] > SURE or (may_ask_of_self(said) and asks_by_form(said))


def may_ask_of_self(said: str) -> bool:
    """Whether somebody may ask for what they told, if that answers it better than anything else; few words tell little."""
    return len(said.split()) <= FEW or wants(said)["told"] > MAYBE


def asks_by_form(said: str) -> bool:
    """Whether a message has the form of a question for something told."""
    apart = sentences(said) or [said]
    if any(map(_asks, apart)) or (_TOLD_YOU.search(said) and any(_INDIRECT.search(one) for one in apart)):
        return True
    return (
        # "I told you my name. Do you remember it?" asks for what the first of them names
        len(apart) > 1 and asks(apart[-1]) and not _content(apart[-1]) and any(one.search(said) for one in _TOLD)
    )


@lru_cache(8192)  # a cast asks it of its examples whenever a house is opened
def is_of_keeper(said: str) -> bool:
    """Whether a question speaks to whoever it is asked of, rather than of anybody else."""
    return bool(_YOU.search(bare(question_in(said))))


def says_told(said: str) -> bool:
    """Whether a question says that what it asks for was told."""
    if any(form.search(said) for form in (_KEPT, _SAID, _AGAIN, _ENDS_AGAIN)):
        return True
    return _CAUGHT.search(said) is not None and _FIRST.search(said) is not None and not is_of_keeper(said)


def follows(said: str) -> bool:
    """Whether a question can only be understood by what was said before it."""
    question = question_in(said)
    if STOP.issuperset(words(KINDS.sub(" ", question))):
        return True  # it only says what kind of thing it asks for
    return bool(_POINTS.search(question)) and len(STOP.union(words(question)) - STOP) <= MOST_POINTING


def question_in(said: str) -> str:
    """What asks: the last sentence that does and says what for, up to its first comma where the rest says why."""
    return _head(whole_question(said))


@lru_cache(256)
def whole_question(said: str) -> str:
    """The last sentence that asks and says what for; all that was said, where it only points there."""
    apart = sentences(said)
    asking = [one for one in apart if asks(one)] or [one for one in apart if _asks(one)]
    return next((one for one in reversed(asking) if _content(one)), said)


@lru_cache(1024)
def bare(question: str) -> str:
    """The question without what only says that it asks for something told."""
    text = question
    for frame in _FRAMES:
        text = frame.sub(" ", text)
    return " ".join(text.split()) or question


def _content(question: str) -> frozenset[str]:
    """The words of a question that say what it asks for."""
    found = words(bare(question))
    return frozenset[str]() if STOP.issuperset(found) else frozenset(telling(" ".join(found))) - _EMPTY


def _asks(sentence: str) -> bool:
    if _SHORT.match(sentence) or _ORDERED.match(sentence):
        return True
    if not asks(sentence):
        return bool(_KEPT.match(sentence) or _KEPT_OF.search(sentence))
    if any(form.search(sentence) for form in (_SAID, _AGAIN, _ENDS_AGAIN)) and not _KEPT.search(sentence):
        return True
    head = bare(_head(sentence))
    if _YOU.search(head) and not _I_DO.search(head):
        return False
    return bool(_KEPT.search(sentence)) or (bool(_FIRST.search(head)) and not finds(_OTHERWISE, sentence))


def _head(question: str) -> str:
    """A question without what is told in the same breath: why it is asked, or what to do about it."""
    first = question.split(",", 1)[0]
    if len(first.split()) > LEAST_HEAD and asks(first) and _content(first):
        return first
    last = clauses(question)[-1].text
    return last if asks(last.rstrip("?")) and _content(last) else question


__all__ = [
    "KINDS",
    "asks_by_form",
    "asks_of_self",
    "bare",
    "follows",
    "is_of_keeper",
    "may_ask_of_self",
    "question_in",
    "says_told",
    "whole_question",
]
