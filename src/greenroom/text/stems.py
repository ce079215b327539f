"""Text to terms: words without case, accents and endings. The endings go by Porter's algorithm of 1980.

Written here because the kernel needs nothing but the standard library and every back-end must cut words the same way;
a test compares the result with SQLite's own ``porter`` tokenizer, word by word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_SMALL = """
a about after all also am an and any are as at be been being both but by can could did do does doing done for from get
got had has have having he her hers him his how i if in into is it its itself just like ll may me might more most much
must my no nor not of off on one or other our out over own re s same she should so some such t than that the their them
then there these they this those through to too up us ve very was we were what when where which while who whom whose why
will with would you your yours d m yes oh hey wow
"""
#: Words that say nothing about what a sentence is about.
STOP = frozenset(_SMALL.split())

#: Longer ones are cut: nothing that people say is, and nobody shall fill the index with one word.
LONGEST_WORD = 40
#: Characters that one may come apart into, on average over a text.
MOST_GROWTH = 3

_WORD = re.compile(r"[^\W_]+")
#: Scripts that do not put spaces between words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def words(text: str) -> list[str]:
    """The words of a text in order, folded but with their endings."""
    if text.isascii():
        return _WORD.findall(text.lower())
    return list(_folded(text))


# One text is read several times in a turn, and one that comes apart is dear.
@lru_cache(maxsize=16)
def _folded(text: str) -> tuple[str, ...]:
    # A character may come apart into eighteen. Of what grows so much, the rest is no word that anybody looks for.
    apart = unicodedata.normalize("NFKD", text.casefold())[: MOST_GROWTH * len(text)]
    plain = "".join(c for c in apart if not unicodedata.combining(c))
    return tuple([part for word in _WORD.findall(plain) for part in _split(word)])


def _split(word: str) -> Iterator[str]:
    """Runs of an unspaced script as overlapping pairs, everything else as it is."""
    end = 0
    for run in _UNSPACED.finditer(word):
        if run.start() > end:
            yield word[end : run.start()]
        found = run.group()
        yield from (found[i : i + 2] for i in range(max(len(found) - 1, 1)))
        end = run.end()
    if end < len(word):
        yield word[end:]


def terms(text: str) -> list[str]:
    """The terms of a text in order."""
    return [stem(word[:LONGEST_WORD]) for word in words(text)]


def telling(text: str) -> list[str]:
    """The terms of a question that say what it is about, each once; all of them if none does."""
    found = list(dict.fromkeys(words(text)))
    chosen = [word for word in found if word not in STOP] or found
    return list(dict.fromkeys(stem(word[:LONGEST_WORD]) for word in chosen))


# Porter's steps. ``m`` counts the vowel-consonant sequences of a stem.

_VOWELS = "aeiou"


def _pairs(table: str) -> tuple[tuple[str, str], ...]:
    return tuple((ending, other) for ending, _, other in (pair.partition(">") for pair in table.split()))


_DOUBLE = _pairs(
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize "
    "ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble logi>log"
)
_TRIPLE = _pairs("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
#: What is cut off a long stem; of "sion" and "tion" only the "ion".
_LAST = _pairs(
    "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> sion>s tion>t ou> ism> ate> iti> ous> ive> ize>"
)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A folded word without its ending. Only plain letters have endings; anything else stays as it is."""
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _DOUBLE)
    word = _replace(word, _TRIPLE)
    return _tidy(_drop_last(word))


def _is_consonant(word: str, i: int) -> bool:
    if word[i] == "y":
        return i == 0 or not _is_consonant(word, i - 1)
    return word[i] not in _VOWELS


def _m(stem_: str) -> int:
    count, after_vowel = 0, False
    for i in range(len(stem_)):
        consonant = _is_consonant(stem_, i)
        count += consonant and after_vowel
        after_vowel = not consonant
    return count


def _has_vowel(stem_: str) -> bool:
    return any(not _is_consonant(stem_, i) for i in range(len(stem_)))


def _doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _short(word: str) -> bool:
    """Ends consonant, vowel, consonant, and the last is not w, x or y."""
    n = len(word)
    return (
        n > 2
        and _is_consonant(word, n - 1)
        and not _is_consonant(word, n - 2)
        and _is_consonant(word, n - 3)
        and word[-1] not in "wxy"
    )


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _m(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _has_vowel(word[: -len(ending)]):
            return _mend(word[: -len(ending)])
    return word


def _mend(cut: str) -> str:
    if cut.endswith(("at", "bl", "iz")):
        return cut + "e"
    if _doubled(cut) and cut[-1] not in "lsz":
        return cut[:-1]
    return cut + "e" if _m(cut) == 1 and _short(cut) else cut


def _replace(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for ending, other in table:
        if word.endswith(ending):
            cut = word[: -len(ending)]
            return cut + other if _m(cut) > 0 else word
    return word


def _drop_last(word: str) -> str:
    for ending, other in _LAST:
        if word.endswith(ending):
            cut = word[: -len(ending)] + other
            return cut if _m(cut) > 1 else word
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        cut = word[:-1]
        if _m(cut) > 1 or (_m(cut) == 1 and not _short(cut)):
            word = cut
    return word[:-1] if word.endswith("ll") and _m(word) > 1 else word
