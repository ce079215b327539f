# ruff: noqa: E501  a form of a sentence, or a list of words, is one line
"""Who is named or described: the six by their names however they are spelt, by trade, and by where they sit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from greenroom.worlds.bar.rules.state import AGENTS, Agent

NAMES = "|".join(AGENTS)

#: How the names are typed, and what else they answer to.
SPELT: Final[Mapping[Agent, str]] = {
    "bart": r"bar(?:ty|tie|tholomew)",
    "blanca": r"(?:blan(?:k|ch|cc|kk)a|bian[ck]a)",
    "hermes": r"(?:h?erm(?:[eéè]+s+|is|s|ies|ez|us)|herman(?: moen)?)",
    "bernie": r"(?:ber+n+(?:y|ey|i|ei|ies)|bern|bernt|barnie)",
    "jb": r"(?:j\.? ?b\.?(?!\w)|j[ -]?bee|jay ?bee?|johanne)",
    "bukowski": r"(?:b[uo]+[ck]+[ou]?[wv]+sk(?:i|y|ie|ii)|buko?|chinaski)",
}
_PERSON = r"(?:person|m[ae]n|woman|lady|lass|girl|boy|guy|fella|fellow|bloke|chap|gentleman|dude|grand(?:father|pa|dad)|one|thing|machine|device|box|gadget)"
#: The six by their trade, and by where they sit or what they did.
_KNOWN_BY: Final[Mapping[Agent, tuple[str, str]]] = {
    "bart": (r"bar ?m[ae]n|bar ?tender|bar ?keep(?:er)?|publican|landlord|inn ?keeper", r"(?:behind|at) the (?:bar|counter)"),
    "blanca": (rf"bouncer|door ?(?:wo)?man|door ?keeper|nurse|security|moderator|door ?{_PERSON}", r"(?:at|by|on) the door(?! of)|(?:has|minds|keeps) the door"),
    "bernie": (rf"bus[ -]?(?:driver|{_PERSON})|optimist|third stool|(?:(?:nice|kind|friendly) old|cheerful|happy|jolly|optimistic) {_PERSON}", r"on the third stool|who drove the bus"),
    "hermes": (rf"shrink|head ?doctor|psychologist|psychiatrist|therapist|counsell?or|(?:post|mail)man|messenger|old[ -]?timer|(?:wise |old )+{_PERSON}",
               r"(?:by|near|at|with) the (?:stove|fire)|who (?:used to )?carr(?:ied|y) (?:the )?(?:letters|post|mail)"),
    "jb": (rf"pedant|(?:wine|grammar|language|dictionary|spelling|word) (?:{_PERSON}|nerd|snob|expert|police)|(?:sub-?)?editor|newspaper ?{_PERSON}|singer|crooner",
           r"(?:in|at) the corner(?: table)?|with the (?:red )?(?:wine|pencil|pen)|from the (?:news)?paper|who corrects \w+"),
    "bukowski": (rf"(?:brass|metal|adding|calculating|talking) {_PERSON}|(?:brass )?contraption|machine|ledger|poet|calculator(?: thing)?", r"at the end of the counter"),
}  # fmt: skip
_DET = r"(?<!\bmy )\b(?:the|that|your|our|this)(?: friend)?(?: (?!(?:coffee|washing|slot|vending|sewing|time|other|next|head|lead)\b)\w+)?"
_WHO = rf"(?:{_DET}|madam(?: the)?) {_PERSON}|\b(?:some|any)(?:one|body)|\bwho(?:ever)?(?:'s| is)?|\byou(?:,? (?:over )?there)?,?|\bmadam"
#: Not one of the six: *the nurse at the hospital*.
_ELSEWHERE = r"(?! (?:at|of|in|from|on) (?:the(?! bar\b| counter\b)|my|our|a|an|work|school)\b| next door)"
#: What hails somebody, and what else stands before their name and is not said of them.
HAIL = r"(?:hey|hi|hiya|hello|ok|okay|yo|oi|so|and|but|well|now|then|there|oh|ah|right|look|listen|wait|you|please|excuse me|madam|sir|grandpa|my)"
OPENING = rf"(?:{HAIL}|anyway|alright|no|yes|yeah|honestly|seriously|tell me|come on|go on|good|great|evening|morning|night|goodnight|thanks|thank you|cheers|bye|sorry|enough|quiet)"
_TITLE: Final = re.compile(rf"\b(?:mr|mister|mrs|ms|miss)\.? (?=(?:{NAMES})\b)", re.IGNORECASE)
_NAMED: Final = tuple((agent, re.compile(rf"\b{form}\b", re.IGNORECASE)) for agent, form in SPELT.items())
_DESCRIBED: Final = tuple(
    (agent, re.compile(form, re.IGNORECASE))
    for agent, (trade, place) in _KNOWN_BY.items()
    for form in (
        rf"{_DET} (?:{trade})\b(?: {_PERSON})?(?: (?:{place})\b)?{_ELSEWHERE}|(?:{_WHO}) (?:{place})\b",
        rf"\b(?<=is there )an? (?:{trade})\b",
        # without an article only where they are spoken to
        rf"(?:(?<=^)|(?<=[.!?] ))(?P<lead>(?:{OPENING}\b[\s,]{{1,3}}){{1,5}})(?:{trade})\b(?=\s?(?:[,.!?:;–—-]|$|(?:what|how|can|do|is|are|you|where|another|give|pour|tell)\b))",
        rf"(?<=, )(?:{trade})(?=\s?[?!.]\s?$)|(?:(?<=^)|(?<=[.!?] ))(?:{trade})(?: {_PERSON})?(?=\s?[!?:]|[.,] (?:.{{0,80}}\?|.{{0,80}}\byour?\b|an?\b|another|one|same|over|what|how)\b|, (?:pour|give|tell|add|note|show|take|bring|come|look|help)\b)",
    )
)  # fmt: skip


# One message is looked at a dozen times in a turn.
@lru_cache(maxsize=64)
def by_name(text: str) -> str:
    """The same with the names of those who are called by what they are, or by a name that is not quite theirs."""
    for agent, form in _NAMED:
        text = form.sub(agent, text)
    text = _TITLE.sub("", text)
    for agent, form in _DESCRIBED:
        text = form.sub(rf"\g<lead>{agent}" if "lead" in form.groupindex else agent, text)
    return text


def spoken_of(text: str) -> tuple[Agent, ...]:
    """Those who are named in a text, called or not; the first first."""
    return tuple(dict.fromkeys(named_in(by_name(text))))


def named_in(text: str) -> list[Agent]:
    """Each name as it comes, in a text that says everybody by name."""
    found = re.findall(rf"\b(?:{NAMES})\b", text.casefold())
    return [agent for name in found for agent in AGENTS if agent == name]
