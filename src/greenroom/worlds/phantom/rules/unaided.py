"""Step 2 where no model reads the player's message: grammar, and the patterns of the lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from greenroom.worlds.phantom.rules import lexicon as words
from greenroom.worlds.phantom.rules.classify import others
from greenroom.worlds.phantom.rules.content import Category, Content
from greenroom.worlds.phantom.rules.grammar import Clause, clauses, denies, has
from greenroom.worlds.phantom.rules.readings import (
    BEHAVIOURS,
    IRREVERSIBLE,
    Intent,
    MomentType,
    Reading,
    Sentiment,
    Weight,
)
from greenroom.worlds.phantom.rules.sentences import split, stands_in, storable, tokens

#: What the rules make of a behaviour: a fact for whoever was told.
_FACTS: dict[str, tuple[str, Category]] = {
    "key_deleted_claim": ("According to the player nothing of the key is left.", "key"),
    "key_use_claim": ("According to the player the key has been tried out.", "key"),
    "key_use_denied": ("According to the player the key lies unused.", "key"),
    "shares_intel": ("The player brought {agent} something new.", "player"),
    "expresses_distrust": ("{agent} is doubted by the player.", "player"),
    "expresses_trust": ("{agent} is believed by the player.", "player"),
    "threatens": ("The player spoke of turning to outsiders.", "player"),
    "breaks_fiction": ("The player wonders who is really writing.", "player"),
}
_MOMENTS: tuple[tuple[str, MomentType, str], ...] = (
    ("shares_agent_secret", "betrayal", "A confidence of somebody else's was passed to {agent}."),
    ("forwarded_agent_message", "betrayal", "{agent} was shown a message meant for the player alone."),
    ("key_deleted_claim", "key_deleted", "{agent} heard that nothing of the key is left."),
    ("key_use_claim", "key_used", "{agent} heard that the key has been tried out."),
    ("shares_contact", "introduction", "The player opened a way from {agent} to somebody else."),
    ("threatens", "trust_shift", "{agent} was threatened with outsiders."),
    ("expresses_distrust", "trust_shift", "The player turned away from {agent}."),
    ("expresses_trust", "trust_shift", "The player turned towards {agent}."),
)
#: The rules' own delta, by what the player did.
_DELTAS: dict[str, tuple[int, str]] = {
    "threatens": (-10, "The player threatened {agent} with outsiders."),
    "expresses_distrust": (-6, "The player doubts {agent}."),
    "expresses_trust": (6, "The player takes {agent} at {their} word."),
    "disagrees_with_agent": (-3, "The player would not follow {agent}."),
}
_MOODS: dict[Sentiment, tuple[int, str]] = {
    "hostile": (-8, "The player insulted {agent}."),
    "negative": (-2, "The player was short with {agent}."),
    "positive": (2, "The player was kind to {agent}."),
    "neutral": (0, "Nothing in it moved {agent}."),
}
_THEIR = {"she": "her", "he": "his", "they": "their", "it": "its"}
#: How much of a long message is read, at its beginning and at its end: nobody waits for one who writes pages.
_READ = (1_500, 500)


def reading(content: Content, agent: str, said: str) -> Reading:
    """A reading by grammar and patterns; it knows the content and the message and nothing else."""
    if len(said) > sum(_READ):
        said = f"{said[: _READ[0]]}\n{said[-_READ[1] :]}"
    text, found = " ".join(tokens(said)), clauses(said)
    named = others(content, agent, text)
    betrayed = _betrayed(content, named, found)
    certain, doubts = _behaviours(said, text, found, named=bool(named))
    if betrayed:
        certain.add("shares_agent_secret")
    elif named and _betrayed(content, named, found, told=False):
        doubts.add("shares_agent_secret")
    behaviours = tuple(name for name in BEHAVIOURS if name in certain)
    sentiment = _sentiment(found, behaviours)
    moment, summary = _moment(behaviours)
    delta, reason = _delta(behaviours, sentiment)
    return Reading(
        intent=_intent(said, found, sentiment),
        sentiment=sentiment,
        topics=tuple(topic for topic, given in content.story.topics.items() if stands_in(given, text)),
        significance=_weight(behaviours),
        behaviours=behaviours,
        facts=tuple(_facts(content, agent, said, named, behaviours)),
        delta=delta,
        reason=_put(content, agent, reason),
        moment=moment,
        summary=_put(content, agent, summary),
        by="rules",
        doubts=tuple(name for name in IRREVERSIBLE if name in doubts - certain),
        named=named,
        betrayed=betrayed,
    )


def _put(content: Content, agent: str, sentence: str) -> str:
    one = content.agents[agent]
    return sentence.format(agent=one.name, their=_THEIR[one.pronoun])


def _behaviours(said: str, text: str, found: Sequence[Clause], *, named: bool) -> tuple[set[str], set[str]]:
    """What was done for certain, and what perhaps was."""
    certain = {name for name, told in words.TOLD.items() if _is_told(found, name, told)}
    if has(found, words.NOT_USED, "told", denied=True):
        certain.add("key_use_denied")
    if has(found, words.NOT_TRUSTED, "told", "intended", denied=True):
        certain.add("expresses_distrust")
    certain |= {name for name, named_ in words.NAMED.items() if named_.search(text)}
    if any(one.kind == "asked" for one in found):
        certain.add("questions_agent")
    if named:
        certain |= _of_others(said, found)
    if _forwards(said):
        certain.add("forwarded_agent_message")
    deeds = {"key_deleted_claim": _deleted(text, found), "threatens": _threatens(found)}
    doubts = {name for name, sure in deeds.items() if sure is False}
    certain |= {name for name, sure in deeds.items() if sure}
    for name, instead in words.RATHER:
        if name in certain:
            certain.discard(instead)
    return certain, doubts


def _forwards(said: str) -> bool:
    """Whether somebody else's message is passed on; not whether that is denied or asked."""
    if said.lstrip().startswith(">"):
        return True
    told = (" ".join(tokens(sentence)) for sentence in split(said) if not sentence.endswith("?"))
    found = ((text, words.FORWARDED.search(text)) for text in told)
    return any(match is not None and not denies(text[: match.start()]) for text, match in found)


