"""What kind of thing a question asks for - a number, a time, a place, a person, a reason - and who has it to give."""

from __future__ import annotations

import re
from typing import Final

from greenroom.adapters.facts.patterns import WHO
from greenroom.text.stems import telling

_NUMBER = (
    r"\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|"
    r"eighty|ninety|hundred|dozen|half|twice|years?|weeks?|months?"
)
_TIME = (
    r"\d+|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tonight|tomorrow|yesterday|noon|midnight|morning|evening|"
    r"afternoon|night|dawn|dusk|january|february|march|april|may|june|july|august|september|october|november|december|"
    r"spring|summer|autumn|winter|christmas|easter|o'clock|week|month|year|first|second|third|\w+th|ago|soon"
)
#: What a question of each form wants to stand in its answer.
_EXPECTS: Final = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(held))
    for asked, held in (
        (r"\bwhat (?:does|do|did) (?!i\b).*\bdo\W*$|\b(?:'s|s|his|her|their) (?:job|work|trade|profession)\b",
         r"(?i)(?:\b(?:is|was|are|am)|'s|'m) (?:an? |on )\w|\b(?:works?|worked|sells?|sold|runs?|ran|drives?|teach\w*|taught|keeps?|kept|owns?)\b|\bjob\b"),
        (r"\bwhat\b.*(?:\b(?:used to|did (?!i\b)\w+(?: \w+)?|does (?!i\b)\w+|would \w+) (?:say|tell|think)|'?s words|(?:his|her|their) words)\b",
         r"(?i)\b(?:said|says|told|thinks?|thought|calls?|called|reckons?|shout\w*|maintain\w*|wrote|swears?)\b"),
        (r"\bhow long\b", rf"(?i)\b(?:{_NUMBER}|{_TIME}|until|till?|for ever|always)\b"),
        (r"\bhow (?:old|many|much|far|often)\b|\b(?:what|which) (?:age|number)\b|\bmy age\b", rf"(?i)\b(?:{_NUMBER})\b"),
        (r"\bwhen\b|\b(?:what|which) (?:time|day|date|month|year)\b", rf"(?i)\b(?:{_TIME})\b"),
        (r"\bwhere(?:abouts)?\b|\b(?:what|which) (?:city|town|country|place|island|village|port|harbour|street)\b",
         r"\b(?:in|at|from|to|of|near|on|aus|nach|bei|à|en|de) (?:the |a |my )?\w|[a-z,] [A-Z]\w+"),
        (r"\bwho(?:se|m|'s)?\b", rf"(?:[a-z,] [A-Z]\w+)|(?i:\b(?:{WHO})\b)"),
        (r"\bwhy\b|\bhow come\b", r"(?i)\b(?:because|cos|since|so that|so (?:i|we|he|she|they)|to (?!be\b)\w{3,}|gives?|makes?|made|after|thanks to)\b"),
    )
)  # fmt: skip

_FORMS = """
sold>sell went>go gone>go took>take taken>take saw>see seen>see left>leave gave>give given>give lost>lose
bought>buy made>make came>come ate>eat eaten>eat grew>grow flew>fly wrote>write written>write brought>bring
thought>think taught>teach found>find kept>keep slept>sleep met>meet built>build broke>break broken>break
fell>fall rang>ring sang>sing swam>swim drove>drive rode>ride wore>wear won>win ran>run began>begin sent>send
paid>pay caught>catch drank>drink sank>sink drew>draw died>die dead>die bro>brother sis>sister mum>mother
mom>mother dad>father gran>grandmother kid>child kids>child children>child daughter>daughter hubby>husband
job>work trade>work profession>work wedding>marry married>marry marries>marry bday>birthday
bit>bite bitten>bite scared>afraid terrified>afraid frightened>afraid fear>afraid wk>week
"""
#: Past forms that no ending tells, and other words for the same.
_BASE: Final = {form: base for form, _, base in (pair.partition(">") for pair in _FORMS.split())}
_WORD = re.compile(r"[^\W_]+")
_NOT = re.compile(r"\b(?:do|does|did|is|are|was|were|has|have|had|ca|wo|would|could|should)n['’]?t\b", re.IGNORECASE)
_LIVING = re.compile(r"\b(?:for|earn|make) (?:a|my|your) living\b", re.IGNORECASE)
#: Past forms by their verbs: of several the first.
_PAST: Final = {
    "have": "had", "do": "did", "say": "said", "tell": "told", "get": "got", "know": "knew", "speak": "spoke", "put": "put", "hear": "heard",
    "see": "saw", "go": "went", "eat": "ate", "be": "was", "knit": "knitted",
    "stand": "stood", "sit": "sat", "teach": "taught", "hide": "hid", "wear": "wore", "begin": "began", "feel": "felt", "hold": "held",
    **{base: form for form, base in reversed(_BASE.items()) if base not in ("work", "marry", "afraid", "child", "mother", "week")},
    "die": "died", "marry": "married",
}  # fmt: skip


def past_of(verb: str) -> str:
    """The past of a verb."""
    small = verb.lower()
    if small in _PAST:
        return _PAST[small]
    if small.endswith("e"):
        return f"{verb}d"
    return f"{verb[:-1]}ied" if small.endswith("y") and small[-2:-1] not in "aeiou" else f"{verb}ed"


def expected(question: str, text: str) -> bool | None:
    """Whether a text holds the kind of thing that a question asks for; None where any kind will do."""
    for asked, held in _EXPECTS:
        if asked.search(question):
            return bool(held.search(text))
    return None


def told_terms(text: str) -> frozenset[str]:
    """The telling terms of a text; words that mean the same in another form count as one."""
    text = _LIVING.sub("work", _NOT.sub(" ", text))
    return frozenset(telling(_WORD.sub(lambda word: _BASE.get(word.group().casefold(), word.group()), text)))
