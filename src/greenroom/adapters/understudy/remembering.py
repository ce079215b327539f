"""Answers about the person, from what they told: everything they said is weighed against the question, and the best said.

How well something told answers a question is a sum of a few features, each with one weight; *nothing told* competes with
the rest, so that what is not near enough is not said. The weights are fitted: over questions whose answer is known, they
make what holds the wanted word the likeliest.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from greenroom.adapters.facts.noticing import in_full
from greenroom.adapters.facts.patterns import ALIKE, WHO
from greenroom.adapters.facts.sentences import asks_anywhere, sentences
from greenroom.adapters.understudy.asking import (
    KINDS,
    asks_of_self,
    bare,
    follows,
    is_of_keeper,
    question_in,
    whole_question,
)
from greenroom.adapters.understudy.expecting import KINDS as THINGS
from greenroom.adapters.understudy.expecting import slot_of, told_terms, values
from greenroom.adapters.understudy.meaning import Meaning
from greenroom.adapters.understudy.replying import alone
from greenroom.kernel.facts import SELF, Noticed
from greenroom.text.stems import STOP, telling, words

#: So many letters of a word tell it from others, whatever its ending.
_ROOT = 5
#: Words of a sentence that is said back as a whole.
MOST_WORDS = 24
#: Words of a message that is always said back as a whole.
FEW_WORDS = 14
#: So many things are said of somebody at once.
MOST_TOLD = 3
#: How much less well something else may answer that is said beside the best.
AS_GOOD = 1.0
#: How like a question something is at the least that answers it by more than its kind.
ABOUT = 0.25
#: How like a question something must be that has none of the kind that is asked for.
LIKE = 0.45
#: How near an answer is that is as likely as none, and by how much it must be likelier to be nearer by one.
EVEN, STEP = 0.6, 5


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """What answers a question about the person."""

    fact: Noticed
    #: When it was said, as the prompt gives it; empty for this visit.
    day: str
    #: How near it is to the question, as one of one's own topics would be: 0.5 is as likely as none.
    score: float
    #: Whether the question asks for just this relation, so that the value alone is an answer.
    is_meant: bool = False
    #: What alone answers it, of words that answer it; empty where that cannot be told for certain.
    value: str = ""
    #: What was told in another message and answers it about as well; empty where nothing does.
    other: str = ""


@dataclass(frozen=True, slots=True)
class KnownLine:
    """Something the person said: a fact, or a line as it stood."""

    fact: Noticed
    day: str = ""
    #: A line rather than a fact.
    is_line: bool = False
    #: The message that it stood in, and the one before: what tells who *he* is.
    message: str = ""
    before: str = ""

    @property
    def around(self) -> str:
        return f"{self.before}\n{self.message}".strip() or self.fact.text


class Features(NamedTuple):
    """How something told fits a question, each from -1 to 1."""

    #: How like the question its own words are, and those around it; and how like what was spoken of just before.
    like: float = 0.0
    near: float = 0.0
    pointed: float = 0.0
    #: The share of the question's words in it; those count more that are rare among what was told.
    shared: float = 0.0
    #: Whether it holds the kind of thing that is asked for; the less, the more others do.
    kind: float = 0.0
    kind_alone: float = 0.0
    #: Neither it nor its message does, where that is plain: what holds no number is no answer to *how many*.
    lacks: float = 0.0
    #: It is a fact of the relation that is asked for, of whom it is asked; it is their own name, which is not.
    relation: float = 0.0
    own_name: float = 0.0
    #: It tells of whom the question names, or speaks of them; of somebody else; it has no name or age of theirs.
    whom: float = 0.0
    spoken_of: float = 0.0
    of_other: float = 0.0
    not_theirs: float = 0.0
    #: Names in the question stand in or around it; it was told in the visit that the question means.
    named: float = 0.0
    visit: float = 0.0
    #: It says no more than the question.
    echo: float = 0.0


class Nothing(NamedTuple):
    """What speaks for it that nothing told answers a question."""

    always: float = 1.0
    #: The question asks for what was told.
    of_self: float = 0.0
    #: The share of its words that stand in nothing told.
    unheard: float = 0.0


#: What each feature weighs, by vectors and by words.
WEIGHTS: Final[Mapping[bool, Features]] = {
    True: Features(like=3.4, near=2.0, pointed=1.0, shared=3.4, kind=2.1, kind_alone=1.2, lacks=-2.1,
        relation=2.7, own_name=-0.2, whom=0.7, spoken_of=0.6, of_other=-0.2, not_theirs=-9.0, named=1.0,
        visit=0.8, echo=-0.9),
    False: Features(like=2.0, near=1.4, pointed=1.3, shared=3.9, kind=2.3, kind_alone=1.3, lacks=-2.1,
        relation=3.0, own_name=-0.2, whom=0.7, spoken_of=0.8, of_other=-0.2, not_theirs=-9.0, named=1.2,
        visit=0.8, echo=-1.0),
}  # fmt: skip
NOTHING: Final[Mapping[bool, Nothing]] = {
    True: Nothing(always=1.8, of_self=-0.7, unheard=0.7),
    False: Nothing(always=1.3, of_self=-0.8, unheard=0.5),
}

#: Words of a question by which a relation is asked for; where none stands there, the word that asks tells.
_ASKED_BY: Final = {
    relation: told_terms(told)
    for relation, told in {
        "work": "work job trade profession occupation craft do",
        "used to": "used before retired once",
        "study": "study subject university read",
        "from": "from come town country city",
        "lives": "live city town country home",
        "grew up": "grew raised from",
        "born": "born birth from",
        "age": "old age turning",
        "going": "going headed heading travel moving",
        "leaving": "leaving leave go sail fly depart",
        "allergic to": "allergic eat put soup cup serve",
        "cannot": "eat drink stand cannot",
        "hates": "hate dislike stand detest",
        "loves": "love like enjoy favourite",
        "favourite": "favourite best",
        "afraid of": "afraid scared fear frightens",
        "promised": "promise",
        "lost": "lost lose",
        "plays": "play instrument",
        "has": "have own keep got",
        "wants": "want",
        "expecting": "baby due expecting pregnant",
    }.items()
}
#: Facts that are of the kind that is asked for, whatever stands in their words.
_OF_KIND: Final = {"name": ("name",), "age": ("age",), "job": ("work", "used to")}
#: Who asks for their own name.
_OWN_NAME: Final = re.compile(
    r"\bwho(?:'m| am| was) i\b(?! \w+ing)|\bwho i am\b|\b(?:remember|know|forgotten|forgot|recogni[sz]e|call(?:ed)?) me\b|"
    r"\bmy (?:full |first )?name\b|\b(?:i|i'm)(?: am| was)? (?:called|named)|am i called|\b(?:hei(?:ß|ss)e ich|ich hei(?:ß|ss)e|m'appelle|me llamo)\b",
    re.IGNORECASE,
)
_NAMES_ONESELF: Final = re.compile(
    r"\b(?:name|names|called|call me|i'?m|i am|it'?s|this is|ich bin|soy|suis)\b", re.IGNORECASE
)
_KIN: Final = {word: ALIKE.get(word, word) for word in (*WHO.split("|"), *ALIKE)}
#: Who is somebody's only where that is said: "my man", and no man else.
_LOOSE: Final = frozenset(("man", "girl", "boy", "lad", "lass", "eldest", "oldest", "youngest"))
#: What is somebody's and no person: no *she* stands for it.
_THINGS: Final = frozenset(
    ("boat", "ship", "yacht", "car", "band", "village", "town", "street", "house", "shop", "school", "company")
)
_OWNERS: Final = frozenset(("my", "our", "his", "her", "their", "your", "little", "small", "other"))
#: *My daughter's boyfriend* is not the daughter.
_OWNER: Final = re.compile(r"\b[\w]+'s (?=(?P<who>\w+))", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_PROPER: Final = re.compile(r"(?<=[a-z,'] )[A-Z][a-z]+")
_NOW: Final = re.compile(r"\b(?:now|these days|nowadays|by now|currently|today|landed)\b", re.IGNORECASE)
_EARLIER: Final = re.compile(
    r"\b(?:last (?:time|week|visit)|the other day|(?:that|the) first (?:time|night|day|evening|visit)|first here|when i (?:first )?came|"
    r"here first|before)\b",
    re.IGNORECASE,
)
_I_AM: Final = re.compile(r"\b(?:am|was|will|did|do) i\b|\bmy age\b|\bi (?:am|was)\b", re.IGNORECASE)
_THIRD: Final = re.compile(r"\b(?:he|she|they|him|her|them|his|their)\b", re.IGNORECASE)
_FIRST: Final = re.compile(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|me|my|mine|we|we're|we've|us|our)\b", re.IGNORECASE)


class Question:
    """What a question asks for, read once for all that may answer it."""

    def __init__(self, said: str, known: Sequence[KnownLine], before: str = "") -> None:
        self.text = whole_question(said)
        self.slot = slot_of(question_in(said)) or slot_of(self.text) or slot_of(said)
        self.known = known
        self.called = {
            one.fact.value.casefold(): one.fact.subject
            for one in known
            if one.fact.relation == "name" and one.fact.subject != SELF
        }
        self.own_names = {one.fact.value for one in known if one.fact.relation == "name" and one.fact.subject == SELF}
        self.words = self._words(question_in(said)) | (
            self._words(self.text) & roots(" ".join(one.around for one in known))
        )
        self.people = self.kin(_OWNER.sub(lambda one: "" if one["who"] in _KIN else one[0], self.text))
        self.names = frozenset(_PROPER.findall(self.text))
        self.relations = self._relations()
        first, third = _FIRST.search(bare(self.text)) is not None, _THIRD.search(self.text) is not None
        self.is_mine = None if first == third else first
        self.visit = -1 if _EARLIER.search(said) else 1 if _NOW.search(self.text) else 0
        self.follows = bool(before) and follows(self.text) and not is_of_keeper(said)
        self.rare = self._rarity()
        self.nothing = Nothing(of_self=asks_of_self(said), unheard=self._unheard())
        self._small = roots(f"{self.text} {SELF} said told mine")
        self._holding = len({even for one in known if (even := self.given(one.fact.text))})

    def features(self, one: KnownLine, like: float, near: float, pointed: float) -> Features:
        """How something told fits; likeness is given, as it is made for all at once."""
        fact = one.fact
        held = roots(f"{fact.subject} {fact.relation} {fact.text}")
        kind = fact.relation in _OF_KIND.get(self.slot.kind if self.slot else "", ()) or bool(self.given(fact.text))
        theirs = fact.subject in self.people
        spoken_of = bool(self.people & self.kin(fact.text)) or (kind and self._may_stand_for(fact.text))
        if self.people:
            of_other = not (theirs or spoken_of or self.people & self.kin(one.around))
        else:
            of_other = self.is_mine is not None and self.is_mine != bool(_FIRST.search(fact.text))
        is_sure = self.slot is not None and self.slot.is_sure
        return Features(
            like=like,
            near=near,
            pointed=pointed,
            shared=self._share(held),
            kind=kind,
            kind_alone=kind / max(1, self._holding),
            lacks=is_sure and not kind and not self.given(one.message),
            relation=fact.relation in self.relations and fact.subject in (self.people or {SELF}),
            own_name=fact.relation == "name" and fact.subject == SELF and "name" not in self.relations,
            whom=theirs,
            spoken_of=spoken_of and not theirs,
            of_other=of_other,
            not_theirs=self._is_not_theirs(one),
            named=0 if not self.names else 1 if any(name in one.around for name in self.names) else -1,
            visit=self.visit * (-1 if one.day else 1),
            echo=held <= self.words | self._small,
        )

    def is_beside_the_point(self, one: KnownLine, fit: Features) -> bool:
        """Whether somebody asks for their name, or for an instrument, say, and this has none and is not like it."""
        if fit.relation or fit.shared or max(fit.like, fit.near) >= LIKE:
            return False
        if "name" in self.relations and not self.people and _OWN_NAME.search(self.text):
            return not _NAMES_ONESELF.search(one.message)
        return self.slot is not None and self.slot.kind in THINGS and not (fit.kind or self.given(one.message))

    def is_of_kind_only(self, fit: Features) -> bool:
        """Whether all that speaks for something is that it is an animal, say, where one is asked for that nobody told of."""
        if self.slot is None or self.slot.kind not in THINGS or self.nothing.of_self or self.nothing.unheard < 1:
            return False
        return max(fit.like, fit.near, fit.pointed) < ABOUT and not (fit.relation or fit.whom or fit.spoken_of)

    def _is_not_theirs(self, one: KnownLine) -> bool:
        """Whether a name or an age is asked for, and this would be somebody else's."""
        fact = one.fact
        if self.slot is None or self.slot.kind not in ("name", "age") or fact.subject in self.people:
            return False
        if self.people:
            told_of = self.kin(fact.text) | self.kin(one.around)
            pointed = self._may_stand_for(fact.text) and not told_of
            return fact.relation in ("name", "age") or not (self.people & told_of or pointed)
        if self.slot.kind == "name" and "name" in self.relations:
            return fact.relation == "name" and fact.subject != SELF
        return self.slot.kind == "age" and _I_AM.search(self.text) is not None and fact.subject != SELF

    def _may_stand_for(self, text: str) -> bool:
        """Whether a *he* or *she* may be whom the question names: nobody else is named beside it."""
        return bool(self.people - _THINGS and _THIRD.search(text)) and not self.kin(text)

    def given(self, text: str) -> tuple[str, ...]:
        """What of a text is of the kind that is asked for."""
        found = () if self.slot is None or not text else values(self.slot, self.text, in_full(text))
        return tuple(
            one for one in found if one not in self.own_names or ("name" in self.relations and not self.people)
        )

    def kin(self, text: str) -> frozenset[str]:
        """Whom a text speaks of: by what they are, or by the names they were told by."""
        said = set(words(text))
        return named(text).union(who for name, who in self.called.items() if name in said)

    def _words(self, text: str) -> frozenset[str]:
        left = KINDS.sub(" ", bare(text))
        return frozenset[str]() if STOP.issuperset(words(left)) else roots(left)

    def _relations(self) -> frozenset[str]:
        asked = told_terms(self.text)
        found = {relation for relation, told in _ASKED_BY.items() if not told.isdisjoint(asked)}
        of_others = self.people and self.slot is not None and self.slot.kind == "name"
        names = of_others or _OWN_NAME.search(self.text)
        works = ("work", "used to") if self.slot is not None and self.slot.kind == "job" else ()
        return frozenset((*found, *works, *(["name"] if names else ())))

    def _rarity(self) -> dict[str, float]:
        messages = {one.message or one.fact.text for one in self.known}
        counts = Counter(word for text in messages for word in roots(text))
        return {word: math.log(1 + (1 + len(messages)) / (1 + counts[word])) for word in self.words}

    def _unheard(self) -> float:
        if not self.words or any(one.fact.relation in self.relations for one in self.known):
            return 0.0
        return 1.0 - self._share(frozenset().union(*(roots(one.around) for one in self.known)))

    def _share(self, held: frozenset[str]) -> float:
        every = sum(self.rare.values())
        return sum(self.rare[word] for word in self.words & held) / every if every else 0.0


