"""Answers about the person, from what they told: which question asks for it, and which fact answers it best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from msgspec.structs import replace

from greenroom.adapters.facts.noticing import in_full
from greenroom.adapters.facts.patterns import ALIKE, WHO
from greenroom.adapters.facts.sentences import asks, asks_anywhere, is_own, sentences
from greenroom.adapters.understudy.expecting import KINDS, Slot, slot_of, told_terms, values
from greenroom.adapters.understudy.meaning import Meaning
from greenroom.adapters.understudy.replying import alone
from greenroom.kernel.facts import SELF, Noticed
from greenroom.text.stems import STOP, telling, words

_MEMORY = re.compile(
    r"\b(?:do|did|can|could|will|would|have|know|'d) (?:you )?(?:still |even )?(?:remember|recall|recognise|recognize)|"
    r"(?:\bnot|n't) (?:\w+ )?(?:remember|recall)|^(?:and |so )?(?:you|u) (?:still |even )*(?:remember|recall|know)(?: still| yet)?\b(?= who| what| where| when| how| which|,|\?|$)|\bremember (?:me|my|who|what|"
    r"where|which)\b|(?<!i've )forgotten (?:me|my|who|what)|(?<!i )forgot (?:me|my)|did i (?:say|tell|mention)|have i (?:told|said|mentioned)|"
    r"i (?:said|told you|mentioned)\b|you catch (?:what|my|where|the|his|her|that|it)|know (?:who i|my\b|about me|what i|where i|why i)|"
    r"you know about (?:me|my)|my name|who am i|who was i|who i am|last time|the other day|te acuerdas|se acuerda|wissen sie noch|wie hei(?:ß|ss)e ich|wei(?:ß|ss)t du noch|"
    r"\bremind me (?:who|what|which|where|when|why|how|of my|again)|(?:bet|wonder|curious)\b.* (?:you|u)\b.*\b(?:remember|recall|know|forgot|forgotten|tell me|guess)|"
    r"^(?:you(?:'ll| will| must| do)? )?(?:still |surely )*(?:remember|recall)\b(?! (?:this|that)\b)|^you(?:'ll| will| must| do)? (?:still |surely )*(?:know|mind) (?:who|what|where|when|which|how)\b|^name (?:me )?(?:my|our|me)\b|"
    r"did (?:i\b|it stick)|just (?:say|said|tell|told)|noted it|"
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
    r"\b(?:tell|say|name|give)\b.*\b(?:you know|remember|about my|about me|(?:my|his|her|their|its) name|who i am|one thing|my (?:two|three|four|five))\b|going to say was here",
    re.IGNORECASE,
)
#: First persons in a question that ask for something else.
_OTHERWISE = re.compile(
    r"\b(?:can|could|may|might|shall|should|must|would) (?:i|we)\b|\bwhere am i\b[,\s]*(?:exactly|now|here)?\W*$|what should i|"
    r"mind if i|if i may\b|if i might\b|may i ask|(?:teach|show|lend|give|help|sell|get|bring|wish) me\b|what do you (?:think|want|make)|for me\?|tell me (?:a|your|the(?! \w+ of my)|"
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
_FOLLOWS = re.compile(r"^and\b|\b(?:that|then|he|she|it|they|him|her|them|there|his|their)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"\b(?:my|his|her|their|mein|meine|mon|ma|mi)\s+(?P<subject>{WHO}|{'|'.join(ALIKE)})(?:'?s)?\b", re.IGNORECASE
)
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
        (r"(?:do|am) i (?:do|work)\b|for (?:work|a living)|my (?:job|work|trade|profession|occupation|craft)|(?:what|which) (?:trade|job|profession)\b.*\bi\b|where (?:do )?i work|is it i work|what (?:am|was) i\b(?! (?:going|"
         r"scared|afraid|frightened|terrified|writing|looking|doing|\w+ing|called))|what do i do\b|what do i \w+ (?:all day|every day|for money)|mein beruf|mon m[ée]tier|mi profesi[oó]n|do i teach|^and what i do\b", ("work", "study", "used to"), True),
        (r"what (?:was|were) i(?: before| once| then)?\W*$|\bi used? to\b", ("used to", "work"), True),
        (r"\bwant", ("wants",), True),
        (r"what (?:do|did) i study|my subject", ("study",), True),
        (r"how old (?:am|was|will|did|do) i|my age|how old i", ("age",), True),
        (r"(?:where|which|what).*\bi\b.*(?:going|headed|heading|off to|travel|moving|fly|sail|live soon)|headed", ("going", "leaving", "wants"),
         True),
        (r"when (?:am|do|will) i (?:leav|go|fly|sail|depart|travel)", ("leaving", "going"), True),
        (r"can(?:'t|not) i (?:eat|drink)|i (?:can't|cannot|mustn't) (?:be|go|get|have|touch|come) ?(?:near|around|close)?|(?:shouldn't|mustn't|can't) (?:\w+ )?(?:eat|put|give|serve|drink|cook)|allerg|not (?:i )?(?:eat|put|have|be given)|i (?:not|never) (?:eat|have)", ("allergic to", "cannot", "hates"), True),
        (r"(?:afraid|scared|frighten|terrif)", ("afraid of",), True),
        (r"promise", ("promised",), True),
        (r"fav\w*rite", ("favourite", "loves"), True),
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
LEAST, LEAST_BY_WORDS = 0.28, 0.25
LEAST_UNASKED, LEAST_UNASKED_BY_WORDS = 0.85, 0.7
#: The same where the question says that it was told.
LEAST_TOLD = 0.25
#: The same for a question that speaks of neither who asks nor who is asked.
LEAST_OPEN = 0.5
#: The same where it shares a word with what was told.
LEAST_NAMED = 0.4
_CUE, _NAMED, _WORDS, _WRONG = 0.6, 0.35, 0.5, -0.5
#: What it counts to stand in so many of the newest messages of this visit.
_RECENT, MOST_RECENT = 0.06, 3
#: What it counts that nothing else told is of the kind that is asked for.
_ALONE = 0.25
#: From here on the right kind of thing counts in full.
TOPICAL = 0.3
#: What the right kind of thing counts, and what was spoken of just before.
_KIND, _POINTED = 0.1, 0.4
#: What the words around something told count beside its own.
AROUND = 0.25
#: Words of a sentence that is said back as a whole.
MOST_WORDS = 24
#: How much less well something may answer that stood in the same message and is said back with it.
AS_GOOD = 0.15
#: A question with more telling words does not only point back.
MOST_POINTING = 2
#: What a word counts that stands only around it.
BESIDE = 0.5


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """What answers a question about the person."""

    fact: Noticed
    #: When it was said, as the prompt gives it; empty for this visit.
    day: str
    score: float
    #: Whether the question asks for just this relation, so that the value alone is an answer.
    is_meant: bool = False
    #: What alone answers it, of words that answer it; empty where that cannot be told for certain.
    value: str = ""


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


def asks_of_self(said: str) -> bool:
    """Whether somebody asks for what they told of themselves."""
    apart = sentences(said) or [said]
    return any(_asks(one) for one in apart) or (
        len(apart) > 1
        and asks(apart[-1])
        and _SMALL.issuperset(words(_bare(apart[-1])))
        and bool(_POINTED_AT.search(said))
    )


#: What a bare *did I?* or *would you say it?* may point to.
_POINTED_AT = re.compile(
    r"\b(?:my|his|her|their) name\b|\bwhether i (?:told|said)\b|\b(?:told|said to) me\b", re.IGNORECASE
)


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
    if _ORDER.search(sentence):
        return True
    if _OTHERWISE.search(sentence) and not _MEMORY.search(sentence):
        return False
    if _SHORT.match(sentence):
        return True
    if asks(sentence):
        sentence = _head(sentence)
        mine = _FIRST.search(sentence) and not _YOU.search(sentence)
        return bool(
            mine
            or _THEIRS.search(sentence)
            or _MEMORY.search(sentence)
            or _OF_ME.search(sentence)
            or _AGAIN.match(sentence)
        )
    return bool(_MEMORY.search(sentence)) and not _MENTIONS.search(sentence)


#: Who belongs to whoever speaks of them so.
_THEIRS = re.compile(
    r"\b(?:the (?:missus|wife|husband|hubby|kids|fella|baby|little one)|(?<!your )(?:mum|mom|dad|nan|gran|grandma|grandpa)(?:'s)?)\b",
    re.IGNORECASE,
)
#: *Where is the ceremony again* was told before.
_AGAIN = re.compile(
    r"^(?:\w+,? ){0,2}(?:who|what|which|where|when|how)\b(?!.*\b(?:you|u)\b).*\bagain\W*$", re.IGNORECASE
)


def says_told(said: str) -> bool:
    """Whether a question says that what it asks for was told."""
    return bool(_MEMORY.search(said) or _AGAIN.match(said))


def follows(said: str) -> bool:
    """Whether a question can only be understood by what was said before it."""
    question = question_in(said)
    if STOP.issuperset(words(_KINDS.sub(" ", question))):
        return True  # it only says what kind of thing it asks for
    return bool(_FOLLOWS.search(question)) and len(STOP.union(words(question)) - STOP) <= 3


def remembered(said: str, known: Sequence[KnownLine], meaning: Meaning, *, before: str = "") -> FoundMemory | None:
    """What answers a question best, of all that is known; None if nothing answers it.

    Args:
        known: newest first; of equals the first is taken.
        before: what was last spoken of, for a question that points back to it.
    """
    if not known:
        return None
    if (end := _FIRST_OR_LAST.search(said)) is not None:
        return _at_the_end(known, first="first" in end.group().casefold())
    text, found = _whole_question(said), ranked(said, known, meaning, before=before)
    question = _Question(text, known)
    if (outright := _outright(question, known)) is not None:
        return outright
    score, best = max(found, key=lambda one: one[0])
    names_it = bool(question.wanted & _roots(best.fact.text))
    if score < _least(said, meaning, pointing=bool(before) and follows(text), names_it=names_it):
        return _standing_out(known) if _WHO_AM_I.search(text) and score > _NEVER / 2 else None
    return _said_back(question, best, found)


def _outright(question: _Question, known: Sequence[KnownLine]) -> FoundMemory | None:
    """What answers a question whose form alone says what it asks for; None if it is of no such form."""
    if _ALL.search(question.text) and (everything := _everything(known)) is not None:
        return everything
    return _several(question, known) or _whose(question, known)


def _said_back(question: _Question, best: KnownLine, found: Sequence[tuple[float, KnownLine]]) -> FoundMemory:
    """The best of what was found, as it answers the question."""
    score = next(each for each, one in found if one is best)
    slot, fact = question.slot, best.fact
    if _by_cue(question, best) == _CUE and (slot is None or not slot.is_alone or question.given(fact.value)):
        return FoundMemory(fact, best.day, score, is_meant=True)
    if value := alone(question.text, fact.text):
        return FoundMemory(fact, best.day, score, value=value)
    if (who := _antecedent(question, best)) is not None:
        return FoundMemory(fact, best.day, score, value=who)
    near = [one.fact.text for each, one in found if each >= score - AS_GOOD and one.message == best.message]
    if _lacks(question, best):
        near.append(best.message)
    return FoundMemory(replace(fact, text=_whole(best, near)), best.day, score)


#: The first thing told in a visit, or the last, whatever it is.
_FIRST_OR_LAST = re.compile(
    r"\b(?:first|last) (?:thing|words?)\b.*\bi\b.*\b(?:say|said|tell|told|mention(?:ed)?)\b|"
    r"\bwhat (?:did i (?:just|last) (?:say|tell|mention)|(?:have )?i'?(?:ve)? just (?:said|told))(?: you)?\W*$",
    re.IGNORECASE,
)


def _at_the_end(known: Sequence[KnownLine], *, first: bool) -> FoundMemory | None:
    """The first message of this visit that tells something, or the newest."""
    after = {one.before: one for one in known if not one.day and one.message}
    told, at = [], ""
    while (one := after.pop(at, None)) is not None:
        told += [one] if len(telling(one.message)) > 1 else []
        at = one.message
    if not told:
        return None
    one = told[0 if first else -1]
    return FoundMemory(replace(one.fact, text=one.message), "", 1.0)


def _several(question: _Question, known: Sequence[KnownLine]) -> FoundMemory | None:
    """The names of all that are asked for together."""
    if not (question.asks_name and _PLURAL.search(question.text)):
        return None
    named = {
        one.fact.value: one
        for one in reversed(known)
        if one.fact.relation == "name" and one.fact.subject in question.people
    }
    if len(named) < 2:
        return None
    *others, last = named
    text = ". ".join(dict.fromkeys(one.fact.text.strip(" .!") for one in named.values()))
    newest = named[last]
    return FoundMemory(replace(newest.fact, text=text), newest.day, 1.0, value=f"{', '.join(others)} and {last}")


def _whose(question: _Question, known: Sequence[KnownLine]) -> FoundMemory | None:
    """Who somebody is whose name was told."""
    asked = _WHO_IS.search(question.text)
    who = asked["name"].casefold() if asked else ""
    one = next(
        (
            one
            for one in known
            if one.fact.relation == "name" and one.fact.subject != SELF and one.fact.value.casefold() == who
        ),
        None,
    )
    return None if one is None else FoundMemory(one.fact, one.day, 1.0, value=f"my {one.fact.subject}")


_WHO_IS = re.compile(r"\bwho(?:'s| is| was|s)? (?P<name>[^\W\d_]+)(?: is| was)?\W*$", re.IGNORECASE)
_PLURAL = re.compile(
    r"\b(?:names|both|kids|children|twins|sons|daughters|brothers|sisters|parents|(?:dog|cat|horse|goat|boy|girl|lad|pet|friend)s(?! name)|little ones)\b(?!')",
    re.IGNORECASE,
)


def _antecedent(question: _Question, one: KnownLine) -> str | None:
    """Who *he* is in what answers a question for somebody; None where that is no matter."""
    text = one.fact.text
    if question.slot is None or question.slot.kind != "who" or not _HE.match(text) or not one.before:
        return None
    if question.given(one.message.split(text)[0]):
        return None
    named = [name for name in _PROPER.findall(one.before) if name not in question.names]
    return named[0] if named else None


_HE = re.compile(r"^(?:and |but |so )*(?:he|she|they)\b", re.IGNORECASE)
_BY_NAME = re.compile(r"^(?!I\b|I')[A-Z][a-z]+ (?:is|was|has|had|\w{3,}s|\w{3,}ed)\b")


def _lacks(question: _Question, one: KnownLine) -> bool:
    """Whether what was told says no more than the question, or the message around it has what is asked for."""
    if _roots(one.fact.text) <= question.wanted | question.small:
        return True
    slot = question.slot
    return slot is not None and not question.given(one.fact.text) and bool(question.given(one.message))


def _whole(one: KnownLine, near: Sequence[str]) -> str:
    """What was told as it is said back: in the sentence that it stood in, or the message where others there fit as well.

    Where that is too long, the clause alone.
    """
    own = one.fact.text.strip(" .!").casefold()
    sentence = next((part for part in sentences(one.message) if own in part.casefold()), "")
    is_all = any(text.strip(" .!").casefold() not in sentence.casefold() for text in near)
    wholes = (one.message if is_all and not asks_anywhere(one.message) else "", sentence)
    return next((text for text in wholes if 0 < len(text.split()) <= MOST_WORDS), one.fact.text)


def ranked(
    said: str, known: Sequence[KnownLine], meaning: Meaning, *, before: str = ""
) -> list[tuple[float, KnownLine]]:
    """How well each thing known answers a question, in the order in which they are known."""
    text = _whole_question(said)
    question, asked = _Question(text, known), _bare(text)
    texts = [one.fact.text for one in known]
    arounds = [one.around for one in known]
    points = bool(before) and follows(text) and len(question.wanted) <= MOST_POINTING and not is_of_keeper(said)
    backs = meaning.likes(before, arounds) if points else [0.0] * len(texts)
    likes, nears = meaning.likes(asked, texts), meaning.likes(asked, arounds)
    newest = {*islice(dict.fromkeys(one.message for one in known if one.is_line and not one.day), MOST_RECENT)}
    alone = _ALONE / max(1, len({even for one in known if (even := question.given(one.fact.text))}))
    return [
        (
            round(
                _score(question, one, like + AROUND * near, alone)
                + _POINTED * back
                + _RECENT * (one.message in newest),
                2,
            ),
            one,
        )
        for one, like, near, back in zip(known, likes, nears, backs, strict=True)
    ]


def _standing_out(known: Sequence[KnownLine]) -> FoundMemory | None:
    """What somebody told of themself that one remembers them by."""
    own = [one for one in known if one.fact.subject == SELF and not one.is_line]
    best = max(own, key=lambda one: one.fact.salience, default=None)
    return None if best is None else FoundMemory(best.fact, best.day, LEAST)


#: Whoever asks for all that is known of them.
_ALL = re.compile(
    r"\b(?:what|all|everything|anything|something|things?|much)\b.*\b(?:know|remember|recall|noticed|learn(?:ed|t))\b (?:of|about) me\b|"
    r"\bwhat did i (?:say|tell you) about (?:me|myself)\b",
    re.IGNORECASE,
)
#: So many things are said of somebody at once.
MOST_TOLD = 3


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


def question_in(said: str) -> str:
    """The sentence that asks."""
    apart = sentences(said)
    last = next((one for one in reversed(apart) if asks(one)), None)
    return _head(last) if last else next((one for one in apart if _asks(one)), said)


#: What is said after a question in the same breath: why it is asked, or what to do about it.
_BREATH = re.compile(
    r", (?:let's|lets|let me|(?:do|did|can|would) you|i|i'm|i've|i'll|it|it's|my \w+ \w+|because|cause|just(?! now)|so|we|he|she|they|go on|come on|tell me|be honest|say)\b.*$",
    re.IGNORECASE,
)


def _head(question: str) -> str:
    """A question without what is said after it in the same breath."""
    head = _BREATH.sub("", question)
    return head if head != question and len(head.split()) > LEAST_HEAD and asks(head) else question


#: Words of a question that do not say what it asks for: "you know who I mean, right?"
_SMALL = STOP | {"still", "now", "even", "again"}
_EMPTY = frozenset(one[:5] for one in telling("know mean right guess think remember"))


def _whole_question(said: str) -> str:
    """The sentence that asks; all that was said, where it only points there."""
    question = question_in(said)
    return said if _EMPTY.issuperset(_roots(_bare(question))) or _SMALL.issuperset(words(_bare(question))) else question


def _bare(question: str) -> str:
    """The question without what only says that it asks for something told."""
    return " ".join(_FRAMES.sub(" ", question).split()) or question


def texts_of(said: str, known: Sequence[KnownLine], before: str = "") -> list[str]:
    """All that :func:`remembered` compares, for whoever has to make vectors of it first."""
    question = _whole_question(said)
    return [
        said,
        *sentences(said),
        _bare(question),
        *([before] if before else []),
        *(one.fact.text for one in known),
        *(one.around for one in known),
    ]


def _least(said: str, meaning: Meaning, *, pointing: bool, names_it: bool) -> float:
    if says_told(said) and meaning.is_encoder:
        return LEAST_TOLD
    if asks_of_self(said) or (pointing and not is_of_keeper(said)):
        return LEAST if meaning.is_encoder else LEAST_BY_WORDS
    if not is_of_keeper(said):
        return LEAST_NAMED if names_it else LEAST_OPEN
    return LEAST_UNASKED if meaning.is_encoder else LEAST_UNASKED_BY_WORDS


class _Question:
    """What a question asks for, read once for all that may answer it."""

    def __init__(self, text: str, known: Sequence[KnownLine]) -> None:
        self.text = text
        self.slot = slot_of(text)
        self.called = {
            one.fact.value.casefold(): one.fact.subject
            for one in known
            if one.fact.relation == "name" and one.fact.subject != SELF
        }
        self.own_names = {one.fact.value for one in known if one.fact.relation == "name" and one.fact.subject == SELF}
        left = _KINDS.sub(" ", _bare(text))
        self.wanted = frozenset[str]() if STOP.issuperset(words(left)) else _roots(left) - _EMPTY
        self.people = {one for who in self.kin(_OWNER.sub("", text)) for one in _meant(who)}
        self.is_mine = bool(self.people) and (_SUBJECT.search(text) or _OWNS.search(text)) is not None
        self.days = {day.group().casefold().rstrip("s") for day in _DAY.finditer(text)}
        self.names = frozenset(_PROPER.findall(text))
        self.small = _roots(f"{text} {SELF} said told mine")
        self.is_own = not self.people and _I_DO.search(_bare(text)) is not None
        self.named_only = frozenset(one.casefold()[:_ROOT] for one in _NAMED_ONLY.findall(text))
        self.asks_surname = _SURNAME.search(text) is not None
        self.asks_name = self.slot is not None and self.slot.kind == "name"
        self.is_favourite = _FAVOURITE.search(text) is not None
        self.is_earlier = _EARLIER.search(text) is not None
        self.asks_place = _PLACES.search(text) is not None
        self.sayings = [held for asked, held in _SAYING if asked.search(text)]
        others = bool(self.names) and not _FIRST.search(text)  # somebody else's are asked for
        named = frozenset(("name",)) if self.people else None
        self.cues = [
            (relations, own)
            for form, relations, own in _CUES
            if form.search(text) and not (own and (others or relations == named))
        ]

    def given(self, text: str) -> tuple[str, ...]:
        """What of a text is of the kind that is asked for."""
        found = () if self.slot is None else values(self.slot, self.text, in_full(text))
        return tuple(one for one in found if not self._of_others(one))

    def _of_others(self, name: str) -> bool:
        """Whether a name is somebody's of whom nothing is asked."""
        if not self.people:
            return False
        return name in self.own_names or self.called.get(name.casefold(), SELF) not in {SELF, *self.people}

    def kin(self, text: str) -> set[str]:
        """Whom a text speaks of: by what they are, or by the names they were told by."""
        said = set(text.casefold().replace("'s", " ").replace(",", " ").split())
        return _named(text).union(who for name, who in self.called.items() if name in said)


