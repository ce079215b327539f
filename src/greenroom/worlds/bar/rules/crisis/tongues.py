# ruff: noqa: RUF001  other languages have other letters
"""Which language something is said in, as far as its letters and small words tell; ``en`` where nothing does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

_SCRIPTS: Final[Mapping[str, re.Pattern[str]]] = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
}
#: Small words of each, of which two are enough, or one of those that no other has.
_WORDS: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    name: (frozenset(small.split()), frozenset(own.split()))
    for name, (small, own) in {
        "de": (
            "ich mich mir nicht mehr und das leben will nur kann bin ist zu kein keine",
            "ich mich nicht möchte sterben umbringen",
        ),
        "fr": (
            "je me mourir plus veux vivre en finir tuer la vie pas suis ne mon ma à",
            "je veux vais suis j'ai n'ai mourir",
        ),
        "es": (
            "quiero me morir no más vivir mi vida voy a matar que ya seguir con",
            "quiero quitarme matarme morirme vivir",
        ),
        "pt": ("quero me morrer não mais viver minha vida vou matar eu com isso", "não quero morrer minha vou"),
        "it": (
            "voglio morire non più vivere mi la mia vita uccidermi farla finita",
            "voglio morire uccidermi più vorrei",
        ),
        "nl": ("ik wil niet meer leven dood een einde aan maken mijn ga er", "ik wil niet dood zelfmoord"),
        "no": ("jeg vil ikke leve mer dø orker livet mitt ta meg å lenger", "jeg orker ikke dø lenger"),
        "da": ("jeg vil ikke leve mere dø livet mit tage mig ikke længere at", "længere mere mig tage"),
        "sv": ("jag vill inte leva mer dö orkar livet mitt ta mig att längre", "jag inte dö orkar längre"),
        "fi": ("haluan kuolla en halua elää enää itseni tappaa jaksa minä että", "haluan kuolla enää elää tappaa en"),
        "pl": ("chcę umrzeć nie już żyć się zabić mam dość życia sobie", "chcę umrzeć się żyć zabić"),
        "tr": (
            "ölmek istiyorum artık yaşamak istemiyorum kendimi öldürmek bir ben",
            "istiyorum istemiyorum ölmek artık kendimi",
        ),
        "id": (
            "saya aku ingin mati tidak mau hidup lagi bunuh diri mengakhiri",
            "saya aku ingin mati bunuh diri tidak",
        ),
        "cs": ("chci umřít už nechci žít se zabít", "chci umřít nechci"),
        "hu": ("meg akarok halni nem élni többé", "akarok halni élni"),
        "ro": ("vreau să mor nu mai trăiesc", "vreau să trăiesc"),
        "en": ("i the to and my you it is a of in not me want do am don't for that this was", "the and my you"),
    }.items()
}
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def language_of(text: str) -> str:
    """The two letters of a language."""
    for name, script in _SCRIPTS.items():
        if len(script.findall(text)) >= 2:
            return name
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    scores = {
        name: sum(word in small for word in words) + sum(word in own for word in words)
        for name, (small, own) in _WORDS.items()
    }
    best = max(scores, key=lambda name: (scores[name], name == "en"))
    return best if scores[best] > scores["en"] and scores[best] >= 2 else "en"


#: Small words that hardly any other language has.
_ENGLISH: Final = re.compile(
    r"\b(?:the|you|your|my|and|we|what|how|have|don't|this|that|with|about|of|there|who|please|thanks|just|talk|sorry)\b",
    re.IGNORECASE,
)


def language_among(texts: Iterable[str]) -> str:
    """The language of somebody who said these, newest first: that of the first in which it shows."""
    for text in texts:
        if (found := language_of(text)) != "en" or _ENGLISH.search(text):
            return found
    return "en"


__all__ = ["language_among", "language_of"]
