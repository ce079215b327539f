"""Which topic a message belongs to: the one whose examples and answers are most like it, if they are like enough."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from greenroom.adapters.facts.sentences import asks, orders, sentences, to_keep
from greenroom.adapters.understudy.cues import Cues
from greenroom.adapters.understudy.meaning import Meaning
from greenroom.adapters.understudy.wondering import wondered
from greenroom.text.stems import STOP, telling, words

#: From here on a topic is meant.
NEAR = 0.5
#: What a question's likeness to an answer, and the share of its words that the topic has, weigh beside its likeness to
#: an example; how much of all together is enough, by vectors and by words.
ANSWERS, WORDS = 0.5, 0.2
ENOUGH, ENOUGH_BY_WORDS = 0.43, 0.45
#: What it counts against a topic that nobody asks about it in this form: when, how many, who.
OTHER_FORM = 0.06
#: What a sentence alone must be liker than the whole message to speak for it, and what is told beside a question liker
#: than the question.
ALONE, TOLD = 0.05, 0.15


@dataclass(frozen=True, slots=True)
class Heard:
    """A topic, and how near it is."""

    topic: str
    score: float


class Subjects:
    """What somebody can be spoken to about: of each topic what people say, and what is said or known to it.

    A question is often liker to what answers it than to any other question, and neither is liker to the right topic
    than a rare word that both have: the three are weighed together. Something told is compared with examples alone, and
    no question belongs to a topic of which nobody asks.
    """

    def __init__(
        self, examples: Mapping[str, Sequence[str]], answers: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._order = {topic: i for i, topic in enumerate(examples)}
        self._examples = _SideBySide(examples)
        self._answers = _SideBySide(answers or {})
        self._words = {
            topic: frozenset(telling(" ".join((*given, *(answers or {}).get(topic, ())))))
            for topic, given in examples.items()
        }
        self._forms = {topic: frozenset(map(form_of, given)) for topic, given in examples.items()}
        self._asked = {topic for topic, given in examples.items() if any(asks(one) or orders(one) for one in given)}
        counts = Counter(chain.from_iterable(self._words.values()))
        self._rarity = {word: math.log(1 + len(self._words) / count) for word, count in counts.items()}

    def heard(self, said: str, meaning: Meaning, *, before: Sequence[str] = ()) -> list[Heard]:
        """Topics that a message may belong to, the nearest first; of equals, the one that stands first.

        It is heard as a whole and sentence by sentence; where something is told and something asked, what is asked is
        what it is about. A question that only points back is heard together with what was said before.
        """
        best: dict[str, float] = {}
        for part, less in _weighed(said, parts_of(said, before)):
            for topic, score in self._scores(part, meaning).items():
                best[topic] = max(best.get(topic, 0.0), score - less)
        found = (Heard(topic, round(score, 2)) for topic, score in best.items())
        near = [one for one in found if one.score >= NEAR]
        return sorted(near, key=lambda one: (-one.score, self._order[one.topic]))

    def _scores(self, part: str, meaning: Meaning) -> dict[str, float]:
        likes = self._examples.nearest(part, meaning)
        if not (asks(part) or orders(part)):
            return likes
        answered = self._answers.nearest(part, meaning)
        enough, by_words = (ENOUGH, WORDS) if meaning.is_encoder else (ENOUGH_BY_WORDS, ANSWERS)
        most = 1 + by_words + (ANSWERS if meaning.is_encoder else 0.0)
        own = self._known(part)
        weight = sum(own.values())
        scores, form = {}, form_of(part)
        for topic in self._asked.intersection(likes):
            like = likes[topic]
            shared = sum(rare for word, rare in own.items() if word in self._words[topic]) / weight if weight else 0.0
            told = ANSWERS * answered.get(topic, like) if meaning.is_encoder else 0.0
            unfit = OTHER_FORM if form and form not in self._forms[topic] else 0.0
            scores[topic] = (like + told + by_words * shared) / most + NEAR - enough - unfit
        return scores

    def _known(self, part: str) -> dict[str, float]:
        """What its telling words weigh: rare ones more, and those that no topic has as much as the rarest."""
        rarest = math.log(1 + len(self._words))
        return {word: self._rarity.get(word, rarest) for word in telling(part)}


_FORM = re.compile(
    r"\b(?:(?P<when>when|(?:what|which) (?:year|day|date|month|time)|how long ago)|(?P<long>how long|since)|(?P<who>who|whom|whose)|(?P<where>where)|"
    r"(?P<why>why|how come|what for)|how (?P<much>many|much|often|old|far|high|tall|big|deep|fast))\b",
    re.IGNORECASE,
)


@lru_cache(8192)
def form_of(question: str) -> str:
    """Which kind of thing a question wants: a time, a person, a place, a reason, a number; empty for anything else."""
    found = _FORM.search(question)
    return "" if found is None else found["much"] or found.lastgroup or ""


class _SideBySide:
    """Texts of topics in one row, as they are compared."""

    def __init__(self, texts: Mapping[str, Sequence[str]]) -> None:
        self._topics = [topic for topic, given in texts.items() for _ in given]
        self._texts = tuple(text for given in texts.values() for text in given)

    def nearest(self, said: str, meaning: Meaning) -> dict[str, float]:
        """How like something said the likest text of each topic is."""
        best: dict[str, float] = {}
        for topic, like in zip(self._topics, meaning.likes(said, self._texts), strict=True):
            if like and like > best.get(topic, 0.0):
                best[topic] = like
        return best


#: What says that something is asked, before it: "I'd like to know", "you never told me", "I don't understand".
_SO = r"(?:(?:ok|okay|well|but|and|so|still|sorry|please|honestly),? )*"
_AROUND = (
    r"i(?:'d| would| should) (?:really |just |still |very much )?(?:like|love|want) to (?:know|hear)(?:, [^,]{1,40},)?",
    r"(?:may|can|could) i ask(?: you)?",
    r"i (?:really |just |still )?(?:want|need) to know|i(?:'m| am| was|'m still| keep)? (?:wondering|curious)|i (?:still )?wonder",
    r"you (?:still )?(?:didn't|did not|haven't|have not|never|don't|won't)(?: even| really)? (?:say|said|tell|told|explain|explained)(?: (?:to )?me)?",
    r"i (?:still |really )?(?:don't|do not) (?:know|understand|get|see)|(?:please )?(?:tell|show) me|explain(?: to me)?",
)
_WHAT = r"(?=(?!why i\b)(?:who|whom|whose|what|which|where|when|why|how)\b(?! to\b))"
_ASKED_AROUND = re.compile(rf"^{_SO}(?:{'|'.join(_AROUND)}) {_WHAT}", re.IGNORECASE)
#: "I told you my name. Do you remember it?" asks for what the first of them names.
_ASKED_AFTER = re.compile(
    r"\bi (?:told|gave|mentioned|said)(?: to)?(?: you)? (?P<what>my [^.!?]{1,80})[.!,]+ (?:do|can) you (?:still )?(?:remember|recall|know)(?: it| that| him| her| them)?\?",
    re.IGNORECASE,
)


#: Where a question goes over into another: "how old are you and do you live alone?"
_AND_ASKS = re.compile(
    r",? (?:and|or) (?=(?:(?:who|what|where|when|why|how)(?: \w+)? )?(?:do|does|did|is|are|was|were|have|has|can|could|will|would) "
    r"(?:you|he|she|it|they|this|that|there)\b)",
    re.IGNORECASE,
)
#: Where a question goes over into what its asker tells: "what was your first job, mine was in a shop".
_AND_TELLS = re.compile(
    r"^(?P<asked>.*\byour?\b.*?), (?P<told>(?:mine|i|i'm|i've|we|my \w+) (?!mean\b|wonder\b|suppose\b|guess\b).*[^?])$",
    re.IGNORECASE,
)


#: What is told in the same breath before a question: "on my lunch break so quick one, what was your first job?"
_OF_ONE = r"(?:i|i'm|im|i've|ive|my|we|our|one|question|this|that's|it's)"
_BEFORE_ASKED = re.compile(
    r"^(?P<told>(?!(?:if|when|since|suppose|imagine|because|after|before|for|in|on|at|so|and|but|ok|okay|well)\b)"
    rf"[^,:?]*?\b{_OF_ONE}\b[^,:?]*)(?:,|:| [-–]) "
    r"(?P<asked>(?:who|what|what's|whats|where|when|why|how|which|do|did|are|were|have|would|is|was|can|could)\b.*\?)$",
    re.IGNORECASE,
)
#: Words that may be added to a question after its end: "did you ever play anything? like music".
MOST_ADDED = 3
#: Words that the beginning of a question has more than, to be one by itself.
LEAST_HEAD = 3
#: What only calls somebody.
_CALLS = re.compile(
    r"^(?:hello |hey |hi )?(?:are )?(?:you|u|anybody|anyone) (?:still )?(?:there|around|awake)\W*$", re.IGNORECASE
)


#: What asks for no more than the reason of that which was asked just before it.
_WHY = re.compile(r"^(?:and |but )?(?:why|how come|why(?: or why)? not)\W*$", re.IGNORECASE)
_MY_AGE = re.compile(r"\bwhen you were (?:about |around |only )?my age\b", re.IGNORECASE)
#: A question that is asked only so as to answer it: "You know what I miss? The bad hotels."
_TELLS = re.compile(
    r"^(?:and |so |but |do )*(?:(?:you|ya|u) )?(?:know|guess) what(?:'s \w+| (?:i|he|she|they|we|my \w+) \w+| \w+s me)?(?: \w+)?[?!.]+$",
    re.IGNORECASE,
)
#: What is said with the voice of a question and asks nothing: "…, right?", "…, isn't it?".
_TAG = re.compile(
    r"(?:(?<=[\w'])[,.!] |^)(?:yeah|you know|you know that|you know what i mean|know what i mean|get it|see|ok|okay|all ?right)\?+$|"
    r"(?:(?<=[\w'])[,.!]? |^)(?:right|innit|eh|huh|"
    r"(?:is|was|does|do|did|are|were|has|have|had|would|could|can|wo|ca)n't (?:it|that|he|she|they|there|we|i))\?+$",
    re.IGNORECASE,
)


#: Questions that nobody wants answered.
_RHETORICAL: Final = Cues("""
none: ^can you imagine$ | ^can you imagine it$ | ^can you imagine that$ | ^can you believe it$ |
  ^can you beleive it$ | ^can you believe that$ | ^would you believe it$ | ^isn't that daft$ | ^isn't that mad$ |
  ^isn't it daft$ | ^who knew$ | ^who does that$ | ^who does this$ | ^what can you do$ | ^what can i do$ |
  ^you know that$ | ^how about that$ | ^what do you know$ | ^who would have thought$