#: What whoever asks does or is themself; and what a text tells that tells of somebody else only.
_I_DO = re.compile(r"\b(?:do|did|am|was|have|had|will|would|should|can|could) i\b|\bi (?:am|was|have)\b", re.IGNORECASE)
_OF_ANOTHER = re.compile(
    r"(?:^|[.!] )(?:and |but |so )?(?:he|she|they|his|her|their|(?:he|she|they)'\w+)\b(?!.*\b(?:i|i'm|i've|me|my|we|us|our)\b)[^.!]*[.!]?$",
    re.IGNORECASE,
)
#: What nobody tells without the word for it.
_NAMED_ONLY = re.compile(
    r"\b(birthday|maiden|middle|nickname|address|phone number|star sign|password|title|height|weight|salary|wage|shoe size|blood)\b",
    re.IGNORECASE,
)
#: Which tells of a birthday without the word.
_TURNS = re.compile(
    r"\bturn(?:s|ing|ed)? (?:\d+|\w+) (?:on|in|next|this|last|tomorrow|today)\b|\bborn (?:on|in)\b", re.IGNORECASE
)
_SURNAME = re.compile(r"\bmy (?:surname|(?:last|family|second|full) name)\b", re.IGNORECASE)
_FAVOURITE = re.compile(r"\bfav\w*rite\b", re.IGNORECASE)
_LIKED = re.compile(r"\b(?:fav\w*rite|loves?|likes?|best|prefer\w*)\b", re.IGNORECASE)
#: Whom else a word may mean that stands for several.
_ALSO: Final = {
    "child": ("son", "daughter", "baby", "twins"), "baby": ("child", "son", "daughter"), "son": ("child",), "daughter": ("child",),
    "partner": ("wife", "husband", "girlfriend", "boyfriend"), "ex": ("wife", "husband"),
    **dict.fromkeys(("wife", "husband", "girlfriend", "boyfriend"), ("partner",)),
    "cats": ("cat",), "cat": ("cats",), "parents": ("mother", "father"),
}  # fmt: skip
_OWNS = re.compile(
    r"\b(?:do i have|have i(?: got)?|i have)\b|\b(?:what|which) \w+ (?:do|did|have) (?:i|we)\b", re.IGNORECASE
)
#: *My daughter's boyfriend* is not the daughter.
_OWNER = re.compile(rf"\b[\w]+'s (?=(?:{WHO}|{'|'.join(ALIKE)})\b)", re.IGNORECASE)


