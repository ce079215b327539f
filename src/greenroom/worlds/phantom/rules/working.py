"""The working state in the seed's own names: a pure function of the story, so that a restart changes nothing of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from greenroom.worlds.phantom.rules import spawning
from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.minds import knows_about
from greenroom.worlds.phantom.rules.pacing import phase
from greenroom.worlds.phantom.rules.state import CLAIMS, Character, ClaimNote, Phantom

#: The seed knows three levels; the two beyond show as the last of them.
LEVELS = {"active": "active", "casual": "casual", "dormant": "dormant", "lapsed": "dormant", "churned": "dormant"}


def working(content: Content, state: Phantom, at: datetime) -> Mapping[str, Any]:
    """Every key the seed names, with its value at a moment."""
    return {
        "current_agent": state.trace.agent,
        "user:story_phase": phase(state, at),
        "user:engagement_level": LEVELS[state.presence.level],
        "user:engagement_state": state.presence.level,
        **{f"user:trust_{name}": character.trust for name, character in state.cast.items()},
        **dict(pair for name, character in state.cast.items() for pair in _agent(name, character)),
        "world:exposure": state.exposure,
        "world:spawn_ready": list(spawning.ready(content, state)),
        "world:thursday_passed": state.thursday_passed,
        **{f"channel:{name}:owner": channel.owner for name, channel in state.channels.items()},
        "cache:recent_claims": _claims(state),
        "temp:intent_analysis": state.trace.intent,
        "temp:pending_state_changes": list(state.trace.changes),
        "temp:queued_exchanges": list(state.trace.exchanges),
    }


def _agent(name: str, character: Character) -> Iterable[tuple[str, Any]]:
    yield f"agent:{name}:lifecycle", character.level
    yield f"agent:{name}:response_prob", character.probability
    yield f"agent:{name}:delay_mult", character.multiplier
    yield f"agent:{name}:tone", character.tone
    for other in knows_about(character):
        yield f"agent:{name}:knows_about:{other}", True
    for giver, passed in character.learned.items():
        yield f"agent:{name}:learned_from:{giver}", list(passed.items)


def _claims(state: Phantom) -> list[Mapping[str, Any]]:
    """The newest claims of everybody, oldest first."""
    everything: list[tuple[str, ClaimNote]] = [
        (name, claim) for name, character in state.cast.items() for claim in character.claims
    ]
    newest = sorted(everything, key=lambda pair: pair[1].n)[-CLAIMS:]
    return [{"agent": name, "claim": claim.claim, "is_true": claim.is_true} for name, claim in newest]
