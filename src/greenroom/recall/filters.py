"""Which memories are wanted, and which go when there are too many."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from greenroom.kernel.asks import Json

Where: TypeAlias = Mapping[str, Json]


def fits(kind: str, meta: Mapping[str, Json] | None, where: Where) -> bool:
    """Whether a memory passes every filter.

    ``kind`` is the memory's own; every other name is looked up in ``meta``. A wanted list means any of its values; a
    list in ``meta`` fits if it contains the value. ``True`` is not 1, and what is missing never fits.
    """
    return all(
        _fits(kind if name == "kind" else (meta or {}).get(name, _MISSING), wanted) for name, wanted in where.items()
    )


_MISSING = object()


def _fits(value: Json, wanted: Json) -> bool:
    if isinstance(wanted, (list, tuple)):
        return any(_fits(value, one) for one in wanted)
    values = value if isinstance(value, (list, tuple)) else (value,)
    return any(one == wanted and isinstance(one, bool) == isinstance(wanted, bool) for one in values)


def surplus(memories: Iterable[tuple[Any, int, Mapping[str, Json] | None, bool]], cap: int) -> list[Any]:
    """Which memories go when only ``cap`` may stay; given as (key, at, meta, whether it was replaced).

    The rule: replaced ones go first, then those of the lowest ``importance`` in their metadata (0 if there is none),
    among equals the oldest.
    """
    ranked = sorted(memories, key=lambda m: (not m[3], importance(m[2]), m[1], m[0]))
    return [key for key, _, _, _ in ranked[: max(0, len(ranked) - max(cap, 0))]]


def importance(meta: Mapping[str, Json] | None) -> float:
    value = (meta or {}).get("importance", 0)
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else 0.0