def roots(text: str) -> frozenset[str]:
    return frozenset(term[:_ROOT] for term in told_terms(text))


@lru_cache(4096)
def named(text: str) -> frozenset[str]:
    """The people and animals that a text names by what they are."""
    found, owner = set(), ""
    for word in (one.removesuffix("'s") for one in _WORD.findall(text.casefold())):
        who = next((one for one in (f"{owner} {word}", word, word.removesuffix("s")) if one in _KIN), "")
        if who and (who not in _LOOSE or owner in _OWNERS):
            found.add(_KIN[who])
        owner = word
    return frozenset(found)


def texts_of(said: str, known: Sequence[KnownLine], before: str = "") -> list[str]:
    """All that :func:`remembered` compares, for whoever has to make vectors of it first."""
    return [
        said,
        *sentences(said),
        bare(whole_question(said)),
        bare(question_in(said)),
        *([before] if before else []),
        *(one.fact.text for one in known),
        *(one.around for one in known),
    ]


def featured(
    said: str, known: Sequence[KnownLine], meaning: Meaning, before: str = ""
) -> tuple[Question, list[Features]]:
    """What a question asks for, and how each thing known fits it."""
    question = Question(said, known, before)
    texts, arounds = [one.fact.text for one in known], [one.around for one in known]
    asked = dict.fromkeys((bare(question.text), bare(question_in(said))))
    likes = [max(every) for every in zip(*(meaning.likes(one, texts) for one in asked), strict=True)]
    nears = [max(every) for every in zip(*(meaning.likes(one, arounds) for one in asked), strict=True)]
    pointed = meaning.likes(before, arounds) if question.follows else [0.0] * len(known)
    return question, [
        question.features(one, like, near, back)
        for one, like, near, back in zip(known, likes, nears, pointed, strict=True)
    ]


