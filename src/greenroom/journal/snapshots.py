"""When to take a snapshot: often enough to load quickly, seldom enough to store little."""

from __future__ import annotations

LEAST_STEPS = 8
MOST_STEPS = 64


def snapshot_due(*, steps: int, tail_bytes: int, snapshot_bytes: int) -> bool:
    """Whether the steps since the last snapshot weigh more than it did."""
    return steps >= MOST_STEPS or (steps >= LEAST_STEPS and tail_bytes > snapshot_bytes)
