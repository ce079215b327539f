# ruff: noqa: E501  a form of a sentence, or a list of words, is one line
"""Whom a guest calls for: who is named or described, and whether they are spoken to, asked for, or only spoken of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from greenroom.text.typed import written_out
from greenroom.worlds.bar.rules.naming import HAIL, NAMES, OPENING, by_name, named_in, spoken_of
from greenroom.worlds.bar.rules.state import Agent

_LEAVING: Final = re.compile(r"^\W*(?:thanks|thank you|cheers|sorry|excuse me|no offence|bye|night|goodnight|enough|quiet)\b", re.IGNORECASE)  # fmt: skip
_HUSHING: Final = re.compile(r"^\W*(?:shush|hush|quiet|wait|hold on|not now|not you)\b", re.IGNORECASE)
_TITLE: Final = re.compile(r"\b(?:(?:mr|mrs|ms|miss|mister|my dear|dear|poor|good|old)\s?)+$|(?<=\bwith )(?:that|this|your) $|(?<=\bto )(?:that|this|your) $", re.IGNORECASE)  # fmt: skip
_START = rf"(?:^|,)\W{{0,9}}(?:{OPENING}\b[\s,]{{0,3}}){{0,5}}"
_THIRD = r",? ?(?:(?:is|was|does|did|has|do|are|have) )?(?:he|she|who|they)\b"
#: The end of a clause, with what may follow a name before it.
_STOP = rf"(?:,? ?\b(?:mate|man|dude|bro|sir|darling|love|dear|pal|old|my|friend|chap|boy|actually|please|pls|then|again|tonight|now|instead|too)\b)*\s*(?:[,.!?…:;–—-]|$)(?!{_THIRD})"
#: After a name: that something is told of whoever bears it, rather than said to them.
_OF_THEM = (
    rf"'s\b|(?:is|was)(?! (?:it|that|this|there|he|she|they|my|your|any\w*|some\w*|{NAMES})\b| .{0, 120}\?)|(?:has|had|does|did)(?! (?:you|i|we|he|she|it|they|any\w*|some\w*)\b)|"
    r"(?:would|did|does|is|was|has|wo)n't\b(?! (?:you|i|we|it|that|this|he|she|they)\b)|(?:and|or|from|of|at|with|by|beside|behind|near|as|than|never|always|also|usually|once|who)\b|(?:in|on) (?!tonight|today|now|here)\w|(?!need\b|indeed\b)\w{1,20}ed\b|"
    r"(?!(?:thanks|cheers|this|yes|is|was|has|does|what's|who's|how's|where's|it's|that's)\b|\w{1,20}ss\b)[\w']{2,20}s\b|"
    rf"(?:told|said|went|came|made|gave|took|got|knew|thought|kept|left|lost|wrote|sang|sat|let|won|sold|found|saw|met|broke|threw|ran|fell|stood|drove|spoke|felt|held|sent|slept|taught)\b|(?:could|would|will|must|should|might)\b(?! (?:you|i|we|it|that|this|he|she|they)\b)|{_THIRD}"
)
#: Before a name at the end of a clause, these make it somebody spoken of.
_OBJECT = (
    r"\b(?:is|'s|are|was|were|be|am|i'm|you're|about|with|to|of|on|in|into|over|at|by|from|for|after|before|near|beside|behind|against|and|or|if|when|because|likes?|than|as|not|that|the|an?|"
    r"tell|told|ask|asked|gets?|meet|met|see|saw|seen|known?|knows|knew|hear|heard|loved?|hated?|miss|trust|fancy|fancies|called?|named|help|thank|thanked|watch|watched|reminds?|invite|visit|believe|blame|"
    r"do you mean|mute|muted|unmute|leave|let|has|have|had|did|does|can|could|would|will|should|mate|friend|boss|wife|husband|brother|sister|uncle|aunt|dog|cat|son|daughter|cousin|father|mother|dad|mum),?"
    r"|^(?:(?:so|and|wait|hey) )?are you(?: \w+)?"
)
_ASKED_FROM = r"\b(?:where|what|who)\b.{0,30}\b(?:you|it|that|this|accent)\b.{0,12}\b(?:from|for|like)"
#: Who does what comes next, where it is told and not asked for: *I find*, *you ask*; and what takes a wish back.
_TOLD_OF = r"(?<!can )(?<!could )(?<!would )(?<!will )(?<!should )(?<!may )(?<!might )(?<!shall )\b(?:i|you|we|they|he|she|people)(?: (?:always|often|never|ever|just))?|n't(?: want| need)?(?: to)?|\bnot(?: to)?|\bnever(?: \w+)?(?: to)?"
_WITH = r"(?:talk|speak|chat|sit|drink)"
_FETCH = rf"(?:get|fetch|bring|call|ask|find|wake|send(?: for| over| in)?|summon|hear(?: it)?(?: from)?|catch|meet|borrow|trouble|bother|tell|thank|put|give me|let|pass(?: \w+)? to|(?:{_WITH}|listen|turn|go|switch|report|say \w+)(?: \w+)? to|(?:{_WITH}|something) with|(?:switch|turn) on|wake up)"
_VIEW = r"(?:think|say|make|reckon|suggest|know|tell|advise|recommend|call|see|put|feel about|agree|mind|want)"
_HERE = r"(?:still )?(?:there|here|around|round|in|about|awake|asleep|free|available|up|on|listening|tonight|switched o(?:n|ff)|working|busy|sulking)(?= (?:tonight|today|now|yet|at|here|this|or)\b|\s*[,.!?…]|$)"

NameUse: TypeAlias = Literal["asked", "spoken_to", "wondered", "left", "unwanted", "none"]
_ORDER: Final[tuple[NameUse, ...]] = ("asked", "spoken_to", "wondered", "left")


class NamePlace(NamedTuple):
    """A place for a name: what stands before and after it in its sentence, and what it makes of whoever is named."""

    kind: NameUse
    before: re.Pattern[str]
    after: re.Pattern[str]


def _form(kind: NameUse, before: str, after: str = "(?!'s)") -> NamePlace:
    return NamePlace(kind, re.compile(rf"(?:{before})$", re.IGNORECASE), re.compile(after, re.IGNORECASE))


#: The first that fits is what a name is in its place.
_FORMS: Final = (
    _form("unwanted", r"\b(?:not|never|without|except|instead of|rather than|any(?:one|body) but|enough of)(?: you,?)?"),
    _form("unwanted", r"\b(?:don't|do not|not|never)(?: \w+)? to \w+ (?:to|with)|\bno", r"(?: please)?\W*$"),
    _form("none", rf"(?:{_TOLD_OF}) {_FETCH}"),
    # asked for
    _form("asked", rf"@|\b{_FETCH}(?: (?:me|us|over|back))?|\b(?:over|back|on|through) to|\bput (?:it|this|that) to|\b(?:word|chat|talk|moment|minute|drink|question) with|company of"),
    _form("asked", r"\bi(?:'d| would) (?:like|love|prefer)|\bi (?:want|need|prefer|came for|mean|meant)|\bi'd rather (?:have|hear)|\bcould (?:use|do with)|\b(?:can|could|may) (?:i|we) (?:have|see)"),
    _form("asked", r"\bi(?:'m| am)? (?:here|came|come|stopped by|hop\w+|wait\w+) (?:\w+ )?(?:for|to (?:see|find|catch|meet|hear))"),
    _form("asked", r"\b(?:like|want|need|with|fancy|hear|give me|for) (?:\w+ )?(?:one|some|another) of", ""),
    _form("asked", "", r"(?:'s| is) the (?:one|person|man|woman|lady) (?:for|to (?:ask|tell))\b"),
    _form("asked", r"\bi said", rf",? ?not\b|{_STOP}"),
    _form("asked", r"\b(?:turn|switch)", r"on\b"),
    _form("asked", r"\b(?:mit|con|avec|à|med)(?: (?:dem|der|eurem|eurer))?", r"(?:\w+ ){0,4}(?:sprechen|reden|setzen|snakke|tale)|"),
    _form("asked", r"\b(?:i'm|i was|was|am) (?:just )?(?:talking to|speaking to|asking|looking for)", _STOP),
    _form("asked", r"\b(?:question|something|(?<!and )one|one's|message|this|this is|that(?:'s| was| is)?|job|news|riddle)(?: is| was| meant)? for", ""),
    # spoken to at the beginning
    _form("spoken_to", _START, rf"(?!{_OF_THEM})|is it\b"),
    # wondered about: what they would say, and whether they are here
    _form("wondered", "", r"'s (?:opinion|view|take|verdict|advice|word|thoughts?|help|company)\b"),
    _form("wondered", _START, r"(?:would|will|must|should|might|could) (?!be\b)\w"),
    _form("wondered", r"\b(?:can|could|will|would|may|might|must|should|maybe|perhaps|can't|couldn't|won't)", r"(?!be\b)\w"),
    _form("wondered", r"\bonly", r"c(?:an|ould)\b"),
    _form("wondered", "", rf"'s {_HERE},? (?:is|isn't) (?:he|she|it)\b"),
    _form("wondered", r"\bdo(?:es)?", rf"(?:{_VIEW}|take|add|count|print|work|(?:ever )?(?:talk|speak|sing|listen|answer|say any\w+)|have (?:an?|any|some) (?:\w+ )?(?:story|word|opinion|view|idea|thoughts?|advice|wisdom|time|minute|moment|joke))\b"),
    _form("wondered", r"(?<!what )\bdo(?:es)?", r"do \w"),
    _form("wondered", r"\b(?:what|how|if|whether|bet|think|sure|wonder)", r"(?:would|will|might|thinks|says|makes|reckons|wrote down|noted|has (?:to say|something to say|an?)|is (?:free|awake|about))\b"),
    _form("wondered", r"\b(?:is|are|isn't)", rf"{_HERE}|sat\b|sitting\b"),
    _form("wondered", r"\b(?:if|when|while)", rf"(?:'s|is)(?: not)? {_HERE}"),
    _form("wondered", r"\bwhere(?:'s| is| are| has)|\b(?:maybe|perhaps)", r"(?:tonight|when|gone|hiding|now|then|at|got|been|sitting)\b|\W|$"),
    _form("wondered", r"\bis (?:that|this|it|there|he|she)(?: you,?)?|\bany(?:one|body) seen"),
    _form("wondered", r"\b(?:what|how) about|\b(?:there's|there is|you have|you've got)(?: an?| the)?", rf"(?:(?:in|here|about|around)\b ?){{0,2}}{_STOP}"),
    _form("wondered", r"\b(?:that|this|the)", r"(?:guy|fellow|chap|person|bloke)\s?\?"),
    # spoken to at the end
    _form("spoken_to", _ASKED_FROM, _STOP),
    _form("spoken_to", r"^\W*(?:did you )?(?:hear|see|get|catch|like) that,?", _STOP),
    _form("none", _OBJECT, _STOP),
    _form("spoken_to", r"\S", _STOP),
)  # fmt: skip
#: Somebody who was named before, wanted by *him* or *her*; where one was named in the same message, in more ways.
_THEM: Final = re.compile(
    rf"\b{_WITH} (?:to|with) (?:him|her|it|them)\b|\bmit (?:dem|der|ihm|ihr)\b.{{0,40}}\b(?:sprechen|reden|(?:hin)?setzen)\b|\bword with (?:him|her|it|them)\b|\b(?:ask|fetch|get|wake|call|bring) (?:him|her|it|them)(?! (?:a|an|some|the|out)\b)",
    re.IGNORECASE,
)
_THAT_ONE: Final = re.compile(
    r"\b(?:tell|let) (?:him|her|it|them)\b|\b(?:can|may|could|should) i (?:show|tell|give) (?:him|her|it|them)\b|\b(?:can|could|would|will) (?:he|she|it) (?:talk|speak|look|come|help|have a look|read|listen)\b|\bdoes (?:he|she|it) (?:\w+ )?(?:talk|speak|say|answer)\b",
    re.IGNORECASE,
)
_RUN: Final = re.compile(
    rf"\b(?:{NAMES})\b(?:(?:, (?:{NAMES}))*,? (?:and|or|&) (?:{NAMES})\b|(?:, (?:{NAMES}))+(?=[,.!?:]|$))?",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<!\bmr)(?<!\bms)[.!?…;:\n]+\s|\s[–—-]\s?|\.$", re.IGNORECASE)
_HAILED: Final = re.compile(
    rf"^\W*(?:{HAIL}\b\W{{1,3}}){{0,5}}(?:(?:mr|mrs|ms|miss|mister|dear|poor|good|old)\b\W{{1,3}}){{0,3}}@?$",
    re.IGNORECASE,
)
_ENDEARED: Final = re.compile(
    r"^(?:[ -](?:mate|man|dude|dear|pal|sir|darling|san)\b|, (?:love|mate|dear|pal|sir|darling|my \w+)(?=\s?[,!?.:]))",
    re.IGNORECASE,
)
#: Letters of a sentence that are looked at before and after a name.
_NEAR: Final = 100


class Mention(NamedTuple):
    """One name in a text, or several with *and* between them; the sentence it is in begins at ``sentence``."""

    agents: tuple[Agent, ...]
    kind: NameUse
    sentence: int
    start: int
    end: int


@lru_cache(maxsize=64)
def mentions(text: str) -> tuple[Mention, ...]:
    """Whoever is named in a text that says everybody by name, and what for."""
    return tuple(_mentions(text))


def _mentions(text: str) -> Iterator[Mention]:
    begins = 0
    for found in _RUN.finditer(text):
        begins = max(
            (end.end() for end in _SENTENCE_END.finditer(text, max(begins, found.start() - 2 * _NEAR), found.start())),
            default=begins,
        )
        before = _TITLE.sub("", text[max(begins, found.start() - _NEAR) : found.start()]).rstrip(" ")
        before = f"… x {before}" if found.start() - begins > _NEAR else before
        after = text[found.end() : found.end() + _NEAR].lstrip(" ")
        kind: NameUse = next((f.kind for f in _FORMS if f.before.search(before) and f.after.match(after)), "none")
        if kind == "spoken_to" and (_LEAVING.match(before) or _HUSHING.match(after)):
            kind = "left"
        yield Mention(tuple(dict.fromkeys(named_in(found[0]))), kind, begins, found.start(), found.end())


def unaddressed(text: str) -> str:
    """A text that says everybody by name, without the names of those it is said to and what hails them."""
    for one in reversed(mentions(text)):
        if one.kind in ("spoken_to", "left") or text[: one.start].endswith("@"):
            before, after = text[: one.start].rstrip(" ,–—-@"), _ENDEARED.sub("", text[one.end :])
            if _HAILED.match(text[one.sentence : one.start]) and re.search(r"\w", text[: one.sentence] + after):
                before, after = text[: one.sentence], after.lstrip(" ,.:;!?…–—-") or after
            text = before + after if re.search(r"\w", before + after) else text
    return text


@lru_cache(maxsize=64)
def called(text: str) -> tuple[Agent, ...]:
    """Those a message is addressed to, or asks for, by name or by what they are; in the order of their names."""
    text = by_name(written_out(text))
    named = mentions(text)
    unwanted = {agent for one in named if one.kind == "unwanted" for agent in one.agents}
    for kind in _ORDER:
        for one in named:
            if one.kind == kind and (agents := tuple(agent for agent in one.agents if agent not in unwanted)):
                return agents
    alone = spoken_of(text)
    return alone if len(alone) == 1 and (_THEM.search(text) or _THAT_ONE.search(text)) else ()


def calls_for_them(text: str) -> bool:
    """Whether somebody is wanted who was named before: *can I talk to him?*"""
    return _THEM.search(text) is not None and not spoken_of(text)


__all__ = ["called", "calls_for_them", "unaddressed"]
