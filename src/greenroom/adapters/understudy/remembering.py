"""Answers about the person, from what they told: which question asks for it, and which fact answers it best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from greenroom.adapters.facts.patterns import ALIKE, WHO
from greenroom.adapters.facts.sentences import asks, is_own, sentences
from greenroom.adapters.understudy.expecting import expected, told_terms
from greenroom.adapters.understudy.meaning import Meaning
from greenroom.kernel.facts import SELF, Noticed
from greenroom.text.stems import telling

_MEMORY = re.compile(
    r"\b(?:do|did|can|could|will|have|know|'d) (?:you )?(?:still |even )?(?:remember|recall|recognise|recognize)|"
    r"(?:\bnot|n't) (?:\w+ )?(?:remember|recall)|^(?:and |so )?(?:you|u) (?:still |even )*(?:remember|recall|know)\b(?= who| what| where| when| how| which|,|\?|$)|\bremember (?:me|my|who|what|"
    r"where|which)\b|(?<!i've )forgotten (?:me|my|who|what)|(?<!i )forgot (?:me|my)|did i (?:say|tell|mention)|have i (?:told|said|mentioned)|"
    r"i (?:said|told you|mentioned)\b|catch (?:what|my|where|the|his|her)|know (?:who i|my\b|about me|what i|where i|why i)|"
    r"you know about (?:me|my)|my name|who am i|who was i|who i am|last time|the other day|te acuerdas|wie hei(?:ß|ss)e ich|wei(?:ß|ss)t du noch|"
    r"comment je m'appelle|c[oó]mo me llamo|wie hei(?:ß|ss)t mein|o[uù] est-ce que j|quel est mon|cu[aá]l es mi|was bin ich",
    re.IGNORECASE,
)
_OF_ME = re.compile(
    r"^(?:so,? |and |but |then |ok |okay |now |well,? |quick test: |go on then\. |in english then\. |fine\. |sorry,? |haha,? |lol,? |hey,? |right,? |tell me,? |(?:try to )?guess |tell me honestly,? |i wonder,? )*"
    r"(?:(?:in|at|on|to|with|from|for|of|about|by|since|until|till|like) )?(?:what|what's|whats|who|who's|whose|where|when|why|which|how|was|is|am|did|do|does|are)\b.*\b(?:i|i'd|i'm|my|mine|me|we|our)\b",
    re.IGNORECASE,
)
#: *My dog's name*; with a verb it is told, unless a mark says that it is asked.
_SHORT = re.compile(
    r"^(?:and |so )?(?:(?:the )?names? of )?my (?:(?:\w+(?:'s)? ?){1,3}\?|"
    r"(?:(?!(?:is|was|are|were|has|had|got|died|left|came|went|lives?|works?|likes?|loves?|says|said)\b)\w+(?:'s)? ?){1,3})$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:tell|say|name|give)\b.*\b(?:you know|remember|about my|about me|(?:my|his|her|their|its) name|who i am|one thing)\b|going to say was here",
    re.IGNORECASE,
)
#: First persons in a question that ask for something else.
_OTHERWISE = re.compile(
    r"\b(?:can|could|may|might|shall|should|must|would) (?:i|we)\b|\bwhere am i\b[,\s]*(?:exactly|now|here)?\W*$|what should i|"
    r"mind if i|if i may\b|if i might\b|may i ask|(?:teach|show|lend|give|help|sell|get|bring|wish) me\b|what do you (?:think|want|make)|for me\?|tell me (?:a|your|the|"
    r"about (?!me|my))|do you (?:like|love|hate|want|trust) (?:me|my)|am i (?:allowed|late|early|disturbing|welcome)|do i (?:have to|need)|"
    r"keep something|(?:is|are) there\b(?!.*n't)|how do i (?:get|go|reach|find|open|close|use|turn)|do you have any|do you know (?:any|how|where)(?! i| my)|laugh(?:ing)? at me|in it for me",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\bmy (?:full |first )?name(?: is|'s|s) \w|\bi never (?:said|told)\b|\bi (?:don't|do not|didn't)(?: really)? know why i\b|"
    r"\bcatch (?:the|my) (?:boat|ferry|bus|train)\b",
    re.IGNORECASE,
)
#: A sentence that does not ask, and speaks of another time, or of what was said to somebody, tells it.
_MENTIONS = re.compile(
    r"\b(?:last time|the other day|i (?:said|mentioned)|i told you)\b(?!.*\b(?:remember|recall|forgotten)\b)",
    re.IGNORECASE,
)
#: What was said is only mentioned: "though I do not think I told you that".
_SAID_SO = re.compile(
    r"\b(?:think|sure|know|believe) (?:that )?i(?:'ve| have)? (?:said|told you|mentioned)\b", re.IGNORECASE
)
_FOLLOWS = re.compile(r"\b(?:that|he|she|it|they|him|her|them|there|his|their)\b", re.IGNORECASE)
_SUBJECT = re.compile(rf"\b(?:my|mein|meine|mon|ma|mi)\s+(?P<subject>{WHO}|{'|'.join(ALIKE)})(?:'?s)?\b", re.IGNORECASE)
_ANY_SUBJECT = re.compile(rf"\b(?P<subject>{WHO}|{'|'.join(ALIKE)})(?:'?s)?\b", re.IGNORECASE)

#: What a question asks for, by its form: relations, and whether only the person themself is meant.
_CUES: Final = tuple(
    (re.compile(form, re.IGNORECASE), frozenset(relations), own)
    for form, relations, own in (
        (r"who (?:am|was) i\b(?! \w+ing|.* (?:to|with)\W*$)|who i am|know me\b|forgotten me|remember me|(?:what|how)(?: am| was|'m|'s)? ?i'?m? ?(?:called|named)|"
         r"my (?:full |first )?name\b(?!.*\b(?:dog|cat)'s)|call(?:ed)? me|wie hei(?:ß|ss)e ich|wie ich hei|comment je m'appelle|"
         r"me llamo|mi nombre|what i'm called|was here", ("name",), True),
        (rf"(?:{WHO}|{'|'.join(ALIKE)})(?:'s|s)? (?:name|called|named)|what(?:'s| is) my (?:{WHO}) called|married to|wie hei(?:ß|ss)t mein|"
         r"s'appelle (?:mon|ma)|se llama mi", ("name",), False),
        (r"where(?: am| was|'m)? ?i?'?m? (?:from|come from)|where (?:do|did) i (?:come|row|sail|set out|hail|travel)|"
         r"where i(?:'m| am) from|woher", ("from", "lives", "grew up", "born"), True),
        (r"where (?:do|did) i live|wo wohne|o[uù] est-ce que j'habite|dónde vivo", ("lives", "from"), True),
        (r"(?:what|which) (?:city|town|country|village|part of the world)\b.*\b(?:i|we)\b", ("lives", "from"), True),
        (r"where was i born", ("born", "from"), True),
        (r"grow up|grew up|raised", ("grew up", "from", "born"), True),
        (r"(?:do|am) i (?:do|work)\b|for (?:work|a living)|my (?:job|work|trade|profession|occupation|craft)|(?:what|which) (?:trade|job|profession)\b.*\bi\b|where (?:do )?i work|what (?:am|was) i\b(?! (?:going|"
         r"scared|afraid|frightened|terrified|writing|looking|doing|\w+ing|called))|what do i do\b|what do i \w+ (?:all day|every day|for money)|mein beruf|mon m[ée]tier|mi profesi[oó]n|do i teach", ("work", "study", "used to"), True),
        (r"what (?:was|were) i(?: before| once| then)?\W*$|use(?:d)? to\b", ("used to", "work"), True),
        (r"\bwant", ("wants",), True),
        (r"what (?:do|did) i study|my subject", ("study",), True),
        (r"how old (?:am|was|will|did|do) i|my age|how old i", ("age",), True),
        (r"(?:where|which|what).*\bi\b.*(?:going|headed|heading|off to|travel|moving|fly|sail|live soon)|headed", ("going", "leaving", "wants"),
         True),
        (r"when (?:am|do|will) i (?:leav|go|fly|sail|depart|travel)", ("leaving", "going"), True),
        (r"can(?:'t|not) i (?:eat|drink)|i (?:can't|cannot|mustn't) (?:be|go|get|have|touch|come) ?(?:near|around|close)?|(?:shouldn't|mustn't|can't) (?:\w+ )?(?:eat|put|give|serve|drink|cook)|allerg|not (?:i )?(?:eat|put|have|be given)|i (?:not|never) (?:eat|have)", ("allergic to", "cannot", "hates"), True),
        (r"(?:afraid|scared|frighten|terrif)", ("afraid of",), True),
        (r"promise", ("promised",), True),
        (r"favou?rite", ("favourite", "loves"), True),
        (r"(?:dislike|hate|can't stand|detest)", ("hates", "cannot"), True),
        (r"(?:like|love|enjoy) ", ("loves", "favourite"), True),
        (r"(?:did|have) i los[te]|what i lost", ("lost",), True),
        (r"(?:play|instrument)", ("plays", "work"), True),
        (r"\b(?:baby|due|expecting|pregnant)\b", ("expecting",), None),
        (r"what (?:have|did) i (?:got|get|have)|do i (?:keep|have|own|look after)", ("has",), True),
    )
)  # fmt: skip
#: A question of no more words than this is read with what stands around it.
LEAST_HEAD = 2
#: What a good answer has at least, by vectors and by words; more where the question does not say "I" or "my".
LEAST, LEAST_BY_WORDS = 0.42, 0.3
LEAST_UNASKED, LEAST_UNASKED_BY_WORDS = 0.85, 0.7
#: The same where the question says that it was told.
LEAST_TOLD = 0.34
#: The same for a question that speaks of neither who asks nor who is asked.
LEAST_OPEN = 0.65
_CUE, _NAMED, _WORDS, _WRONG = 0.6, 0.35, 0.5, -0.5
#: What the right kind of thing counts, and what was spoken of just before.
_KIND, _POINTED = 0.1, 0.4


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """What answers a question about the person."""

    fact: Noticed
    #: When it was said, as the prompt gives it; empty for this visit.
    day: str
    score: float
    #: Whether the question asks for just this relation, so that the value alone is an answer.
    is_meant: bool = False


@dataclass(frozen=True, slots=True)
class KnownLine:
    """Something the person said: a fact, or a line as it stood."""

    fact: Noticed
    day: str = ""
    #: A line rather than a fact.
    is_line: bool = False


def asks_of_self(said: str) -> bool:
    """Whether somebody asks for what they told of themselves."""
    return any(_asks(one) for one in sentences(said) or [said])


@lru_cache(1024)  # a cast asks it of its examples whenever a house is opened
def is_of_keeper(said: str) -> bool:
    """Whether a question speaks to whoever it is asked of, rather than of anybody else."""
    return bool(_YOU.search(_bare(question_in(said))))


_YOU = re.compile(
    r"\b(?:you|your|yours|u|ur|yourself|du|dein\w*|sie|ihr\w*|tu|ton|ta|tes|vous|votre|usted|su)\b", re.IGNORECASE
)


def _asks(sentence: str) -> bool:
    if "?" not in sentence and (_TELLS.search(sentence) or (is_own(sentence) and _SAID_SO.search(sentence))):
        return False
    if _OTHERWISE.search(sentence) and not _MEMORY.search(sentence):
        return False
    if _SHORT.match(sentence) or _ORDER.search(sentence):
        return True
    if asks(sentence):
        return bool(_MEMORY.search(sentence) or _OF_ME.search(sentence))
    return bool(_MEMORY.search(sentence)) and not _MENTIONS.search(sentence)


def says_told(said: str) -> bool:
    """Whether a question says that what it asks for was told."""
    return bool(_MEMORY.search(said))


def follows(said: str) -> bool:
    """Whether a question can only be understood by what was said before it."""
    return bool(_FOLLOWS.search(said)) and len(telling(said)) <= 3


def remembered(said: str, known: Sequence[KnownLine], meaning: Meaning, *, before: str = "") -> FoundMemory | None:
    """What answers a question best, of all that is known; None if nothing answers it.

    Args:
        known: newest first; of equals the first is taken.
        before: what was last spoken of, for a question that points back to it.
    """
    if not known:
        return None
    text = _whole_question(said)
    question, asked, pointed = _Question(text), _bare(text), before if before and follows(text) else ""
    texts = [one.fact.text for one in known]
    likes = meaning.likes(asked, texts)
    points = bool(pointed) and len(telling(asked)) <= 1 and not (says_told(said) or is_of_keeper(said))
    near = meaning.likes(pointed, texts) if points else [0.0] * len(texts)
    scores = [
        round(_score(question, one, like) + _POINTED * back, 2)
        for one, like, back in zip(known, likes, near, strict=True)
    ]
    best = max(range(len(scores)), key=lambda i: (scores[i], -i))
    if scores[best] < _least(said, meaning, pointing=bool(pointed) and len(telling(asked)) <= 1):
        return _standing_out(known) if _WHO_AM_I.search(text) else None
    return FoundMemory(known[best].fact, known[best].day, scores[best], _by_cue(question, known[best]) == _CUE)


def _standing_out(known: Sequence[KnownLine]) -> FoundMemory | None:
    """What somebody told of themself that one remembers them by."""
    own = [one for one in known if one.fact.subject == SELF and not one.is_line]
    best = max(own, key=lambda one: one.fact.salience, default=None)
    return None if best is None else FoundMemory(best.fact, best.day, LEAST)


def question_in(said: str) -> str:
    """The sentence that asks."""
    apart = sentences(said)
    last = next((one for one in reversed(apart) if asks(one)), None)
    return _head(last) if last else next((one for one in apart if _asks(one)), said)


#: What is said after a question in the same breath: why it is asked, or what to do about it.
_BREATH = re.compile(
    r", (?:let's|lets|let me|i|i'm|i've|i'll|it|it's|my|because|cause|just|so|we|he|she|they|go on|come on|tell me|be honest|say)\b.*$",
    re.IGNORECASE,
)


def _head(question: str) -> str:
    """A question without what is said after it in the same breath."""
    head = _BREATH.sub("", question)
    return head if head != question and len(head.split()) > LEAST_HEAD and asks(head) else question


#: Words of a question that do not say what it asks for: "you know who I mean, right?"
_EMPTY = frozenset(telling("know mean right guess think remember"))


def _whole_question(said: str) -> str:
    """The sentence that asks; all that was said, where it only points there."""
    question = question_in(said)
    return said if _EMPTY.issuperset(telling(_bare(question))) else question


def _bare(question: str) -> str:
    """The question without what only says that it asks for something told."""
    return " ".join(_FRAMES.sub(" ", question).split()) or question


def texts_of(said: str, known: Sequence[KnownLine], before: str = "") -> list[str]:
    """All that :func:`remembered` compares, for whoever has to make vectors of it first."""
    question = _whole_question(said)
    return [said, *sentences(said), _bare(question), *([before] if before else []), *(one.fact.text for one in known)]


def _least(said: str, meaning: Meaning, *, pointing: bool) -> float:
    if says_told(said) and meaning.is_encoder:
        return LEAST_TOLD
    if asks_of_self(said) or (pointing and not is_of_keeper(said)):
        return LEAST if meaning.is_encoder else LEAST_BY_WORDS
    if not is_of_keeper(said):
        return LEAST_OPEN
    return LEAST_UNASKED if meaning.is_encoder else LEAST_UNASKED_BY_WORDS


class _Question:
    """What a question asks for, read once for all that may answer it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.wanted = told_terms(_bare(text))
        self.people = _named(text)
        self.mine = {ALIKE.get(word, word) for word in (m["subject"].casefold() for m in _SUBJECT.finditer(text))}
        self.days = {day.group().casefold().rstrip("s") for day in _DAY.finditer(text)}
        self.names = frozenset(_PROPER.findall(text))
        self.is_earlier = _EARLIER.search(text) is not None
        self.asks_place = _PLACES.search(text) is not None
        self.sayings = [held for asked, held in _SAYING if asked.search(text)]
        others = bool(self.names) and not _FIRST.search(text)  # somebody else's are asked for
        self.cues = [(relations, own) for form, relations, own in _CUES if form.search(text) and not (own and others)]