def remembered(said: str, known: Sequence[KnownLine], meaning: Meaning, *, before: str = "") -> FoundMemory | None:
    """What answers a question best, of all that is known; None if nothing answers it.

    Args:
        known: newest first; of equals the first is taken.
        before: what was last spoken of, for a question that points back to it.
    """
    if not known:
        return None
    if (outright := _outright(said, known)) is not None:
        return outright
    if (who := _WHO_IS.search(said)) is not None and not any(_names(one, who["name"]) for one in known):
        return None
    question, fits = featured(said, known, meaning, before)
    scores = [_weighed(one, WEIGHTS[meaning.is_encoder]) for one in fits]
    nothing = _weighed(question.nothing, NOTHING[meaning.is_encoder])
    at = max(range(len(known)), key=lambda i: (scores[i], -i))
    if scores[at] <= nothing or question.is_of_kind_only(fits[at]) or question.is_beside_the_point(known[at], fits[at]):
        return None
    sure = round(EVEN + (scores[at] - nothing) / STEP, 2)
    return _said_back(question, known[at], sure, _as_good(question, known, scores, at))


def _weighed(features: Sequence[float], weights: Sequence[float]) -> float:
    return round(sum(one * weight for one, weight in zip(features, weights, strict=True)), 2)


def _as_good(question: Question, known: Sequence[KnownLine], scores: Sequence[float], at: int) -> KnownLine | None:
    """What answers about as well in another message; both are said, then."""
    best, said = known[at], roots(_whole(question, known[at]))
    ranked = sorted(zip(scores, known, strict=True), key=lambda pair: -pair[0])
    near = (one for score, one in ranked if score >= scores[at] - AS_GOOD)
    others = (one for one in near if one.message != best.message and not roots(one.fact.text) <= said)
    given = question.given(best.fact.text)
    return next((one for one in others if not given or question.given(one.fact.text)), None)


