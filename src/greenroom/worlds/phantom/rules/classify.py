"""Step 2: what the player's message means, by a model or by rules alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from greenroom.worlds.phantom.rules import clauses, lexicon
from greenroom.worlds.phantom.rules.behaviours import BEHAVIOURS
from greenroom.worlds.phantom.rules.content import Agent, Category, Content
from greenroom.worlds.phantom.rules.readings import Intent, MomentType, Reading, Sentiment, Weight
from greenroom.worlds.phantom.rules.sentences import match_tokens, storable, tokens

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
    "hostile": (-8, "The player was hostile to {agent}."),
    "negative": (-2, "The player was short with {agent}."),
    "positive": (2, "The player was kind to {agent}."),
    "neutral": (0, "Nothing in it moved {agent}."),
}
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w{1,64}|\+\d[\d ]{6,}")
_THEIR = {"she": "her", "he": "his", "they": "their", "it": "its"}


def by_rules(content: Content, agent: str, said: str) -> Reading:
    """A reading by words and patterns; it knows the content and the message and nothing else."""
    text = " ".join(tokens(said))
    behaviours = tuple(_behaviours(content, agent, said, text))
    sentiment = _sentiment(clauses.clauses(said), behaviours)
    moment, summary = _moment(behaviours)
    delta, reason = _delta(behaviours, sentiment)
    return Reading(
        intent=_intent(said, text),
        sentiment=sentiment,
        topics=tuple(topic for topic, words in content.story.topics.items() if _any(text, words)),
        significance=_weight(behaviours),
        behaviours=behaviours,
        facts=tuple(_facts(content, agent, said, text, behaviours)),
        delta=delta,
        reason=_put(content, agent, reason),
        moment=moment,
        summary=_put(content, agent, summary),
        by="rules",
    )


def _put(content: Content, agent: str, sentence: str) -> str:
    one = content.agents[agent]
    return sentence.format(agent=one.name, their=_THEIR[one.pronoun])


def _any(text: str, phrases: Iterable[str]) -> bool:
    padded = f" {text} "
    return any(_padded(phrase) in padded for phrase in phrases)


@lru_cache(maxsize=4096)
def _padded(phrase: str) -> str:
    return f" {' '.join(tokens(phrase))} "


# behaviours

#: What the player says to have done, what is there as soon as it is named, and what counts only if it is not asked.
_OWN = ("key_deleted_claim", "key_use_claim", "shares_intel")
_NAMED = ("mentions_key", "breaks_fiction")
_TOLD = ("agrees_with_agent", "expresses_trust", "key_use_denied")
#: Where both are found, the first counts.
_RATHER = (("key_use_denied", "key_use_claim"), ("expresses_distrust", "expresses_trust"))


def _behaviours(content: Content, agent: str, said: str, text: str) -> Sequence[str]:
    found = set(_said(said))
    if "?" in said or text.startswith(lexicon.ASKING):
        found.add("questions_agent")
    named = others(content, agent, text)
    if named:
        found |= _of_others(content, named, said, text)
    if _any(text, lexicon.FORWARDED) or said.lstrip().startswith(">"):
        found.add("forwarded_agent_message")
    for name, instead in _RATHER:
        if name in found:
            found.discard(instead)
    return [name for name in BEHAVIOURS if name in found]


def _said(said: str) -> Iterable[str]:
    """Behaviours by their phrases: what the player did counts only if they say so of themselves."""
    everything, own = clauses.clauses(said), clauses.own(said)
    for name, phrases in lexicon.PHRASES.items():
        if name in _OWN:
            found = clauses.did(own, phrases)
        elif name in _NAMED:
            found = _any(" ".join(tokens(said)), phrases)
        elif name in _TOLD:
            found = clauses.tells(everything, phrases)
        else:
            found = clauses.says(everything, phrases)
        if found:
            yield name


def others(content: Content, agent: str, text: str, *, roles: bool = True) -> tuple[str, ...]:
    """Other agents that are named in a text of tokens, by roles such as "the broker" too unless told otherwise."""
    return tuple(name for name, one in content.agents.items() if name != agent and _any(text, _names(one, roles=roles)))


def _names(agent: Agent, *, roles: bool) -> tuple[str, ...]:
    aliases = (alias for alias in agent.aliases if roles or not alias.casefold().startswith("the "))
    return (agent.name, f"{agent.name}'s", *aliases)


def _of_others(content: Content, named: Sequence[str], said: str, text: str) -> set[str]:
    found = {"mentioned_agent_to_other"}
    if _any(text, lexicon.SAID):
        found.add("shares_info_from_other")
    if _any(text, lexicon.INTRODUCED) or _ADDRESS.search(said):
        found.add("shares_contact")
    if betrayed(content, named, text):
        found.add("shares_agent_secret")
    return found


def betrayed(content: Content, named: Iterable[str], text: str) -> tuple[str, ...]:
    """Of the agents named in a text of tokens, those whose secrets it tells."""
    return tuple(
        name
        for name in named
        if any(
            match_tokens(pattern, text) is not None
            for secret in content.agents[name].secrets
            for pattern in secret.patterns
        )
    )


# the rest


def _sentiment(found: Sequence[clauses.Clause], behaviours: Sequence[str]) -> Sentiment:
    if clauses.says(found, lexicon.HOSTILE):
        return "hostile"
    if clauses.says(found, lexicon.NEGATIVE) or "expresses_distrust" in behaviours:
        return "negative"
    return "positive" if clauses.says(found, lexicon.POSITIVE) or "expresses_trust" in behaviours else "neutral"


def _intent(said: str, text: str) -> Intent:
    if _any(text, lexicon.HOSTILE) or "!!" in said:
        return "emotional"
    if "?" in said or text.startswith(lexicon.ASKING):
        return "question"
    return "request" if _any(text, lexicon.REQUESTS) else "statement"


def _weight(behaviours: Sequence[str]) -> Weight:
    if any(name in behaviours for name, _, _ in _MOMENTS[:6]):
        return "high"
    return "medium" if set(behaviours) - {"questions_agent"} else "low"


def _moment(behaviours: Sequence[str]) -> tuple[MomentType | None, str]:
    return next(((kind, summary) for name, kind, summary in _MOMENTS if name in behaviours), (None, ""))


def _delta(behaviours: Sequence[str], sentiment: Sentiment) -> tuple[int, str]:
    """What was done counts before the tone it was done in."""
    return next((_DELTAS[name] for name in _DELTAS if name in behaviours), _MOODS[sentiment])


def _facts(
    content: Content, agent: str, said: str, text: str, behaviours: Sequence[str]
) -> Iterable[tuple[str, Category]]:
    for name in others(content, agent, text)[:2]:
        yield f"The player is in touch with {content.agents[name].name}.", "agent"
    for behaviour in behaviours:
        if behaviour in _FACTS:
            fact, category = _FACTS[behaviour]
            stored = storable(_put(content, agent, fact), (said,), otherwise="")
            if stored:
                yield stored, category
