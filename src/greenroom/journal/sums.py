"""The two sums: history proves that nothing was altered, fold proves that the rules still agree."""

from __future__ import annotations

from hashlib import sha256
from struct import Struct

#: The history sum before the first step.
GENESIS = bytes(32)

_HEADER = Struct(">qqq")


def history_sum(previous: bytes, *, version: int, at: int, n: int, events: bytes) -> bytes:
    """Chains one step to all before it. Depends on stored bytes only, so no code change can alter it."""
    return sha256(previous + _HEADER.pack(version, at, n) + events).digest()


def fold_sum(shape: int, state: bytes) -> bytes:
    """Sum of a canonical state; comparable only within one shape."""
    return sha256(b"%d:" % shape + state).digest()