def _meant(who: str) -> tuple[str, ...]:
    return (who, *_ALSO.get(who, ()))


#: Words that say of what kind the answer is, and nothing of what it is about.
_KINDS = re.compile(
    r"\b(?:what|which) (?:year|day|date|time|month|age|city|town|country|place|number|kind of|sort of|part of)\b|"
    r"\bhow (?:old|many|much|long|far|often)\b|\b(?:called|named?|exactly|lol|reckon|long enough)\b",
    re.IGNORECASE,
)
#: So many letters of a word tell it from others, whatever its ending.
_ROOT = 5


def _roots(text: str) -> frozenset[str]:
    return frozenset(term[:_ROOT] for term in told_terms(text))


def _score(question: _Question, one: KnownLine, like: float, alone: float) -> float:
    fact, around = one.fact, one.around
    born = " birthday" if _TURNS.search(around) else ""
    held, near = _roots(f"{fact.subject} {fact.relation} {fact.text}{born}"), _roots(around + born)
    shared = sum(1.0 if word in held else BESIDE if word in near else 0.0 for word in question.wanted)
    score = like + _WORDS * shared / max(1, len(question.wanted))
    score += _by_kind(question, one, score, alone) + _by_cue(question, one)
    score += _by_subject(question, fact, around) + 2 * _KIND * _same_day(question, fact.text)
    if question.is_own and _OF_ANOTHER.search(fact.text):
        score += 2 * _WRONG
    if question.named_only and question.named_only.isdisjoint(near):
        score += _NEVER
    if held <= question.wanted | question.small:
        score += _WRONG  # it says no more than the question
    if len(telling(fact.text)) <= 1 and not _SAYS_MUCH.search(fact.text):
        score -= 2 * _KIND
    return score + _by_time(question, one) - (0.05 if one.is_line else 0.0)


