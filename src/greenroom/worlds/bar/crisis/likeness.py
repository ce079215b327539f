"""The second half of the local check: how much a message is like those in which somebody was in danger.

What was learned is a row of weights (``weights.py``); the sentences it comes from, and the program that learned it, are
in ``tools/crisis``. It finds what no list of forms foresees, and is right less often: hence the high threshold.
"""

from __future__ import annotations

from base64 import b64decode
from functools import cache
from math import sqrt
from typing import Final

from greenroom.worlds.bar.crisis.features import features
from greenroom.worlds.bar.crisis.weights import BIAS, SCALE, WEIGHTS

#: Logarithm of the odds from which a message counts as a crisis.
SURE: Final = 1.2


@cache
def _weights() -> tuple[int, ...]:
    return tuple(byte - 256 if byte > 127 else byte for byte in b64decode(WEIGHTS))


def odds(text: str) -> float:
    """Logarithm of the odds that whoever wrote this is in danger."""
    found, weights = features(text), _weights()
    return sum(weights[bucket] for bucket in found) * SCALE / sqrt(max(len(found), 1)) + BIAS


def is_like_a_crisis(text: str) -> bool:
    return odds(text) >= SURE
