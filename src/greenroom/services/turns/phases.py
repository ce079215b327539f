"""The phases of an attempt and the ways between them: the diagram in docs/architecture.md is drawn from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

#: Where an attempt stands. A draft is worked out on the state at hand, and stored nowhere; a recorded one is stored and
#: anybody's to claim; of a claimed one somebody holds the stream and runs the turn; one that asks waits for answers
#: from outside; a parked one was given back with all that was answered, until a moment or until a child stream ends.
Phase: TypeAlias = Literal["draft", "recorded", "claimed", "asking", "parked", "settled", "refused", "failed"]

#: From each phase, where an attempt may go. A draft that asks nothing is recorded and settled in one transaction.
FLOW: Mapping[Phase, frozenset[Phase]] = {
    "draft": frozenset({"recorded", "settled", "refused", "failed"}),
    "recorded": frozenset({"claimed"}),
    "claimed": frozenset({"asking", "parked", "settled", "refused", "failed"}),
    "asking": frozenset({"parked", "settled", "refused", "failed"}),
    "parked": frozenset({"claimed"}),
    "settled": frozenset(),
    "refused": frozenset(),
    "failed": frozenset(),
}


def diagram() -> str:
    """The phases as a mermaid state diagram."""
    ways = [f"    {phase} --> {after}" for phase, next_ in FLOW.items() for after in FLOW if after in next_]
    ends = [f"    {phase} --> [*]" for phase, next_ in FLOW.items() if not next_]
    return "\n".join(["stateDiagram-v2", "    [*] --> draft", "    [*] --> recorded", *ways, *ends])