def _by_kind(question: _Question, one: KnownLine, near: float, alone: float) -> float:
    """How well the kind of thing fits that is asked for: a name, a number, what is liked best.

    It says the more the nearer the question is to what was told, and the fewer things told are of that kind.
    """
    fact = one.fact
    if question.asks_surname:
        return _KIND if fact.relation == "name" and " " in fact.value else _NEVER
    if question.asks_name:
        return _by_name(question, fact, alone)
    if question.is_favourite and not _LIKED.search(f"{fact.relation} {one.around}"):
        return _WRONG
    own = -_KIND if fact.relation == "name" and fact.subject == SELF and not question.cues else 0.0
    if (slot := question.slot) is None:
        return own
    if not question.given(fact.text):
        return own + _without(question, slot, one)
    is_rare = slot.is_sure or slot.kind in KINDS
    return own + min(1.0, near / TOPICAL) * (_KIND if slot.kind not in KINDS else _NAMED) + is_rare * alone


def _by_name(question: _Question, fact: Noticed, alone: float) -> float:
    """How well something told fits a question for a name."""
    if fact.relation == "name":
        if not question.people and fact.subject != SELF and _THEIR_NAME.search(question.text):
            return _NAMED
        return _KIND if not question.is_mine or fact.subject in question.people else _NEVER
    if question.given(fact.text):
        return _KIND + alone
    return _NEVER if question.is_mine or _NAME_OF.search(question.text) else 2 * _WRONG