def _score(question: _Question, one: KnownLine, like: float) -> float:
    fact = one.fact
    held = told_terms(f"{fact.subject} {fact.relation} {fact.value} {fact.text}")
    shared = len(question.wanted & held) / max(1, len(question.wanted))
    kind = expected(question.text, fact.text)
    fits = 0.0 if kind is None else _KIND if kind else -2 * _KIND
    score = like + _WORDS * shared + fits + _by_cue(question, one) + _by_subject(question, fact)
    score += 2 * _KIND * _same_day(question, fact.text)
    if question.is_earlier:
        score += _KIND if one.day else -_KIND
    if question.names:
        score += _KIND if any(name in fact.text for name in question.names) else -_KIND
    return score - 0.05 if one.is_line else score


#: What was told on an earlier day is meant.
_EARLIER = re.compile(
    r"\b(?:last (?:time|week|visit)|the other day|(?:that|the) first (?:time|night|day|evening|visit)|when i (?:first )?came)\b",
    re.IGNORECASE,
)
_DAY = re.compile(r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|christmas|easter)s?\b", re.IGNORECASE)


def _same_day(question: _Question, text: str) -> int:
    """1 where a text names the day that a question names, -1 where it does not, 0 where the question names none."""
    return 0 if not question.days else 1 if any(day in text.casefold() for day in question.days) else -1


