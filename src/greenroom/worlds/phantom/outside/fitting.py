"""Which of a character's lines fit a moment, and how closely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from greenroom.worlds.phantom.rules.content import SpareLine

#: What is answered before anything else that was spoken of.
DEEDS = frozenset(
    ("key_deleted_claim", "key_use_claim", "key_use_denied", "threatens", "breaks_fiction", "shares_agent_secret")
)
#: What somebody does in nearly every message: a line that answers it alone answers nothing in particular.
FAINT = frozenset(("questions_agent", "mentions_key", "mentioned_agent_to_other"))

Conditions = Mapping[str, Sequence[str]]


def best(lines: Sequence[SpareLine], conditions: Conditions, topics: Sequence[str] = ()) -> list[SpareLine]:
    """The lines that fit a moment most closely; none where none does."""
    scored = [(line, held) for line in lines if (held := fit(line, conditions, topics)) is not None]
    most = max((held for _, held in scored), default=0.0)
    return [line for line, held in scored if held == most]


def fit(line: SpareLine, conditions: Conditions, topics: Sequence[str]) -> float | None:
    """How well a line fits: what was done counts before what was spoken of, that before the moment; None if not."""
    held = 5.0 * (not DEEDS.isdisjoint(line.to))
    if line.about:
        if not set(line.about) & set(topics):
            return None
        held += 4.0 * (topics[0] in line.about) + 1.0 * bool(set(topics[1:]) & set(line.about))
    for wanted, found, weight in (
        (line.to, conditions["player"], 1.0 if set(line.to) <= FAINT else 2.0),
        (line.phase, conditions["phase"], 0.5),
        ((line.tone,) if line.tone else (), conditions["tone"], 4.5),
        ((line.trust,) if line.trust else (), conditions["trust"], 0.5),
        (() if line.key_used is None else ("yes" if line.key_used else "no",), conditions["key_used"], 0.5),
    ):
        if wanted and not set(wanted) & set(found):
            return None
        held += bool(wanted) * weight
    return held