_HOW_MANY = re.compile(r"\bhow many (?!years|months|weeks|days|hours|times)", re.IGNORECASE)


def _without(question: _Question, slot: Slot, one: KnownLine) -> float:
    """What it counts that something told holds nothing of the kind that is asked for."""
    if slot.kind in ("age", "much") or _HOW_MANY.search(question.text):
        return _NEVER
    if slot.kind in KINDS and slot.kind != "job":
        return -_KIND if question.given(one.message) else 2 * _WRONG
    return _WRONG if slot.is_sure else -2 * _KIND


_THEIR_NAME = re.compile(r"\b(?:his|her|their|its) name\b", re.IGNORECASE)
_NAME_OF = re.compile(r"\bnames?\b", re.IGNORECASE)


def _by_time(question: _Question, one: KnownLine) -> float:
    """How well the visit fits in which it was told."""
    score = 0.0
    if _NOW.search(question.text):
        score += -_KIND if one.day else _KIND
    if question.is_earlier:
        score += _KIND if one.day else -_KIND
    if question.names:
        score += _KIND if any(name in one.around for name in question.names) else -_KIND
    return score


#: What tells something in a single word: a name or a number.
_SAYS_MUCH = re.compile(r"\d|\b[A-Z](?!')\w+")
#: Of another kind than the question asks for, and no answer whatever else fits.
_NEVER = -9.0


