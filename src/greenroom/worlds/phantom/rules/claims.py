"""What agents claim: found in a draft, held against the truth and against older claims, kept with the letter alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from msgspec import Struct

from greenroom.kernel.asks import Failed, Recall, Recalled
from greenroom.kernel.words import Scope
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.content import Agent, ClaimType, Significance, Truth
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.sentences import match_tokens, spoken, storable, tokens
from greenroom.worlds.phantom.rules.state import ClaimNote, noted

WEIGHTY = ("high", "critical")
#: Claims of a model's, beside those that the content knows.
MOST_CLAIMS = 4
#: How like each other two claims are that speak of the same.
ALIKE = 0.8

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "maxItems": MOST_CLAIMS,
            "items": {
                "type": "object",
                "properties": {
                    "statement": {"type": "string", "minLength": 3, "maxLength": 200},
                    "type": {"type": "string", "enum": list(get_args(ClaimType))},
                    "significance": {"type": "string", "enum": list(get_args(Significance))},
                    "same_as": {"type": ["integer", "null"]},
                },
                "required": ["statement", "type", "significance"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["claims"],
    "additionalProperties": False,
}

_NEGATIONS = frozenset({"not", "never", "no", "dont", "didnt", "wont", "cannot", "cant", "isnt", "wasnt", "havent"})
_SMALL = frozenset(
    ("a", "an", "the", "that", "this", "it", "is", "was", "has", "have", "had", "says", "say", "said", "to", "of", "in",
     "on", "and", "or", "she", "he", "they")
)  # fmt: skip


class StoryClaim(Struct, frozen=True, kw_only=True):
    """A claim that a draft makes, in the third person."""

    claim: str
    type: ClaimType
    is_true: bool | None
    significance: Significance
    subject: str | None = None
    says: bool = True
    #: Owning up: no fault, whatever was said before.
    confesses: bool = False


def by_rules(agent: Agent, draft: str) -> tuple[StoryClaim, ...]:
    """The claims that the content knows, matched sentence by sentence."""
    found: dict[str, StoryClaim] = {}
    for said in spoken(draft):
        for claim in (*_facts(agent, said), *_rules(agent, said)):
            found.setdefault(claim.claim, claim)
    return tuple(found.values())


def _facts(agent: Agent, said: str) -> Iterable[StoryClaim]:
    for fact in agent.ground_truth.facts:
        if match_tokens(fact.pattern, said) is not None:
            yield _claim(fact)


def _claim(fact: Truth) -> StoryClaim:
    return noted(StoryClaim, fact, is_true=None if fact.type in ("opinion", "promise") else fact.truth)


def _rules(agent: Agent, said: str) -> Iterable[StoryClaim]:
    for rule in agent.ground_truth.rules:
        about = match_tokens(rule.pattern, said)
        if about is not None:
            truth = doesnt_know(agent, about)
            yield StoryClaim(claim=rule.claim, type="fact", is_true=truth, significance=rule.significance)


def doesnt_know(agent: Agent, about: str) -> bool | None:
    """Whether it is true that the agent does not know something; None where its file says nothing of it."""
    if any(_about(phrase, about) for phrase in agent.knowledge.doesnt_know):
        return True
    return False if any(_about(phrase, about) for phrase in agent.knowledge.knows) else None


def _about(phrase: str, text: str) -> bool:
    """Whether most of a phrase's words stand in a text."""
    words = set(tokens(phrase)) - _SMALL
    return bool(words) and len(words & set(text.split())) * 3 >= len(words) * 2


def by_model(answer: Any, agent: Agent, draft: str, known: Sequence[StoryClaim]) -> tuple[StoryClaim, ...] | None:
    """What a model found beyond the claims known already; None if its answer is junk."""
    match answer:
        case {"claims": list(found)} if all(_sound(one) for one in found):
            pass
        case _:
            return None
    claims: list[StoryClaim] = []
    for one in found[:MOST_CLAIMS]:
        same = _same(agent, one.get("same_as"), one["statement"])
        if same is not None:
            claims += [same] if all(same.claim != other.claim for other in (*known, *claims)) else []
            continue
        plain = f"{agent.name} made a claim of {one['significance']} weight."
        stored = storable(one["statement"], (draft,), otherwise=plain)
        if all(_likeness(stored, other.claim) < 0.6 for other in (*known, *claims)):
            claims.append(StoryClaim(claim=stored, type=one["type"], is_true=None, significance=one["significance"]))
    return tuple(claims)


