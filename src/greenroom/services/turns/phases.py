"""The phases of an attempt and the ways between them: the diagram in docs/architecture.md is drawn from here."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Phase(StrEnum):
    """Where an attempt stands."""

    #: Worked out on the state at hand; nothing is stored.
    DRAFT = "draft"
    #: Stored, and anybody's to claim.
    RECORDED = "recorded"
    #: A worker holds its stream and runs its turn.
    CLAIMED = "claimed"
    #: Its turn waits for answers from outside.
    ASKING = "asking"
    #: Given back with everything that was answered, until a moment or until a child stream ends.
    PARKED = "parked"
    SETTLED = "settled"
    REFUSED = "refused"
    FAILED = "failed"


#: From each phase, where an attempt may go. A draft that asks nothing is recorded and settled in one transaction.
FLOW: Mapping[Phase, frozenset[Phase]] = {
    Phase.DRAFT: frozenset({Phase.RECORDED, Phase.SETTLED, Phase.REFUSED, Phase.FAILED}),
    Phase.RECORDED: frozenset({Phase.CLAIMED}),
    Phase.CLAIMED: frozenset({Phase.ASKING, Phase.PARKED, Phase.SETTLED, Phase.REFUSED, Phase.FAILED}),
    Phase.ASKING: frozenset({Phase.PARKED, Phase.SETTLED, Phase.REFUSED, Phase.FAILED}),
    Phase.PARKED: frozenset({Phase.CLAIMED}),
    Phase.SETTLED: frozenset(),
    Phase.REFUSED: frozenset(),
    Phase.FAILED: frozenset(),
}


def diagram() -> str:
    """The phases as a mermaid state diagram."""
    ways = [f"    {phase} --> {after}" for phase in Phase for after in Phase if after in FLOW[phase]]
    ends = [f"    {phase} --> [*]" for phase in Phase if not FLOW[phase]]
    return "\n".join(["stateDiagram-v2", f"    [*] --> {Phase.DRAFT}", f"    [*] --> {Phase.RECORDED}", *ways, *ends])