_NOW = re.compile(r"\b(?:now|going to be then|just now|today)\b", re.IGNORECASE)
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
    r"\bwhere (?:do|did|am|was) i\b|\b(?:what|which) (?:city|town|country|village|place)\b|\b(?:city|town|country|village) (?:i|where)\b",
    re.IGNORECASE,
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
_QUIT = re.compile(r"\b(?:quit|(?:give|given|gave|giving) up|stop doing)\b", re.IGNORECASE)
_GIVES_UP = re.compile(
    r"\b(?:quit|giv(?:e|ing|en) up|gave up|stop(?:ped|ping)? \w+ing|to stop|off the)\b", re.IGNORECASE
)
#: Where a question asks for something of one kind, by the words it stands in.
_SAYING: Final = ((_FEELS, _HURTS), (_WITH_ME, _CAME_WITH), (_QUIT, _GIVES_UP))


def _named(text: str) -> set[str]:
    """The people and animals that a text names by what they are."""
    found = [
        one
        for one in _ANY_SUBJECT.finditer(text)
        if one["subject"].casefold() not in _LOOSE or _OWNED.search(text[: one.start()])
    ]
    named = {ALIKE.get(word, word) for word in (one["subject"].casefold() for one in found)}
    return named | {"wife", "husband"} if _MARRIED.search(text) else named


