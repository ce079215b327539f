"""A sentence turned to whoever said it: I becomes you, my becomes your."""

from __future__ import annotations

import re
from typing import Final

_TURNED: Final = {
    "i": "you", "i'm": "you're", "im": "you're", "i've": "you've", "ive": "you've", "i'd": "you'd", "i'll": "you'll",
    "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "am": "are", "we": "you",
    "we're": "you're", "we've": "you've", "we'll": "you'll", "we'd": "you'd", "us": "you", "our": "your", "ours": "yours",
    "ourselves": "yourselves", "you": "I", "your": "my", "yours": "mine", "you're": "I'm", "you've": "I've",
    "yourself": "myself", "you'll": "I'll", "you'd": "I'd",
}  # fmt: skip
#: A word, but for the *am* of an hour.
_WORD = re.compile(r"(?<!\d)(?!(?<=\d )am\b)[A-Za-z]+(?:'[A-Za-z]+)?")
_LEADING = re.compile(
    r"^(?:(?:(?:oh|well|so|and|but|no(?=,| (?:it|we|my|i|i'm|it's|she|he|they)\b)|yes|actually|no wait|wait|ok|okay|sorry|by the way|anyway|then|omg|um+|uh|ugh|lol)\b,?|"
    r"(?:hi|hey|hello|hiya|hola|evening|morning)(?: there| again)?\b[,!]?(?= (?:i|i'm|im|my|we|it's|the|a)\b))\s+)+",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r",? \b(?:btw|by the way|tbh|lol|haha|if you please|can you imagine|would you believe(?: it)?|you know|believe me)\b(?=[.,!;?]|$)",
    re.IGNORECASE,
)
_WAS = re.compile(r"\byou was(?=n't\b|\b)")
_I_ARE = re.compile(r"\bI are\b")
#: *I* where it is nobody's subject: after a verb that somebody else does to me, or after a verb or a preposition, with no
#: verb of its own behind it.
_TO_I: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"\b(gives?|gave|makes?|made|asks?|asked|tells?|told|sends?|sent|brings?|brought|shows?|showed|taught|stops?|stopped|"
        r"keeps?|kept|helps?|helped|scares?|scared|reminds?|reminded|owes?|visits?|visited|left|hurts?) I\b",
        r"\b(for|with|than|from|like|to|at|of|off|after|about|without|behind|beside|around) I\b",
        r"(\w) I(?=$|[,.;]| (?:an?|the|for|to|at|in|on|of|with|about|and|because|so|some|something|my|become|back|up|down|off)\b)",
    )
)


def to_you(sentence: str) -> str:
    """The sentence as its hearer says it back, without its end mark; capitals of names stay."""
    text = _ASIDE.sub("", _LEADING.sub("", sentence.replace("’", "'").strip()).strip(" .!;,"))
    turned = _WORD.sub(_turn, text)
    turned = _I_ARE.sub("I am", _WAS.sub("you were", turned))
    for form in _TO_I:
        turned = form.sub(r"\1 me", turned)
    return _lowered(turned)


def _turn(match: re.Match[str]) -> str:
    word = match.group()
    if word.isupper() and len(word) > 1:
        return word
    return _TURNED.get(word.casefold(), word)


def _lowered(text: str) -> str:
    """Without the capital that only the beginning of the sentence gave it."""
    first = text.split(" ", 1)[0] if text else ""
    if first.casefold() in _SMALL:
        return text[0].lower() + text[1:]
    return text


_SMALL_WORDS = """
he she it they his her its their the a an this that these those there here we in on at for with when then it's he's
she's they're after before last next sometimes never always tomorrow today tonight yesterday if because somebody
someone nobody you you're your you've you'll you'd
"""
_SMALL: Final = frozenset(_SMALL_WORDS.split())
