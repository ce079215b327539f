"""What somebody takes back a word of, as they would have said it with the right one: *Friday. No wait, Monday.*"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from greenroom.text.stems import STOP, stem, telling, words

_COUNT = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
    r"(?:[- ]\w{3,5})?|hundred"
)
ORDINAL: Final = r"\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\w{3,8}(?:te?enth|tieth|lfth)"
#: Words of one kind, of which one may be put in another's place.
KINDS: Final = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tonight|tomorrow|yesterday",
        r"january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter",
        ORDINAL,
        rf"\d+(?:[:.]\d+)?|{_COUNT}",
    )
)
#: The same for names, which only their capital tells.
NAME: Final = re.compile(
    r"(?<![.!?] )(?<!^)\b(?!I\b|\w+day\b|January|February|March|April|May\b|Ju(?:ne|ly)|August|\w+ber\b)[A-Z]\w+"
)
_IS_NAME: Final = re.compile(r"^[A-Z]\w+$")
_MARK: Final = re.compile(
    r"^(?:(?:oh|ah|um+|er+|well|but|no|nope|nah|sorry|wait|hang on|actually|correction|i mean(?:t)?(?: to say)?|make that|scratch that|"
    r"forgive me|excuse me|pardon(?: me)?|my mistake|or rather|rather|that'?s wrong)\b[,.:!]*\s*){1,4}(?=\w)",
    re.IGNORECASE,
)
#: Only these take something back by themselves.
_TAKES_BACK: Final = re.compile(
    r"\b(?:no|nope|nah|sorry|wait|correction|mean|meant|make that|scratch|forgive|excuse|pardon|mistake|rather|wrong|actually)\b",
    re.IGNORECASE,
)
_BREATH: Final = re.compile(
    r"(?:,| [-–—]|\.\.+|…)\s+(?=(?:no|sorry|wait|i mean|make that|or rather|scratch that)\b[, ])", re.IGNORECASE
)
_FIRST: Final = re.compile(r"[,;:.!]")
#: Words of a clause that may be no more than the right word.
MOST_WORDS = 6
#: So many sentences back somebody may be correcting.
MOST_BACK = 4


class Correction(NamedTuple):
    """What is right, what of the same kind was wrong where that was said too, and what else the sentence says."""

    right: str
    wrong: str
    kind: re.Pattern[str]
    rest: str
    #: What else the correction speaks of: "room" in "make that room 19".
    about: frozenset[str] = frozenset()

    def of(self, text: str) -> str | None:
        """A text with the right word in it; None where it has no other to put it for, or is about something else."""
        if self.about and self.about.isdisjoint(telling(text)):
            return None
        found = [one for one in self.kind.finditer(text) if one.group().casefold() != self.right.casefold()]
        if self.wrong:
            found = [one for one in found if one.group().casefold() == self.wrong.casefold()]
        return None if not found else f"{text[: found[-1].start()]}{self.right}{text[found[-1].end() :]}"


def correction(sentence: str) -> Correction | None:
    """What a sentence corrects; None if it corrects nothing."""
    mark = _MARK.match(sentence)
    if mark is None or not _TAKES_BACK.search(mark.group()):
        return None
    said = sentence[mark.end() :]
    first, rest, *_ = (*_FIRST.split(said, maxsplit=1), "")
    if len(first.split()) > MOST_WORDS:
        return None
    for kind in KINDS:
        if found := kind.search(first):
            wrong = kind.search(rest) if re.match(r"\s*not\b", rest) else None
            about = f"{first[: found.start()]} {first[found.end() :]}"
            return Correction(
                found.group(), wrong.group() if wrong else "", kind, "" if wrong else rest.strip(), _about(about)
            )
    return Correction(first, "", NAME, rest.strip()) if _IS_NAME.match(first) else None


def _about(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if word not in _SMALL)


_SMALL: Final = STOP.union(words("o clock make say said meant mean think last next only actually"))


def mended(apart: Sequence[str]) -> list[str]:
    """Sentences as they would stand if nobody had had to correct them; what only corrects is empty then."""
    found: list[str] = []
    for sentence in apart:
        first, *later = _BREATH.split(sentence, maxsplit=1)
        breath = [first]
        rest = _put(breath, later[0]) if later else _put(found, sentence)
        if later:
            found.append(sentence if rest is None else ", ".join(filter(None, (*breath, rest))))
        else:
            found.append(sentence if rest is None else rest)
    return found


def _put(before: list[str], piece: str) -> str | None:
    """Correct the newest of some sentences that can be; what else the correction says, None if it corrects none."""
    said = correction(piece)
    for i in range(len(before) - 1, max(-1, len(before) - 1 - MOST_BACK), -1) if said else ():
        if said is not None and (right := said.of(before[i])) is not None:
            before[i] = right
            return said.rest
    return None


__all__ = ["KINDS", "NAME", "ORDINAL", "Correction", "correction", "mended"]
