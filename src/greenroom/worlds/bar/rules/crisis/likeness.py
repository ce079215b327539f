"""How much a message is like those in which somebody was in danger.

What was learned is a row of weights (``weights.py``); the sentences it comes from, and the program that learned it, are
in ``packages/greenroom-crisis``. It finds what no list of forms foresees.
"""

from __future__ import annotations

from base64 import b85decode
from collections.abc import Sequence
from functools import cache
from math import sqrt
from zlib import decompress

from greenroom.worlds.bar.rules.crisis.features import features
from greenroom.worlds.bar.rules.crisis.weights import BIAS, SCALE, WEIGHTS


@cache
def _weights() -> memoryview:
    return memoryview(decompress(b85decode(WEIGHTS))).cast("b")


def odds(sentences: Sequence[str]) -> float:
    """Logarithm of the odds that whoever wrote these is in danger; the sentences are in their normal form."""
    found, weights = features(sentences), _weights()
    return sum(weights[bucket] for bucket in found) * SCALE / sqrt(max(len(found), 1)) + BIAS
