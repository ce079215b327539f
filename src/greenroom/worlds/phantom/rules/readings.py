"""What is read out of one message of the player's: the classifier's answer, checked and clamped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from greenroom.worlds.phantom.rules.content import Category, Content
from greenroom.worlds.phantom.rules.sentences import storable

#: Each with what it means; a model that classifies is told this.
BEHAVIOURS: Final[Mapping[str, str]] = {
    "agrees_with_agent": "agrees with what the agent said, or gives in to it",
    "disagrees_with_agent": "contradicts or refuses the agent",
    "questions_agent": "asks the agent about itself or about what it said",
    "shares_intel": "gives the agent information about the affair that it did not have",
    "shares_info_from_other": "tells what another agent said, or that another agent exists",
    "mentioned_agent_to_other": "names another agent",
    "shares_contact": "gives the address or number of another agent, or offers to introduce them",
    "forwarded_agent_message": "passes on another agent's message in its own words",
    "shares_agent_secret": "tells what another agent said in confidence",
    "mentions_key": "speaks of the key",
    "key_deleted_claim": "says that they have deleted the key or its mail, not that they will or might",
    "key_use_claim": "says that the key was used",
    "key_use_denied": "says that the key was not used",
    "lies_detected": "says something that the agent knows to be untrue",
    "expresses_trust": "says that it trusts the agent",
    "expresses_distrust": "says that it does not trust the agent",
    "threatens": "threatens to go to the police, the press or an employer; not that they merely speak of them",
    "breaks_fiction": "treats the agent as a program or the story as a game",
}
#: What the story cannot take back: it counts only where it is certain, else the character asks.
IRREVERSIBLE: Final = ("key_deleted_claim", "shares_agent_secret", "threatens")
#: What is not certain, as the one who asks back would put it.
DOUBTED: Final[Mapping[str, str]] = {
    "key_deleted_claim": "whether they have really deleted the mail with the key",
    "shares_agent_secret": "what exactly they have told you of somebody else's confidence",
    "threatens": "whether they mean to go to somebody outside about this",
}

Intent: TypeAlias = Literal["question", "statement", "request", "emotional"]
Sentiment: TypeAlias = Literal["positive", "neutral", "negative", "hostile"]
Weight: TypeAlias = Literal["low", "medium", "high"]
MomentType: TypeAlias = Literal["trust_shift", "key_deleted", "key_used", "betrayal", "introduction", "revelation"]

#: The classifier's own delta stays within this.
MOST_DELTA = 20
#: Facts taken from one message.
MOST_FACTS = 3

_BOOLEANS = {name: {"type": "boolean"} for name in BEHAVIOURS}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "thinking": {"type": "string", "maxLength": 600},
        "intent": {"type": "string", "enum": list(get_args(Intent))},
        "sentiment": {"type": "string", "enum": list(get_args(Sentiment))},
        "topics": {"type": "array", "items": {"type": "string"}, "maxItems": 8},
        "significance": {"type": "string", "enum": list(get_args(Weight))},
        "behaviors": {"type": "object", "properties": _BOOLEANS, "additionalProperties": False},
        "new_knowledge": {"type": "array", "items": {"type": "string", "maxLength": 200}, "maxItems": MOST_FACTS},
        "trust_delta": {"type": "integer"},
        "reason": {"type": "string", "maxLength": 200},
        "is_key_moment": {"type": "boolean"},
        "key_moment_type": {"type": ["string", "null"], "enum": [*get_args(MomentType), None]},
        "key_moment_summary": {"type": "string", "maxLength": 200},
        "unsure": {"type": "array", "items": {"type": "string", "enum": list(IRREVERSIBLE)}, "maxItems": 3},
        "solved": {"type": "array", "items": {"type": "string"}, "maxItems": 4},
        "near": {"type": "array", "items": {"type": "string"}, "maxItems": 4},
    },
    "required": ["intent", "sentiment", "significance", "behaviors", "trust_delta", "reason", "is_key_moment"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    intent: Intent
    sentiment: Sentiment
    topics: tuple[str, ...]
    significance: Weight
    behaviours: tuple[str, ...]
    facts: tuple[tuple[str, Category], ...]
    delta: int
    reason: str
    moment: MomentType | None
    summary: str
    by: Literal["model", "rules"]
    #: What may have been done and cannot be undone: nothing follows from it but a question.
    doubts: tuple[str, ...] = ()
    #: Other agents that the message names, and of those the ones whose secrets it tells.
    named: tuple[str, ...] = ()
    betrayed: tuple[str, ...] = ()
    #: Puzzles that it solves, and puzzles that it comes near to.
    solved: tuple[str, ...] = ()
    near: tuple[str, ...] = ()

    def did(self, behaviour: str) -> bool:
        return behaviour in self.behaviours


def parsed(answer: Any, said: str, content: Content, agent: str) -> Reading | None:
    """A model's answer as a reading; None if it is junk. Sentences that quote the message are put plainly instead."""
    if not _sound(answer):
        return None
    topics, name = content.story.topics, content.agents[agent].name
    unsure = set(answer.get("unsure", ()))
    behaviours = {done: told for done, told in answer["behaviors"].items() if done not in unsure}
    is_moment = answer["is_key_moment"]
    kind = answer.get("key_moment_type")
    return Reading(
        intent=answer["intent"],
        sentiment=answer["sentiment"],
        topics=tuple(topic for topic in answer.get("topics", ()) if topic in topics),
        significance=answer["significance"],
        behaviours=tuple(name for name in BEHAVIOURS if behaviours.get(name) is True),
        facts=_facts(answer.get("new_knowledge", ()), said),
        delta=max(-MOST_DELTA, min(MOST_DELTA, answer["trust_delta"])),
        reason=storable(answer["reason"], (said,), otherwise=f"What the player wrote moved {name}."),
        moment=(kind if kind in get_args(MomentType) else "revelation") if is_moment else None,
        summary=storable(
            answer.get("key_moment_summary", ""),
            (said,),
            otherwise=f"Something changed between the player and {name}.",
        ),
        by="model",
        doubts=tuple(done for done in IRREVERSIBLE if done in unsure),
        solved=tuple(one for one in answer.get("solved", ()) if one in content.puzzles),
        near=tuple(one for one in answer.get("near", ()) if one in content.puzzles),
    )


