"""Only what belongs to certain worlds."""

from __future__ import annotations

from collections.abc import Sequence


def of_worlds(column: str, worlds: Sequence[str] | None) -> tuple[str, tuple[str, ...]]:
    """The end of a condition, and what it is given; nothing where every world will do.

    The plus keeps the planner from looking for an index on the world instead of the one on the moment.
    """
    if worlds is None:
        return "", ()
    return f" AND +{column} IN ({', '.join('?' * len(worlds))})", tuple(worlds)
