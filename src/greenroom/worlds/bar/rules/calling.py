# ruff: noqa: E501  a form of a sentence, or a list of words, is one line
"""Whom a guest calls for: who is named or described, and whether they are spoken to, asked for, or only spoken of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from greenroom.text.listing import any_of
from greenroom.text.typed import written_out
from greenroom.worlds.bar.rules.naming import HAIL, NAMES, OPENING, by_name, named_in, spoken_of
from greenroom.worlds.bar.rules.state import Agent

# words and beginnings of phrases that more than one place has, each an alternation
_TITLES = any_of("mr, mrs, ms, miss, mister, my dear, dear, poor, good, old")
_TENDER = any_of("mate, man, dude, bro, sir, darling, love, dear, pal, old, my, friend, chap, boy")
_AFTERTHOUGHTS = any_of("actually, please, pls, then, again, tonight, now, instead, too")
_PERSONS = any_of("you, i, we, he, she, it, they")
_ANYTHING = r"any\w*|some\w*"
_PLACED = any_of("of, at, with, by, beside, behind, near, as")

_LEAVING: Final = re.compile(
    rf"^\W*{any_of('thanks, thank you, cheers, sorry, excuse me, no offence, bye, night, goodnight, enough, quiet')}\b",
    re.IGNORECASE,
)
_HUSHING: Final = re.compile(rf"^\W*{any_of('shush, hush, quiet, wait, hold on, not now, not you')}\b", re.IGNORECASE)
_TITLE: Final = re.compile(
    rf"\b(?:{_TITLES}\s?){{1,4}}$|(?:(?<=\bwith )|(?<=\bto ))(?:that|this|your) $", re.IGNORECASE
)
_START = rf"(?:^|,)\W{{0,9}}(?:{OPENING}\b[\s,]{{0,3}}){{0,5}}"
_THIRD = r",? ?(?:(?:is|was|does|did|has|do|are|have) )?(?:he|she|who|they)\b"
#: The end of a clause, with what may follow a name before it.
_STOP = rf"(?:,? ?\b(?:{_TENDER}|{_AFTERTHOUGHTS})\b)*\s*(?:[,.!?…:;–—-]|$)(?!{_THIRD})"
#: What somebody did, in forms that do not end in *-ed*.
_DID = any_of(
    "told, said, went, came, made, gave, took, got, knew, thought, kept, left, lost, wrote, sang, sat, let, won, sold, found, "
    "saw, met, broke, threw, ran, fell, stood, drove, spoke, felt, held, sent, slept, taught"
)
#: Words that end in *-s* and tell of nobody.
_NO_VERBS = any_of("thanks, cheers, this, yes, is, was, has, does, what's, who's, how's, where's, it's, that's")
#: After a name: that something is told of whoever bears it, rather than said to them.
_OF_THEM = (
    r"'s\b",
    rf"(?:is|was)(?! (?:it|that|this|there|he|she|they|my|your|{_ANYTHING}|{NAMES})\b)",
    rf"(?:has|had|does|did)(?! (?:{_PERSONS}|{_ANYTHING})\b)",
    rf"(?:would|did|does|is|was|has|wo)n't\b(?! (?:{_PERSONS}|that|this)\b)",
    rf"(?:and|or|from|{_PLACED}|than|never|always|also|usually|once|who)\b",
    r"(?:in|on) (?!tonight|today|now|here)\w",
    r"(?!need\b|indeed\b)\w{1,20}ed\b",
    rf"(?!{_NO_VERBS}\b|\w{{1,20}}ss\b)[\w']{{2,20}}s\b",
    rf"{_DID}\b",
    rf"(?:could|would|will|must|should|might)\b(?! (?:{_PERSONS}|that|this)\b)",
    _THIRD,
)
#: Before a name at the end of a clause, these make it somebody spoken of: what they are, where, what is done to them,
#: and whose they are.
_OBJECT_WORDS = (
    "is, 's, are, was, were, be, am, i'm, you're, that, the, an?, not, and, or, if, when, because",
    "about, with, w, to, of, on, in, into, over, at, by, from, for, after, before, near, beside, behind, against, likes?, than, as",
    "tell, told, ask, asked, gets?, meet, met, see, saw, seen, known?, knows, knew, hear, heard, call, called, named, help",
    "loved?, hated?, miss, trust, fancy, fancies, thank, thanked, watch, watched, reminds?, invite, visit, believe, blame",
    "do you mean, mute, muted, unmute, leave, let, has, have, had, did, does, can, could, would, will, should",
    "mate, friend, boss, wife, husband, brother, sister, uncle, aunt, dog, cat, son, daughter, cousin, father, mother, dad, mum, mom",
)
_OBJECT = (*(rf"\b{any_of(words)},?" for words in _OBJECT_WORDS), r"^(?:(?:so|and|wait|hey) )?are you(?: \w+)?")
_ASKED_FROM = r"\b(?:where|what|who)\b.{0,30}\b(?:you|it|that|this|accent)\b.{0,12}\b(?:from|for|like)"
#: Who does what comes next, where it is told and not asked for: *I find*, *you ask*; and what takes a wish back.
_NOT_AFTER = "".join(rf"(?<!{word} )" for word in ("can", "could", "would", "will", "should", "may", "might", "shall"))
_TOLD_OF = (
    rf"{_NOT_AFTER}\b(?:{_PERSONS}|people)(?: (?:always|often|never|ever|just))?",
    r"(?:n't(?: want| need)?|\bnot|\bnever(?: \w+)?)(?: to)?",
)
_WITH = any_of("talk, speak, chat, sit, drink")
_FETCH = tuple(
    any_of(words)
    for words in (
        "get, fetch, bring, call, ask, find, wake, wake up, send, send for, send over, send in, summon, switch on, turn on",
        r"hear(?: it)?(?: from)?, catch, meet, borrow, trouble, bother, tell, thank, put, give me, let, pass(?: \w+)? to",
        rf"(?:{_WITH}|listen|turn|go|switch|report|say \w+)(?: \w+)? to, (?:{_WITH}|something) with",
    )
)
_VIEW = any_of(
    "think, say, make, reckon, suggest, know, tell, advise, recommend, call, see, put, feel about, agree, mind, want"
)
_ABOUT = any_of(
    r"there, here, around, round, in, about, awake, asleep, free, available, up, on, listening, tonight, switched o(?:n|ff), working, busy, sulking"
)
_HERE = rf"(?:still )?{_ABOUT}(?= (?:tonight|today|now|yet|at|here|this|or)\b|\s*[,.!?…]|$)"

NameUse: TypeAlias = Literal["asked", "spoken_to", "wondered", "left", "unwanted", "none"]
_ORDER: Final[tuple[NameUse, ...]] = ("asked", "spoken_to", "wondered", "left")


class NamePlace(NamedTuple):
    """A place for a name: what stands before and after it in its sentence, and what it makes of whoever is named."""

    kind: NameUse
    before: tuple[re.Pattern[str], ...]
    after: tuple[re.Pattern[str], ...]
    never: tuple[re.Pattern[str], ...]

    def fits(self, before: str, after: str) -> bool:
        here = any(form.search(before) for form in self.before) and any(form.match(after) for form in self.after)
        return here and not any(form.match(after) for form in self.never)


def _form(
    kind: NameUse, *before: str, after: str | tuple[str, ...] = "(?!'s)", never: tuple[str, ...] = ()
) -> NamePlace:
    return NamePlace(
        kind,
        tuple(re.compile(rf"(?:{one})$", re.IGNORECASE) for one in before or ("",)),
        tuple(re.compile(one, re.IGNORECASE) for one in ((after,) if isinstance(after, str) else after)),
        tuple(re.compile(one, re.IGNORECASE) for one in never),
    )


#: The first that fits is what a name is in its place.
_FORMS: Final = (
    _form("unwanted", r"\b(?:not|never|without|except|instead of|rather than|any(?:one|body) but|enough of)(?: you,?)?"),
    _form("unwanted", r"\b(?:don't|do not|not|never)(?: \w+)? to \w+ (?:to|with)", r"\bno", after=r"(?: please)?\W*$"),
    _form("none", *(rf"(?:{told}) {fetch}" for told in _TOLD_OF for fetch in _FETCH)),
    # asked for
    _form("asked", "@", *(rf"\b{fetch}(?: (?:me|us|over|back))?" for fetch in _FETCH), "company of"),
    _form("asked", r"\b(?:over|back|on|through) to", r"\bput (?:it|this|that) to", r"\b(?:word|chat|talk|moment|minute|drink|question) with"),
    _form("asked", r"\bi(?:'d| would) (?:like|love|prefer)", r"\bi (?:want|need|prefer|came for|mean|meant)", r"\bi'd rather (?:have|hear)"),
    _form("asked", r"\bcould (?:use|do with)", r"\b(?:can|could|may) (?:i|we) (?:have|see)"),
    _form("asked", r"\bi(?:'m| am)? (?:here|came|come|stopped by|hop\w+|wait\w+) (?:\w+ )?(?:for|to (?:see|find|catch|meet|hear))"),
    _form("asked", r"\b(?:like|want|need|with|fancy|hear|give me|for) (?:\w+ )?(?:one|some|another) of", after=""),
    _form("asked", after=r"(?:'s| is) the (?:one|person|man|woman|lady) (?:for|to (?:ask|tell))\b"),
    _form("asked", r"\bi said", after=(",? ?not\\b", _STOP)),
    _form("asked", r"\b(?:turn|switch)", after=r"on\b"),
    _form("asked", r"\b(?:mit|con|avec|à|med)(?: (?:dem|der|eurem|eurer))?", after=""),
    _form("asked", r"\b(?:i'm|i was|was|am) (?:just )?(?:talking to|speaking to|asking|looking for)", after=_STOP),
    _form("asked", r"\b(?:question|something|(?<!and )one|one's|message|this|this is|that(?:'s| was| is)?|job|news|riddle)(?: is| was| meant)? for", after=""),
    # spoken to at the beginning
    _form("spoken_to", _START, never=_OF_THEM, after=""),
    _form("spoken_to", _START, after=r"is it\b"),
    # wondered about: what they would say, and whether they are here
    _form("wondered", after=r"'s (?:opinion|view|take|verdict|advice|word|thoughts?|help|company)\b"),
    _form("wondered", _START, after=r"(?:would|will|must|should|might|could) (?!be\b)\w"),
    _form("wondered", rf"\b{any_of('can, could, will, would, may, might, must, should, maybe, perhaps')}", r"\b(?:ca|could|wo)n't", after=r"(?!be\b)\w"),
    _form("wondered", r"\bonly", after=r"c(?:an|ould)\b"),
    _form("wondered", after=rf"'s {_HERE},? (?:is|isn't) (?:he|she|it)\b"),
    _form("wondered", r"\bdo(?:es)?", after=rf"(?:{_VIEW}|take|add|count|print|work|(?:ever )?(?:talk|speak|sing|listen|answer|say any\w+))\b"),
    _form("wondered", r"\bdo(?:es)?", after=r"have (?:an?|any|some) (?:\w+ )?(?:story|word|opinion|view|idea|thoughts?|advice|wisdom|time|minute|moment|joke)\b"),
    _form("wondered", r"(?<!what )\bdo(?:es)?", after=r"do \w"),
    _form("wondered", r"\b(?:what|how|if|whether|bet|think|sure|wonder)", after=r"(?:would|will|might|thinks|says|makes|reckons|wrote down|noted|has (?:to say|something to say|an?)|is (?:free|awake|about))\b"),
    _form("wondered", r"\b(?:is|are|isn't)", after=(_HERE, r"sat\b", r"sitting\b")),
    _form("wondered", r"\b(?:if|when|while)", after=rf"(?:'s|is)(?: not)? {_HERE}"),
    _form("wondered", r"\bwhere(?:'s| is| are| has)", r"\b(?:maybe|perhaps)", after=r"(?:tonight|when|gone|hiding|now|then|at|got|been|sitting)\b|\W|$"),
    _form("wondered", r"\bis (?:that|this|it|there|he|she)(?: you,?)?", r"\bany(?:one|body) seen"),
    _form("wondered", r"\b(?:what|how) about", r"\b(?:there's|there is|you have|you've got)(?: an?| the)?", after=rf"(?:(?:in|here|about|around)\b ?){{0,2}}{_STOP}"),
    _form("wondered", r"\b(?:that|this|the)", after=r"(?:guy|fellow|chap|person|bloke)\s?\?"),
    # spoken to at the end
    _form("spoken_to", _ASKED_FROM, r"^\W*(?:did you )?(?:hear|see|get|catch|like) that,?", after=_STOP),
    _form("none", *_OBJECT, after=_STOP),
    _form("spoken_to", r"\S", after=_STOP),
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
        kind: NameUse = next((form.kind for form in _FORMS if form.fits(before, after)), "none")
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