def _said_back(question: Question, best: KnownLine, score: float, other: KnownLine | None) -> FoundMemory:
    """The best of what was found, as it answers the question."""
    fact = best.fact
    meant = fact.relation in question.relations and fact.subject in (question.people or {SELF})
    if meant and fact.value and (question.slot is None or question.given(fact.value)):
        return FoundMemory(fact, best.day, score, is_meant=True)
    found = FoundMemory(replace(fact, text=_whole(question, best)), best.day, score)
    if other is not None:
        return replaced(found, other=_whole(question, other))
    return replaced(found, value=alone(question.text, fact.text))


def _whole(question: Question, one: KnownLine) -> str:
    """What was told as it is said back: in the sentence that it stood in, with the one beside it that has what is asked.

    Where that is too long, the clause alone.
    """
    apart = sentences(one.message)
    own = one.fact.text.strip(" .!").casefold()
    at = next((i for i, part in enumerate(apart) if own in part.casefold()), None)
    wholes = [one.message] if len(one.message.split()) <= FEW_WORDS else []
    if at is None:
        return one.message if wholes and own in one.message.casefold() else one.fact.text
    wholes.append(apart[at])
    if not question.given(apart[at]) or len(roots(apart[at]) - question.words) <= 1:
        beside = sorted(
            (i for i in (at + 1, at - 1) if 0 <= i < len(apart)), key=lambda i: not question.given(apart[i])
        )
        wholes = [one.message, *(" ".join(apart[min(at, i) : max(at, i) + 1]) for i in beside), *wholes]
    return next((text for text in wholes if len(text.split()) <= MOST_WORDS and not asks_anywhere(text)), one.fact.text)