def _same(agent: Agent, number: Any, statement: str) -> StoryClaim | None:
    """A model's claim as the content knows it, with its truth: by number, or because it says the same."""
    facts = agent.ground_truth.facts
    named = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(facts)
    fact = facts[number] if named else next((one for one in facts if _likeness(statement, one.claim) >= 0.6), None)
    return None if fact is None else _claim(fact)


def _sound(one: Any) -> bool:
    match one:
        case {"statement": str(), "type": str(kind), "significance": str(weight)}:
            return kind in get_args(ClaimType) and weight in get_args(Significance)
        case _:
            return False


# contradiction


def contradicted(
    claim: StoryClaim, older: Iterable[ClaimNote], likes: Mapping[int, float] | None = None
) -> ClaimNote | None:
    """The weighty older claim that this one denies without owning up to it; ``likes`` is how alike they mean."""
    if claim.confesses:
        return None
    live = (one for one in older if one.significance in WEIGHTY and not one.contradicted)
    return next((one for one in live if denies(claim, one, (likes or {}).get(one.n, 0.0))), None)


def denies(claim: StoryClaim, older: ClaimNote, like: float = 0.0) -> bool:
    """Whether two claims take different sides: by subject where the content gives one, else by words or meaning."""
    if claim.subject is not None or older.subject is not None:
        return claim.subject == older.subject and claim.says != older.says
    opposed = _negated(claim.claim) != _negated(older.claim)
    return opposed and (_likeness(claim.claim, older.claim) >= 0.6 or like >= ALIKE)


def _negated(sentence: str) -> bool:
    return len(_NEGATIONS & set(tokens(sentence))) % 2 == 1


def _likeness(one: str, other: str) -> float:
    """The share of weighty words that two sentences have in common."""
    words, others = (set(tokens(sentence)) - _SMALL - _NEGATIONS for sentence in (one, other))
    return len(words & others) / max(1, len(words | others))


def weighty(claims: Sequence[StoryClaim]) -> tuple[StoryClaim, ...]:
    return tuple(claim for claim in claims if claim.significance in WEIGHTY)


def search(claims: Sequence[StoryClaim], scope: Scope) -> tuple[Recall, ...]:
    """Ask the agent's memory for older claims that might stand against these."""
    found = []
    for claim in claims:
        where = {"kind": "claim", "weighty": True, "subject": claim.subject or ""}
        if claim.subject:  # only the other side of it is of interest
            where["says"] = not claim.says
        found.append(Recall(query=claim.claim, scope=scope, limit=3, where=where))
    return tuple(found)


def brought_back(claims: Sequence[StoryClaim], answers: Sequence[Any]) -> tuple[ClaimNote, ...]:
    """Older claims as recall gave them, one answer for each claim that was looked for."""
    found = [(claim, one) for claim, answer in zip(claims, answers, strict=True) if not isinstance(answer, Failed)
             for one in answer]  # fmt: skip
    return tuple(_note(claim, one) for claim, one in found)


def _note(claim: StoryClaim, found: Recalled) -> ClaimNote:
    label, _, text = found.text.partition("] ")
    return ClaimNote(
        n=int(label.rpartition(" ")[2]),
        claim=text,
        subject=claim.subject,
        says=claim.says != bool(claim.subject),
        is_true=None,
        significance="high",
        memory=found.id,
    )


# keeping


def keep(scene: Scene, agent: str, claims: Sequence[StoryClaim], against: Sequence[ClaimNote], message: str) -> None:
    """Store the claims of an accepted letter; an older claim that one of them denies is marked."""
    for claim in claims:
        n = scene.state.counts.claims + 1
        denied = next((one for one in against if not one.contradicted and denies(claim, one)), None)
        words = scene.remember(
            agent,
            f"[{agent} claim {n}] {claim.claim}",
            speaker=agent,
            kind="claim",
            subject=claim.subject or "",
            says=claim.says,
            weighty=claim.significance in WEIGHTY,
            supersedes=denied.memory if denied else None,
        )
        scene.tell(noted(e.ClaimMade, claim, n=n, agent=agent, message=message, words=words))
        if denied is not None:
            scene.tell(e.ClaimContradicted(n=denied.n, agent=agent, by=n))