def _by_cue(question: _Question, one: KnownLine) -> float:
    if any(held.search(one.fact.text) for held in question.sayings):
        return _CUE
    for relations, own in question.cues:
        if one.is_line:
            break
        meant = own is None or (one.fact.subject == SELF if own else one.fact.subject in question.people)
        if one.fact.relation in relations and meant:
            return _CUE
        if relations == {"name"} and own and one.fact.relation == "name":
            return _WRONG  # somebody else's name
    if one.fact.subject == SELF and question.asks_place and _IN_A_PLACE.search(one.fact.text):
        return _NAMED
    return 0.0


_PLACES = re.compile(
    r"\bwhere (?:do|did|am|was) i\b|\b(?:what|which) (?:city|town|country|village|place)\b", re.IGNORECASE
)
_IN_A_PLACE = re.compile(r"\b(?:in|from|near) [A-Z]\w+")
#: Whoever asks for nothing but themselves is told what stands out, where there is no name to say.
_WHO_AM_I = re.compile(
    r"\b(?:who am i|who i am|(?:remember|know|forgotten|forgot|recogni[sz]e) me)\b(?! (?:from|about))", re.IGNORECASE
)
_FIRST = re.compile(r"\b(?:i|i'm|i'd|i've|my|me|mine|we|our|us|ich|mein\w*|je|j'\w+|mon|ma|yo|mi|me)\b", re.IGNORECASE)
_PROPER = re.compile(r"(?<=[a-z,'] )[A-Z][a-z]+")