# what a form alone asks for

_FIRST_OR_LAST: Final = re.compile(
    r"\b(?:first|last) (?:thing|words?)\b.*\bi\b.*\b(?:say|said|tell|told|mention(?:ed)?)\b|"
    r"\bwhat (?:did i (?:just|last) (?:say|tell|mention)|(?:have )?i'?(?:ve)? just (?:said|told))(?: you)?\W*$",
    re.IGNORECASE,
)
_ALL: Final = re.compile(
    r"\b(?:what|all|everything|anything|something|things?|much)\b.*\b(?:know|remember|recall|noticed|learn(?:ed|t))\b (?:of|about) me\b|"
    r"\bwhat did i (?:say|tell you) about (?:me|myself)\b",
    re.IGNORECASE,
)
_WHO_IS: Final = re.compile(r"\bwho(?:'s| is| was|s)? (?P<name>[^\W\d_]+)(?: is| was)?\W*$", re.IGNORECASE)


def _outright(said: str, known: Sequence[KnownLine]) -> FoundMemory | None:
    """What answers a question whose form alone says what it asks for; None if it is of no such form."""
    if (end := _FIRST_OR_LAST.search(said)) is not None:
        return _at_the_end(known, first="first" in end.group().casefold())
    if _ALL.search(said):
        return _everything(known)
    if (asked := _WHO_IS.search(said)) is None:
        return None
    names = (one for one in known if one.fact.relation == "name" and one.fact.subject != SELF)
    one = next((one for one in names if one.fact.value.casefold() == asked["name"].casefold()), None)
    return None if one is None else FoundMemory(one.fact, one.day, 1.0, value=f"my {one.fact.subject}")


