"""Choosing among lines: the first that was not said lately, by a lot that depends on nothing but the ask."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from greenroom.kernel.chance import Chance

T = TypeVar("T")

_WORD = re.compile(r"\w+")


# The same few hundred lines are looked at for every reply.
@lru_cache(maxsize=8192)
def even(line: str) -> str:
    """A line as it counts for repetition: its words alone."""
    return " ".join(_WORD.findall(line.casefold()))


def fresh(lines: Iterable[tuple[str, T]], said: Iterable[str]) -> list[tuple[str, T]]:
    """Those that were not said lately."""
    used = {even(line) for line in said}
    return [(line, more) for line, more in lines if even(line) not in used]


def pick(lines: Sequence[tuple[str, T]], *key: int | str) -> tuple[str, T]:
    """One of them by lot; the same key picks the same."""
    return Chance(*key).choose(lines)