_FEELS = re.compile(r"\b(?:mood|upset|sad|angry|unhappy|wrong with me|so quiet)\b", re.IGNORECASE)
_HURTS = re.compile(
    r"\b(?:died|dead|lost|left me|terrible|awful|broke|hurt|alone|fault|fired|sacked|failed|divorc\w*)\b", re.IGNORECASE
)
_WITH_ME = re.compile(
    r"\bwho(?:'s| is| was| has| did i)? (?:with me|(?:came|come|here|travell?ing|bring|brought)\b.{0,20}\bwith)\b",
    re.IGNORECASE,
)
_CAME_WITH = re.compile(
    r"\b(?:with (?:my|our)|brought my|my \w+ (?:is|came|are) (?:here|with me|along))\b", re.IGNORECASE
)
_QUIT = re.compile(r"\b(?:quit|give up|stop doing)\b", re.IGNORECASE)
_GIVES_UP = re.compile(
    r"\b(?:quit|giv(?:e|ing|en) up|gave up|stop(?:ped|ping)? \w+ing|to stop|off the)\b", re.IGNORECASE
)
#: Where a question asks for something of one kind, by the words it stands in.
_SAYING: Final = ((_FEELS, _HURTS), (_WITH_ME, _CAME_WITH), (_QUIT, _GIVES_UP))


def _named(text: str) -> set[str]:
    """The people and animals that a text names by what they are."""
    named = {ALIKE.get(word, word) for word in (m["subject"].casefold() for m in _ANY_SUBJECT.finditer(text))}
    return named | {"wife", "husband"} if _MARRIED.search(text) else named


_MARRIED = re.compile(r"\bmarried to\b", re.IGNORECASE)


def _by_subject(question: _Question, fact: Noticed) -> float:
    if not question.people:
        return 0.0
    if fact.subject in question.people:
        return _NAMED
    return -0.2 if question.mine and fact.subject in _PERSONS else 0.0


_PERSONS: Final = frozenset(WHO.split("|"))
_FRAMES = re.compile(
    r"\b(?:(?:do|can|did|could|will) you (?:still |even )?(?:remember|recall|guess|tell me|say|know(?= (?:who|what|where|when|why|how|which|my|about)\b))|did i (?:say|tell you|mention)|have i (?:told you|said|mentioned)|"
    r"i (?:said|told you|mentioned)|say|said|told|tell|remember|recall|mention(?:ed)?|"
    r"again|quick test|anything|one thing|you know(?! (?:him|her|them|it|any|how)\b)|catch|called|last time|even|name)\b",
    re.IGNORECASE,
)
