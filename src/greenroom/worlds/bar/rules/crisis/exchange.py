# ruff: noqa: E501  a form of a sentence is one line
"""The last exchange: what a short answer means depends on what it answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from greenroom.worlds.bar.rules.crisis.check import Finding

#: How sure an alarm is: said outright, or in doubt.
Alarm: TypeAlias = Literal["outright", "doubtful"]

#: A question after which a short yes is no small thing, and such a yes.
_ASKED: Final = re.compile(
    r"\b(?:hurt(?:ing)? yourself|harm(?:ing)? yourself|kill(?:ing)? yourself|end(?:ing)? your life|suicid\w*|want(?:ing)? to die|dying|be dead|are you safe|"
    r"keep yourself safe|in danger|not want(?:ing)? to (?:live|be here)|better off without)\b",
    re.IGNORECASE,
)
_YES: Final = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|i am|i do|i have|maybe|sometimes|tonight|soon|i think so|probably|kind of|a bit|ja|oui|si|sí)\b",
    re.IGNORECASE,
)
_NO_DANGER: Final = re.compile(r"\bare you safe\b|\bkeep yourself safe\b", re.IGNORECASE)
_NO: Final = re.compile(r"^\W*(?:no|nope|not really|i don't think so|i am not|i'm not)\b", re.IGNORECASE)
#: Words of a message that can only be understood by what it answers.
SHORT: Final = 12


def together(before: str, said: str) -> str:
    """The exchange as one text, for whoever weighs what it means."""
    return " ".join(f"{before} {said}".split())


#: A question about how the guest is: what answers it stands by itself.
_OPEN: Final = re.compile(
    r"\b(?:how (?:are|have) you|how do you feel(?! about)|how is (?:today|it going)|are you (?:ok|okay|all right|alright|well)|what(?:'s| is) (?:wrong|the matter)|"
    r"do you want to talk|what happened to you|how was today)\b",
    re.IGNORECASE,
)
#: Words in which nothing can be meant but an answer.
FEW: Final = 3
#: Odds of the exchange that leave standing what was said.
CALM: Final = 0.0
#: Odds up to which a message is ordinary talk beyond doubt.
ORDINARY: Final = -2.0
#: Odds by words from which a doubt stands where nobody can say what is meant.
BY_WORDS: Final = 1.5
SERIOUS: Final = 3.0
#: The same of an exchange, where a short answer tells how one is; what words and that come to together in a message that can
#: only be understood by what it answers, and in a longer one.
SERIOUS_ANSWER, GRAVE, GRAVE_AT_LENGTH = 4.5, 11.6, 6.6
#: Words of a sentence beside a question that says nothing of its own.
MOST_BESIDE: Final = 5
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")


def alarm_in(said: str, before: str, seen: Finding, weighed: object, again: object) -> Alarm | None:
    """Whether there is an alarm, and how sure: from the message alone, and with what was said before it.

    In the middle of a talk a doubt rings only by what its own words say, where a short answer tells how one is, or where the
    message is grave alone and beside what it answers; and what does nothing but ask only where words or meaning leave little
    doubt.

    Args:
        before: what was last said to the guest; empty for the first message of an evening.
        seen: what the local check saw in the message.
        weighed: odds by what the message means alone; anything else where nobody could say.
        again: the same of the exchange, less how ordinary the message is.
    """
    if _is_grave_answer(said, before):
        return "outright"
    if not seen.with_meaning(weighed):
        return None
    if seen.outright:
        return "outright"
    if _only_asks(said) and not seen.said and seen.odds < BY_WORDS and not _is_serious(weighed):
        return None
    if before and not _stands(before, seen, again):
        return None
    return "doubtful"


#: Who was asked whether it is so says that it is not; and what leaves that open.
_DENIED: Final = re.compile(
    r"^\W*(?:(?:oh|ah|god|dear|lord|christ|jesus|gosh|(?:ha)+h?|lol|sorry|hm+|u[mh]+|er+|well|wait|what|huh|why|okay|ok)\b\W*)*(?:no|nope|nah|nein|not at all|(?:of course|certainly|definitely|absolutely) not)\b"
    r"|\b(?:not what i (?:meant|said)|(?:not|nothing) like that|not so|misunderstood|misheard|(?:heard|got) (?:it|me|that) (?:all )?wrong|wrong end of the stick|(?:was|am|i'm|im|just|only|obviously) (?:joking|kidding)"
    r"|(?:a|bad|stupid|just|only) joke|figure of speech|(?:an?|just|only) (?:expression|saying)|(?:did not|didn't|didnt) mean (?:it|that)|i (?:just |only )?meant|i was (?:just |only )?(?:talking|speaking|on) (?:about|of)"
    r"|(?:i'm|im|i am) not (?:suicidal|in (?:any )?danger|going to (?:hurt|harm|kill)|thinking of (?:that|hurting|harming))|why would you (?:think|ask) that)\b",
    re.IGNORECASE,
)
_OPEN_STILL: Final = re.compile(
    r"\b(?:but (?!thank)|maybe|perhaps|sometimes|not (?:really|sure|yet|today|tonight|myself|any ?more|joking|kidding)|(?:do not|don't|dont) (?:know|care)|dunno|yes|yeah|though|soon|already|decided|whatever|any ?more"
    r"|to stop|can't|cant|cannot|matters?|sure now|no (?:one|point|idea|reason|use|hope|way out|more))\b"
    r"|^\W*no\W+(?:it|he|she|they|this) (?:is|are|does|will|won't|wont)\b",
    re.IGNORECASE,
)


def is_denied(said: str, weighed: object) -> bool:
    """Whether somebody who was asked says plainly that it is not so, and means nothing else by it."""
    calm = len(said.split()) <= FEW or not isinstance(weighed, float) or weighed <= CALM
    return calm and _DENIED.search(said) is not None and _OPEN_STILL.search(said) is None


def goes_on(said: str, again: object) -> bool:
    """Whether somebody who was asked talks on as if nothing had been: of enough words, and surely harmless."""
    surely = isinstance(again, float) and again <= ORDINARY
    return surely and len(said.split()) > FEW and not _OPEN_STILL.search(said) and not _YES.match(said)


def _stands(before: str, seen: Finding, again: object) -> bool:
    """Whether a doubt in the middle of a talk stands, beside what it answers."""
    if not isinstance(again, float):
        return seen.length > SHORT or seen.said or seen.odds >= BY_WORDS
    if seen.foreign or seen.certain or (seen.said and again >= CALM):
        return True
    if seen.length <= SHORT and _OPEN.search(before) is not None and again >= SERIOUS_ANSWER:
        return True
    return seen.beside(again) >= (GRAVE if seen.length <= SHORT else GRAVE_AT_LENGTH)


def _only_asks(said: str) -> bool:
    """Whether a message asks, and says next to nothing: *do I have to climb over there myself?*"""
    apart = _SENTENCES.split(said.strip())
    return said.rstrip(" \"'”’)").endswith("?") and all(
        one.rstrip(" \"'”’)").endswith("?") or len(one.split()) <= MOST_BESIDE for one in apart
    )


def _is_serious(weighed: object) -> bool:
    return isinstance(weighed, float) and weighed >= SERIOUS


def _is_grave_answer(said: str, before: str) -> bool:
    """Whether a short yes answers a grave question, or a short no one about being safe."""
    if len(said.split()) > SHORT:
        return False
    question = next((one for one in re.split(r"(?<=[.!?])\s+", before)[::-1] if "?" in one), "")
    if _NO_DANGER.search(question):
        return _NO.match(said) is not None
    return _ASKED.search(question) is not None and _YES.match(said) is not None