def _names(one: KnownLine, name: str) -> bool:
    return name.casefold() in words(f"{one.fact.subject} {one.around}")


def _at_the_end(known: Sequence[KnownLine], *, first: bool) -> FoundMemory | None:
    """The first message of this visit that tells something, or the newest."""
    told = [one for one in known if one.is_line and not one.day and len(telling(one.message)) > 1]
    if not told:
        return None
    one = told[-1 if first else 0]
    return FoundMemory(replace(one.fact, text=one.message), "", 1.0)


def _everything(known: Sequence[KnownLine]) -> FoundMemory | None:
    """What says most of whoever told it, as one thing; their name comes first."""
    own = [one for one in known if not one.is_line and (one.fact.subject == SELF or one.fact.relation == "name")]
    own = [one for one in own if len(telling(one.fact.text)) > 1 and len(one.fact.text.split()) <= MOST_WORDS]
    own.sort(key=lambda one: (one.fact.relation != "name" or one.fact.subject != SELF, -one.fact.salience))
    texts = [*dict.fromkeys(one.fact.text.strip(" .!") for one in own)][:MOST_TOLD]
    if len(texts) < 2:
        return None
    fact = replace(own[0].fact, relation="told", value="", text=". ".join(texts) + ".")
    return FoundMemory(fact, own[0].day, 1.0)


__all__ = ["FoundMemory", "KnownLine", "featured", "remembered", "texts_of"]