""")


def _told(sentence: str) -> str:
    """A sentence without the tag it ends with, where it asks nothing else."""
    told = _TAG.sub("", sentence)
    return sentence if told == sentence or (told and asks(told)) else f"{told or sentence.rstrip('?')}."


def outright(said: str) -> str:
    """What somebody wrote, with what they ask in other words asked outright, and without calls where there is more."""
    text = _ASKED_AFTER.sub(r"Do you remember \g<what>?", (to_keep(said) or said).replace("’", "'"))
    text = _MY_AGE.sub("when you were young", text)
    apart = [_BEFORE_ASKED.sub(r"\g<told>.\n\g<asked>", _told(" ".join(one.split()))) for one in sentences(text)]
    apart = [one for one in apart if not _RHETORICAL.of(one)] or apart
    apart = [_asked_outright(one) for part in apart for one in part.split("\n")]
    apart = [one for one in apart if not _TELLS.match(one)] or apart
    apart = [one for one in apart if not _CALLS.match(one)] or apart
    apart = [one for one, before in zip(apart, ["", *apart], strict=False) if not (_WHY.match(one) and asks(before))]
    return (
        "\n".join(
            _AND_ASKS.sub("?\n", _AND_TELLS.sub(r"\g<asked>?\n\g<told>", one)) if asks(one) else one for one in apart
        )
        or text
    )


def _asked_outright(sentence: str) -> str:
    around = _ASKED_AROUND.match(sentence)
    if around is None:
        return wondered(_DID.sub("did ", _HAVE.sub("have ", sentence)) if asks(sentence) else sentence)
    rest = sentence[around.end() :].rstrip(" .!?…")
    return f"{rest[:1].upper()}{rest[1:]}?"


def _weighed(said: str, parts: Sequence[str]) -> list[tuple[str, float]]:
    """The parts of a message, with what each counts less than the one that it is about."""
    apart = [" ".join(one.split()) for one in sentences(said)]
    asked = [one for one in apart if asks(one)]
    if len(apart) < 2 or not asked or points_back(asked[-1]):
        return [(part, ALONE if number else 0.0) for number, part in enumerate(parts)]
    asked += [f"{one} {more}" for one, more in pairwise(apart) if one in asked and len(more.split()) <= MOST_ADDED]
    return [
        *((one, 0.0) for one in asked),
        *((part, ALONE if asks(part) else TOLD) for part in parts if part not in asked),
    ]


#: What is left out on a phone: "you ever kill anybody", "you seen any ghosts".
_HAVE = re.compile(
    r"^(?=you (?:ever )?(?:been|seen|had|done|gone|eaten|got|lost|met|broken|heard|found|tried|\w{3,}ed)\b)(?!you had\b)",
    re.IGNORECASE,
)
_DID = re.compile(r"^(?=you ever )", re.IGNORECASE)
_LOOSE = re.compile(
    r"\b(?:(?P<two>you two)|(?P<whose>his|their|her(?= (?!(?:to|in|on|at|for|with|about|and|or|then|again|now|too|still|out|off)\b)\w))|"
    r"(?P<who>he|him|she|her|they|them)|(?P<it>(?<!is )(?<!was )(?<!find )(?<!about )it(?! (?:is|was|like to|feel)\b)))(?P<short>'s)?\b",
    re.IGNORECASE,
)
_ONES: Final = {"him": "he", "his": "he", "her": "she", "them": "they", "their": "they"}


def named(said: str, means: Mapping[str, str]) -> str:
    """A question with those named to whom it only points: "when did he die" is "when did your father die"."""

    def name(found: re.Match[str]) -> str:
        word = found[0].removesuffix("'s").lower()
        meant = means.get(_ONES.get(word, word))
        if meant is None:
            return found[0]
        return f"{meant}'s" if found["whose"] else f"{meant}{' is' if found['short'] else ''}"

    return "\n".join(_LOOSE.sub(name, one) if asks(one) else one for one in sentences(said)) if means else said


#: A question that says nothing of what it is about: "why is that?", "and then?", "is it?".
_POINTING = frozenset(
    words(
        "that this it he she they him her them there then one thing reason else really thing mean so happened happen exactly long often ago reckon think agree view opinion say true right same"
    )
)
MOST_POINTING = 6


def points_back(said: str) -> bool:
    """Whether a question says so little that what was said before must tell what it is about."""
    found = words(said)
    return asks(said) and len(found) <= MOST_POINTING and STOP.union(_POINTING).issuperset(found)


#: What stands before a question and says when it is meant: "when the work is done, what do you do?"
WHEN_ASKED = re.compile(
    r"^(?:(?:and|but|so),? )?(?:when|if|after|while|once|before) [^,?]+, (?=(?:what|who|whom|how|where|which|why|do|did|would|will|can|could|are|is)\b)",
    re.IGNORECASE,
)


def _head(question: str) -> str:
    """A question up to its first comma, or from there on where that only says when; what is supposed belongs to it."""
    supposed = WHEN_ASKED.match(question) and re.match(r"(?:\w+,? )?if\b", question, re.IGNORECASE)
    return "" if supposed else WHEN_ASKED.sub("", question).split(",", 1)[0]


def parts_of(said: str, before: Sequence[str] = ()) -> list[str]:
    """The message, and where it has several sentences each of them; a question also up to its first comma.

    One that points back is read together with each thing that it may point to.
    """
    whole = " ".join(said.split())
    if before and points_back(whole):
        return [f"{whole.rstrip(' ?.!')} {one}" for one in before]
    apart = sentences(said)
    heads = [head for one in apart if asks(one) and len((head := _head(one)).split()) > LEAST_HEAD]
    if len(apart) > 1 and points_back(apart[-1]):
        apart.append(f"{apart[-1].rstrip(' ?.!')} {apart[-2]}")
    added = [f"{one} {more}" for one, more in pairwise(apart) if asks(one) and len(more.split()) <= MOST_ADDED]
    more = [*apart, *(head for head in (*heads, *added) if head not in apart)]
    return [whole, *more] if len(more) > 1 else [whole]