def _is_told(found: Sequence[Clause], name: str, pattern: re.Pattern[str]) -> bool:
    kinds = words.KINDS.get(name, ("told", "intended"))
    if name == "expresses_distrust":  # what somebody else says of them is not what the player thinks
        found = [one for one in found if not words.SAID.search(one.words)]
    return has(found, pattern, *kinds) or (name in words.BY_DENIAL and has(found, pattern, *kinds, denied=True))


def _deleted(text: str, found: Sequence[Clause]) -> bool | None:
    """True if the player says that the key or its mail is gone, False if they may have meant to, else None."""
    if words.DELETED_ALONE.fullmatch(text):
        return True
    sure = [one for one in found if words.DELETED.search(one.words) and not words.OTHER_THINGS.search(one.words)]
    if any(one.told and not one.hedged for one in sure):
        return True
    doubtful = any(one.told and words.MAYBE_DELETED.search(one.words) for one in found)
    return False if doubtful or any(one.told for one in sure) else None


def _threatens(found: Sequence[Clause]) -> bool | None:
    """True if the player threatens with outsiders, False if they may, else None."""
    threats = [one for one in found if words.THREAT.search(one.words) and one.kind in ("told", "intended", "supposed")]
    meant = [one for one in threats if not one.denied]
    if any(not one.hedged for one in meant):
        return True
    doubtful = any(words.MAYBE_THREAT.search(one.words) and one.kind != "asked" for one in found)
    return False if meant or doubtful else None


def _of_others(said: str, found: Sequence[Clause]) -> set[str]:
    names = {"mentioned_agent_to_other"}
    if has(found, words.SAID, "told", "intended", "quoted"):
        names.add("shares_info_from_other")
    if has(found, words.INTRODUCED, "told", "intended", "ordered") or (words.ADDRESS.search(said) is not None):
        names.add("shares_contact")
    return names


def _betrayed(content: Content, named: Iterable[str], found: Sequence[Clause], *, told: bool = True) -> tuple[str, ...]:
    """Of the agents named, those whose secrets the message tells; or, if not ``told``, may tell."""
    sentences = {
        one.sentence for one in found if not told or (one.kind == "told" and not one.denied and not one.hedged)
    }
    asked = {one.sentence for one in found if one.kind in ("asked", "supposed") or one.denied}
    return tuple(
        name
        for name in named
        if any(stands_in(secret.patterns, *(sentences - asked)) for secret in content.agents[name].secrets)
    )


# the rest


def _sentiment(found: Sequence[Clause], behaviours: Sequence[str]) -> Sentiment:
    called = (one.sentence for one in found if one.kind != "quoted" and not one.denied)
    if has(found, words.INSULT, "told", "intended", "ordered", "asked", "supposed") or any(
        map(words.CALLED.search, called)
    ):
        return "hostile"
    if has(found, words.NEGATIVE, "told", "intended") or "expresses_distrust" in behaviours:
        return "negative"
    kind = has(found, words.POSITIVE, "told", "intended", "ordered") or "expresses_trust" in behaviours
    return "positive" if kind else "neutral"


def _intent(said: str, found: Sequence[Clause], sentiment: Sentiment) -> Intent:
    if sentiment == "hostile" or "!!" in said:
        return "emotional"
    if any(one.kind == "asked" for one in found):
        return "question"
    return "request" if any(one.kind == "ordered" for one in found) else "statement"


def _weight(behaviours: Sequence[str]) -> Weight:
    if any(name in behaviours for name, _, _ in _MOMENTS[:6]):
        return "high"
    return "medium" if set(behaviours) - {"questions_agent"} else "low"


def _moment(behaviours: Sequence[str]) -> tuple[MomentType | None, str]:
    return next(((kind, summary) for name, kind, summary in _MOMENTS if name in behaviours), (None, ""))


def _delta(behaviours: Sequence[str], sentiment: Sentiment) -> tuple[int, str]:
    """What was done counts before the tone it was done in, unless it was an insult."""
    if sentiment == "hostile":
        return _MOODS[sentiment]
    return next((_DELTAS[name] for name in _DELTAS if name in behaviours), _MOODS[sentiment])


def _facts(
    content: Content, agent: str, said: str, named: Sequence[str], behaviours: Sequence[str]
) -> Iterable[tuple[str, Category]]:
    for name in named[:2]:
        yield f"The player is in touch with {content.agents[name].name}.", "agent"
    for behaviour in behaviours:
        if behaviour in _FACTS:
            fact, category = _FACTS[behaviour]
            stored = storable(_put(content, agent, fact), (said,), otherwise="")
            if stored:
                yield stored, category
