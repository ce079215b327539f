"""A message clause by clause: what is said in it, as against what is denied, asked, supposed or quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from greenroom.worlds.phantom.rules.sentences import split, tokens

#: Where a clause ends, inside a sentence.
_ENDS = re.compile(r"[,;:.!?…–—]+|\b(?:and|but|so|because|though)\b", re.IGNORECASE)
#: From here on a message repeats what somebody else said.
_QUOTED = re.compile(
    r"\bfwd\b|\bforward(?:ed|ing)\b|word for word|their exact words|\b(?:said|says|wrote|writes)\b[^.!?]{0,40}:|^>",
    re.IGNORECASE | re.MULTILINE,
)
_DENIES = frozenset(
    ("not", "never", "dont", "doesnt", "didnt", "havent", "hasnt", "hadnt", "wont", "wouldnt", "cant", "cannot",
     "couldnt", "shouldnt", "isnt", "arent", "wasnt", "aint", "hardly", "without", "nor")
)  # fmt: skip
_NOTHING = frozenset({"nothing", "nobody", "none"})
#: Who is not the player, and what has not happened.
_OTHERS = frozenset({"you", "she", "he", "they", "it", "we", "if", "unless", "until", "when", "should", "ill", "will"})
_ASKS = frozenset(
    ("who", "what", "why", "when", "where", "how", "which", "is", "are", "am", "was", "were", "do", "does", "did",
     "have", "has", "can", "could", "should", "would", "will", "shall", "if", "suppose")
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    words: str
    #: Part of a sentence that asks rather than tells.
    asks: bool


def clauses(said: str) -> tuple[Clause, ...]:
    return tuple(_clauses(said))


def own(said: str) -> tuple[Clause, ...]:
    """The clauses before anything that is quoted."""
    return clauses(_QUOTED.split(said, maxsplit=1)[0])


def _clauses(said: str) -> Iterator[Clause]:
    for sentence in split(said):
        words = tokens(sentence)
        asks = bool(words) and sentence.endswith("?") and words[0] in _ASKS
        for part in _ENDS.split(sentence):
            if found := " ".join(tokens(part)):
                yield Clause(words=found, asks=asks)


def says(found: Iterable[Clause], phrases: Iterable[str]) -> bool:
    """Whether a clause has one of these phrases and does not deny it."""
    return any(_told(one, phrase) is not None for one in found for phrase in phrases)


def did(found: Iterable[Clause], phrases: Iterable[str]) -> bool:
    """Whether the player says so of themselves: neither asked, nor supposed, nor of somebody else."""
    told = (_told(one, phrase) for one in found if not one.asks for phrase in phrases)
    return any(before is not None and not _OTHERS & before for before in told)


def tells(found: Iterable[Clause], phrases: Iterable[str]) -> bool:
    """Whether a phrase is said and not asked."""
    return says((one for one in found if not one.asks), phrases)


def _told(clause: Clause, phrase: str) -> frozenset[str] | None:
    """The words before a phrase that a clause has and does not deny."""
    before, found, after = f" {clause.words} ".partition(_padded(phrase))
    if not found:
        return None
    words = frozenset(before.split())
    denied = bool(_DENIES & words) or after.partition(" ")[0] in _NOTHING
    return None if denied else words


@lru_cache(maxsize=4096)
def _padded(phrase: str) -> str:
    return f" {' '.join(tokens(phrase))} "
