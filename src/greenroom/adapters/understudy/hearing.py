"""Which topic a message belongs to: the one with an example most like it, if any is like enough."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from greenroom.adapters.facts.sentences import asks, sentences
from greenroom.adapters.understudy.meaning import Meaning

#: How like an example a message must be: by vectors, and by words.
NEAR, NEAR_BY_WORDS = 0.5, 0.5
#: From here on a topic is meant whatever else is near; below, it must be nearer than the next by a margin.
SURE, MARGIN = 0.65, 0.1
#: What likeness to an answer weighs beside likeness to an example, and how much of both together leaves
#: no doubt; from how far behind the likest example it counts.
ANSWERS, ANSWERED, FAR = 0.5, 0.64, 0.1
#: What a sentence alone must be liker than the whole message to speak for it.
ALONE = 0.05
#: Of so many examples, the nearest there are, so many of one topic leave no doubt; and so many more let it be less near.
AMONG, AGREE, ALL_AGREE, LESS_NEAR = 5, 3, 4, 0.42


@dataclass(frozen=True, slots=True)
class Heard:
    """A topic, and how near it is."""

    topic: str
    score: float


def heard(
    said: str,
    examples: Mapping[str, Sequence[str]],
    meaning: Meaning,
    answers: Mapping[str, Sequence[str]] | None = None,
) -> list[Heard]:
    """Topics that a message may belong to, the nearest first; of equals, the one that stands first.

    The message is heard as a whole and sentence by sentence: the last one that asks often is what it is about. Where
    answers are given, a question may be liker to what answers it than to any example.
    """
    parts = parts_of(said)
    least = NEAR if meaning.is_encoder else NEAR_BY_WORDS
    best = _nearest(parts, examples, meaning, 0.0 if meaning.is_encoder else least)
    order = {topic: i for i, topic in enumerate(examples)}
    ranked = sorted(
        (Heard(topic, score) for topic, score in best.items()), key=lambda one: (-one.score, order[one.topic])
    )
    near = [one for one in ranked if one.score >= least]
    if answers and meaning.is_encoder and asks(said) and (found := _answering(parts, best, answers, meaning)):
        return [found, *(one for one in near if one.topic != found.topic)]
    if not meaning.is_encoder or not ranked or ranked[0].score >= SURE:
        return near
    if (agreed := _agreed(parts[0], examples, meaning)) is not None:
        return [agreed, *(one for one in near if one.topic != agreed.topic)]
    return [] if asks(said) and _is_doubtful(ranked) else near


@lru_cache(maxsize=64)
def _flat(groups: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[Sequence[str], Sequence[str]]:
    """Topics and texts side by side; the same ones come again with every message."""
    return [topic for topic, given in groups for _ in given], tuple(text for _, given in groups for text in given)


def _side_by_side(texts: Mapping[str, Sequence[str]]) -> tuple[Sequence[str], Sequence[str]]:
    return _flat(tuple((topic, tuple(given)) for topic, given in texts.items()))


def _nearest(
    parts: Sequence[str], texts: Mapping[str, Sequence[str]], meaning: Meaning, least: float = 0.0
) -> dict[str, float]:
    """How like a message, whole or by its sentences, the likest text of each topic is, if it is so like at all."""
    topics, flat = _side_by_side(texts)
    best: dict[str, float] = {}
    for number, part in enumerate(parts):
        for topic, like in zip(topics, meaning.likes(part, flat, least), strict=True):
            if like and like > best.get(topic, 0.0):
                score = like if number == 0 else round(like - ALONE, 2)
                if score > best.get(topic, 0.0):
                    best[topic] = score
    return best


def _answering(
    parts: Sequence[str], best: Mapping[str, float], answers: Mapping[str, Sequence[str]], meaning: Meaning
) -> Heard | None:
    """The topic that a question is likest to by examples and answers together, if that leaves no doubt."""
    told = _nearest(parts, answers, meaning)
    both = {topic: score + ANSWERS * told.get(topic, 0.0) for topic, score in best.items()}
    first = max(both, key=lambda topic: both[topic], default=None)
    if first is None or first not in told or both[first] < ANSWERED or best[first] < max(best.values()) - FAR:
        return None
    return Heard(first, max(best[first], NEAR + 0.1))


def _is_doubtful(ranked: Sequence[Heard]) -> bool:
    """Whether the nearest topic is not nearer than the next."""
    return len(ranked) > 1 and round(ranked[0].score - ranked[1].score, 2) < MARGIN


def _agreed(said: str, examples: Mapping[str, Sequence[str]], meaning: Meaning) -> Heard | None:
    """The topic of most of the examples that are most like a message, which is more than one of them alone says."""
    topics, flat = _side_by_side(examples)
    likes = meaning.likes(said, flat)
    nearest = sorted(range(len(likes)), key=lambda i: (-likes[i], i))[:AMONG]
    ((topic, count),) = Counter(topics[i] for i in nearest).most_common(1)
    best = max(likes[i] for i in nearest if topics[i] == topic)
    least = LESS_NEAR if count >= ALL_AGREE else NEAR
    return Heard(topic, best) if count >= AGREE and best >= least else None


#: What says that something is asked, before it: "I'd like to know", "you never told me", "I don't understand".
_ASKED_AROUND = re.compile(
    r"^(?:(?:ok|okay|well|but|and|so|still|sorry|please|honestly),? )*(?:i(?:'d| would| should) (?:really |just |still |very much )?(?:like|love|want) to (?:know|hear)(?:, [^,]{1,40},)?|"
    r"i (?:really |just |still )?(?:want|need) to know|i(?:'m| am| was|'m still)? (?:wondering|curious)|i (?:still )?wonder|"
    r"you (?:still )?(?:didn't|did not|haven't|have not|never|don't|won't)(?: even| really)? (?:say|said|tell|told|explain|explained)(?: (?:to )?me)?|"
    r"i (?:still |really )?(?:don't|do not) (?:know|understand|get|see)|(?:please )?(?:tell|show) me|explain(?: to me)?) (?=(?!why i\b)(?:who|whom|whose|what|which|where|when|why|how)\b(?! to\b))",
    re.IGNORECASE,
)
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


#: Words that the beginning of a question has more than, to be one by itself.
LEAST_HEAD = 3
#: What only calls somebody.
_CALLS = re.compile(
    r"^(?:hello |hey |hi )?(?:are )?(?:you|u|anybody|anyone) (?:still )?(?:there|around|awake)\W*$", re.IGNORECASE
)


def outright(said: str) -> str:
    """What somebody wrote, with what they ask in other words asked outright, and without calls where there is more."""
    text = _ASKED_AFTER.sub(r"Do you remember \g<what>?", said.replace("’", "'"))
    apart = [_asked_outright(" ".join(one.split())) for one in sentences(text)]
    apart = [one for one in apart if not _CALLS.match(one)] or apart
    return "\n".join(_AND_ASKS.sub("?\n", one) if asks(one) else one for one in apart) or text


def _asked_outright(sentence: str) -> str:
    around = _ASKED_AROUND.match(sentence)
    if around is None:
        return sentence
    rest = sentence[around.end() :].rstrip(" .!?…")
    return f"{rest[:1].upper()}{rest[1:]}?"


def parts_of(said: str) -> list[str]:
    """The message, and where it has several sentences each of them; a question also up to its first comma."""
    whole = " ".join(said.split())
    apart = sentences(said)
    heads = [head for one in apart if asks(one) and len((head := one.split(",", 1)[0]).split()) > LEAST_HEAD]
    more = [*apart, *(head for head in heads if head not in apart)]
    return [whole, *more] if len(more) > 1 else [whole]