#: Whom one's own only means who is said to be that: "my man", and no man else.
_LOOSE: Final = frozenset(("man", "girl", "boy", "lad", "old man", "lass", "eldest", "oldest", "youngest"))
_OWNED = re.compile(r"\b(?:(?:my|our|his|her|their|your)(?: \w+)?|the (?:little|wee|small)) $", re.IGNORECASE)
_MARRIED = re.compile(r"\bmarried to\b|\b(?:been|i'm|got) married\b", re.IGNORECASE)


def _by_subject(question: _Question, fact: Noticed, around: str) -> float:
    if not question.people:
        return 0.0
    if fact.subject in question.people:
        return _NAMED
    if question.people & question.kin(fact.text):
        return _NAMED / 2
    if question.people & question.kin(around):
        return _NAMED / 4
    if not question.is_mine:
        return 0.0
    if _HE.match(fact.text) or (_BY_NAME.match(fact.text) and not question.kin(fact.text)):
        return 4 * -_KIND  # it may be of them
    return _NEVER if question.slot is not None and question.slot.is_sure else 2 * _WRONG


_FRAMES = re.compile(
    r"\b(?:(?:do|can|did|could|will) you (?:still |even )?(?:remember|recall|guess|tell me|say|know(?= (?:who|what|where|when|why|how|which|my|about)\b))|did i (?:say|tell you|mention)|have i (?:told you|said|mentioned)|"
    r"i (?:said|told you|mentioned)|say|said|told|tell|remember|recall|mention(?:ed)?|"
    r"again|quick test|anything|one thing|you know(?! (?:him|her|them|it|any|how)\b)|catch|called|last time|even|name)\b",
    re.IGNORECASE,
)
