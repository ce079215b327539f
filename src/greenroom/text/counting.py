"""Counted things in words: a number with what it counts."""

from __future__ import annotations

from collections.abc import Mapping


def plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def amounts(counts: Mapping[str, int]) -> str:
    """``1 stream, 12 memories``, of what is counted under its plural; ``nothing`` for none."""
    told = (plural(count, _one(name), name) for name, count in counts.items() if count)
    return ", ".join(told) or "nothing"


def _one(many: str) -> str:
    return f"{many[:-3]}y" if many.endswith("ies") else many.removesuffix("s")


__all__ = ["amounts", "plural"]
