"""A message clause by clause: what is told in it, as against what is denied, asked, supposed, intended or quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from greenroom.worlds.phantom.rules.sentences import split, tokens

Kind: TypeAlias = Literal["told", "asked", "supposed", "intended", "ordered", "quoted"]

#: Where a clause ends inside a sentence.
_ENDS = re.compile(
    r"[,;:.!?…–—]+|\s-\s|\b(?:and|but|so(?= \w+ \w)|because|though|although|then|und|aber|pero|porque|y)\b",
    re.IGNORECASE,
)
#: From here on a message repeats what somebody else said.
_QUOTED = re.compile(
    r"\bfwd\b|\bforward(?:ed|ing)\b|word for word|exact words|\b(?:said|says|wrote|writes)\b[^.!?\n]{0,40}:|^>|^on .{4,60} wrote",
    re.IGNORECASE | re.MULTILINE,
)
_MARKS = re.compile(r"[“\"«„]([^“\"«„”»]{0,300})[”\"»“]")
_DENIES = re.compile(
    r"\b(?:not|never|no|nothing|nobody|none|neither|nor|without|hardly|dont|doesnt|didnt|havent|hasnt|hadnt|wont|wouldnt|cant|"
    r"cannot|couldnt|shouldnt|isnt|arent|wasnt|werent|aint|nicht|nie|niemals|kein|keine|keinen|nichts|nunca|jamas|nada|tampoco)\b"
)
_ASKS = re.compile(
    r"^(?:and |but |so |well |ok |okay |please )?(?:who|whose|whom|what|whats|why|when|where|how|which|is|are|am|was|were|do|does|did|"
    r"have you|has|can|could|should|would|will|shall|isnt|arent|dont you|didnt|havent you|wer|was ist|warum|wie|wo|wann|"
    r"quien|por que|como|donde|cuando)\b(?! a\b)"
)
_SUPPOSES = re.compile(
    r"\b(?:if|unless|until|suppose|supposing|imagine|imagining|what if|in case|assuming|as if|wish|had i|were i|would have|"
    r"could have|should have|wenn|falls|si|ojala)\b"
)
_INTENDS = re.compile(
    r"\b(?:will|ill|well|wont|shall|going to|gonna|about to|plan to|planning to|mean to|intend to|want to|wanna|id like to|"
    r"would|id|let me|promise to|trying to|need to|have to|ought to|should|werde|will ich|mochte|voy a|quiero|vamos a)\b"
)
#: What makes no question of a sentence.
_TAG = re.compile(
    r",\s*(?:ok|okay|right|all right|alright|yes|no|yeah|you know|happy now|satisfied)\s*\?$", re.IGNORECASE
)
#: Somebody else's word, in the same sentence.
_HEARSAY = re.compile(r"\b(?:you|he|she|they) (?:said|say|says|told|claim|claims|claimed|wrote|promised|pretend)\b")
#: What somebody else says that the player did: "Miro thinks I deleted it".
_REPORTED = re.compile(
    r"^(?!(?:\w+ )?(?:i|we|ive|weve|as|already|just)\b)(?:\w+ ){1,3}(?:said|says|say|claims|claimed|thinks|think|believes|wrote|writes|swears|"
    r"reckons|pretends) (?:that )?(?:i|ive|im|we|weve)\b"
)
#: Who is unsure of what they say.
_HEDGES = re.compile(
    r"\b(?:think|guess|suppose|maybe|perhaps|probably|might|may|could|sort of|kind of|kinda|almost|nearly|basically|practically|"
    r"pretend|pretty sure|not sure|supposedly|apparently|half|in a way|so to speak|consider|joke|joking|kidding|vielleicht|quizas|creo)\b"
)
_ORDERS = re.compile(
    r"^(?:please |just |now |then |go |you should |you must |you could |dont |do not |never |always |bitte |por favor )*"
    r"(?:delete|erase|use|try|tell|give|send|stop|leave|go|call|ask|keep|read|open|write|explain|prove|help|wait|trust|report|"
    r"destroy|burn|forget|listen|look|let|say|show|take|turn|type|put|get|be|come|pay|sell|buy)\b"
)
_FIRST = re.compile(r"\b(?:i|ive|im|we|weve|my|ich|hab|habe|wir|yo|he|hemos)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A few words, and how they are meant."""

    words: str
    kind: Kind
    denied: bool
    hedged: bool
    #: The whole sentence, for what is said across clauses.
    sentence: str

    @property
    def told(self) -> bool:
        return self.kind == "told" and not self.denied


@lru_cache(maxsize=64)
def clauses(said: str) -> tuple[Clause, ...]:
    """The clauses of a message, those that somebody else said marked as quoted."""
    own = _QUOTED.split(said, maxsplit=1)[0]
    rest = said[len(own) :]
    quoted = (part for sentence in split(_unmarked(rest)) for part in _parts(sentence))
    return (*_clauses(own), *(_clause(words, "quoted", words) for words in quoted))


def _clauses(said: str) -> Iterator[Clause]:
    for sentence in split(_unmarked(said)):
        whole = " ".join(tokens(sentence))
        kind: Kind = "told"
        if sentence.rstrip().endswith("?"):
            kind = "told" if _TAG.search(sentence) else "asked"
        elif _ASKS.match(whole) and not whole.startswith(("when i ", "what i ", "how i ", "who i ")):
            kind = "asked"
        for words in _parts(sentence):
            yield _clause(words, kind, whole)


def _clause(words: str, kind: Kind, whole: str) -> Clause:
    if kind == "told":
        kind = _mood(words, whole)
    return Clause(
        words=words, kind=kind, denied=bool(_DENIES.search(words)), hedged=bool(_HEDGES.search(whole)), sentence=whole
    )


def _mood(words: str, whole: str) -> Kind:
    if _REPORTED.match(words) or (_HEARSAY.search(whole) and not _FIRST.search(words)):
        return "quoted"
    if _SUPPOSES.search(words) or (whole.startswith("if ") and words in whole.partition(" then ")[0][: len(words) + 3]):
        return "supposed"
    if _ORDERS.match(words) and not _FIRST.search(words):
        return "ordered"
    return "intended" if _INTENDS.search(words) else "told"


def _parts(sentence: str) -> Iterator[str]:
    for part in _ENDS.split(sentence):
        if found := " ".join(tokens(part)):
            yield found


def _unmarked(text: str) -> str:
    """Without what stands in quotation marks, unless it is the whole of it."""
    return _MARKS.sub(" ", text) if _MARKS.sub("", text).strip() else text


def denies(words: str) -> bool:
    """Whether there is a denial in some words."""
    return _DENIES.search(words) is not None


def has(found: Iterable[Clause], pattern: re.Pattern[str], *kinds: Kind, denied: bool = False) -> bool:
    """Whether a clause of one of these kinds has a pattern, told or denied."""
    return any(one.kind in kinds and one.denied is denied and pattern.search(one.words) is not None for one in found)
