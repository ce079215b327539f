"""Sentences: patterns of content matched with what was said, and what may be stored of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

#: So many words in a row that stand in a message are a quotation.
RUN = 5
#: What a wildcard stands for: no more than a long sentence, so that several of them do not multiply.
WILD = r"(.{0,200}?)"
#: A stored sentence is not longer.
MOST = 160

_WORD = re.compile(r"\w+")
_APOSTROPHES = str.maketrans("", "", "'’‘`")
_ENDS = re.compile(r"(?<=[.!?…])\s+|\n+")
_FIRST_PERSON = frozenset({"i", "im", "ive", "ill", "id", "me", "my", "mine", "myself"})


def tokens(text: str) -> list[str]:
    """Words without case, apostrophes and punctuation."""
    return list(_tokens(text))


# One message is read a dozen times, for one thing after another.
@lru_cache(maxsize=256)
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold().translate(_APOSTROPHES)))


def split(text: str) -> list[str]:
    """The sentences of a text."""
    return list(_split(text))


@lru_cache(maxsize=4)
def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in _ENDS.split(text) if part.strip())


@lru_cache(maxsize=2048)
def _compiled(pattern: str) -> tuple[str, re.Pattern[str]]:
    """The longest piece of a pattern that stands in it as it is, and the whole of it."""
    plain = [" ".join(tokens(part)) for part in pattern.split("*")]
    parts = _padded([re.escape(part) for part in plain])
    return max(plain, key=len), re.compile(r"(?<!\S)" + WILD.join(parts) + r"(?!\S)")


def _padded(parts: Sequence[str]) -> Iterable[str]:
    """A wildcard takes the space beside it, so that it may stand for nothing."""
    last = len(parts) - 1
    for i, part in enumerate(parts):
        before = r"(?:(?<=\s)|(?<!\S))" if i and part else ""
        after = r"(?:\s|(?!\S))" if i < last and part else ""
        yield before + part + after


def match(pattern: str, text: str) -> str | None:
    """What the wildcards of a pattern stand for in a text that has it somewhere; None if it has not."""
    return match_tokens(pattern, " ".join(tokens(text)))


def match_tokens(pattern: str, text: str) -> str | None:
    piece, form = _compiled(pattern)
    found = form.search(text) if piece in text else None
    if found is None:
        return None
    rest = text[found.end() :] if pattern.rstrip().endswith("*") else ""
    return " ".join([*(part.strip() for part in found.groups() if part.strip()), *rest.split()]).strip()


def spoken(text: str) -> list[str]:
    """The sentences of a text, as patterns are held against them: words alone."""
    return [" ".join(tokens(sentence)) for sentence in split(text)]


def stands_in(patterns: Iterable[str], *said: str) -> bool:
    """Whether one of some patterns or phrases stands in one of some texts of tokens, word by word."""
    return any(match_tokens(pattern, text) is not None for pattern in patterns for text in said)


# numbers

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_ONES = {name: n for n, name in enumerate(_UNITS)}
_DECADES = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TENS = {name: 10 * n for n, name in enumerate(_DECADES, 2)}
_DIGITS = re.compile(r"\d{1,3}(?:[,.’' ]\d{3})+(?!\d)|\d+")


def numbers(text: str) -> set[int]:
    """The whole numbers of a text, however they are written: 3200, 3,200, three thousand two hundred."""
    found = {int(re.sub(r"\D", "", match)) for match in _DIGITS.findall(text)}
    return found | set(_spelled(tokens(text)))


def _spelled(words: Iterable[str]) -> Iterable[int]:
    """Numbers in words, each as long as its words go on."""
    whole, part, open_ = 0, 0, False
    for word in (*words, ""):
        if word in _ONES or word in _TENS:
            part, open_ = part + _ONES.get(word, 0) + _TENS.get(word, 0), True
        elif word == "hundred" and open_:
            part = max(1, part) * 100
        elif word == "thousand" and open_:
            whole, part = whole + max(1, part) * 1000, 0
        elif word != "and" and open_:
            yield whole + part
            whole, part, open_ = 0, 0, False


def runs(text: str, length: int = RUN) -> set[tuple[str, ...]]:
    """Every run of so many words."""
    words = tokens(text)
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def quotes(sentence: str, body: str) -> bool:
    """Whether a sentence repeats five words in a row of a body, or the whole of a shorter one."""
    said = tokens(body)
    length = min(RUN, len(said))
    return bool(said) and length > 2 and not runs(sentence, length).isdisjoint(runs(body, length))


def storable(sentence: str, bodies: Iterable[str], *, otherwise: str) -> str:
    """The sentence if it may stand in a table: third person, short, and no quotation. Else a plain one."""
    sentence = " ".join(sentence.split())
    if not sentence or len(sentence) > MOST or _FIRST_PERSON & set(tokens(sentence)):
        return otherwise
    return otherwise if any(quotes(sentence, body) for body in bodies) else sentence


def unaddressed(text: str, name: str) -> str:
    """A message without the name of whoever is spoken to by it, as in "Dear Miro"; unless that is all of it."""
    left = _vocative(name.casefold()).sub("", text).strip()
    if left == text.strip() or not any(char.isalpha() for char in left):
        return text
    return f"{left[:1].upper()}{left[1:]}"


@lru_cache(maxsize=32)
def _vocative(name: str) -> re.Pattern[str]:
    called = rf"(?:(?:my|dear|darling|mr|mrs|miss|ms)\.? ){{0,2}}{re.escape(name)}\b"
    return re.compile(
        rf"^(?:(?:hello|hi|hey|hola|omg|oh) ){{0,2}}{called}[,.:!]* ?|(?:, ?|(?<=\w) ){called}(?=[,?!.])", re.IGNORECASE
    )