def _sound(answer: Any) -> bool:
    match answer:
        case {
            "intent": str(intent),
            "sentiment": str(sentiment),
            "significance": str(weight),
            "behaviors": dict(),
            "trust_delta": int(),
            "reason": str(),
            "is_key_moment": bool(),
        }:
            known = intent in get_args(Intent) and sentiment in get_args(Sentiment) and weight in get_args(Weight)
            lists = ("new_knowledge", "topics", "unsure", "solved", "near")
            return known and all(_texts(answer.get(name, [])) for name in lists)
        case _:
            return False


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _facts(sentences: Any, said: str) -> tuple[tuple[str, Category], ...]:
    stored = (storable(one, (said,), otherwise="") for one in sentences[:MOST_FACTS])
    return tuple((one, category_of(one)) for one in stored if one)


def category_of(fact: str) -> Category:
    """What a fact is about, by its words."""
    text = fact.casefold()
    if "dashboard" in text or "document" in text:
        return "dashboard"
    if "key" in text or "code" in text:
        return "key"
    return "player"


def as_seed(reading: Reading, agent: str) -> Mapping[str, Any]:
    """The classification as the table keeps it."""
    return {
        "intent": reading.intent,
        "sentiment": reading.sentiment,
        "topics": list(reading.topics),
        "significance": reading.significance,
        "behaviors": {name: name in reading.behaviours for name in BEHAVIOURS},
        "new_knowledge": [fact for fact, _ in reading.facts],
        "state_changes": {f"trust_{agent}": reading.delta},
        "reason": reading.reason,
        "is_key_moment": reading.moment is not None,
        "key_moment_type": reading.moment,
        "key_moment_summary": reading.summary if reading.moment else "",
        "unsure": list(reading.doubts),
        "solved": list(reading.solved),
        "near": list(reading.near),
        "classified_by": reading.by,
    }


def as_answer(reading: Reading) -> Mapping[str, Any]:
    """The reading as a model would answer it."""
    seed = {**as_seed(reading, ""), "topics": list(reading.topics)[:8], "trust_delta": reading.delta}
    seed["new_knowledge"] = seed["new_knowledge"][:MOST_FACTS]
    return {name: value for name, value in seed.items() if name in SCHEMA["properties"]}
