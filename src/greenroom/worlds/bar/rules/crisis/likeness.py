"""How much a message is like those in which somebody was in danger.

What was learned is a table of features and their weights (``content/crisis.tsv``), which is handed in; the sentences
it comes from, and the program that learned it, are in ``packages/greenroom-crisis``. It finds what no form foresees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from greenroom.worlds.bar.rules.crisis.features import features

#: What the table calls the odds of a message of which it knows nothing.
BIAS: Final = "(none)"


@dataclass(frozen=True, slots=True)
class Learned:
    """Weights by feature."""

    weights: Mapping[str, float] = field(repr=False)

    def odds(self, sentences: Sequence[str]) -> float:
        """Logarithm of the odds that whoever wrote these is in danger; the sentences are in their normal form."""
        found, weights = features(sentences), self.weights
        # Added up in one order: the same words give the same number everywhere.
        total = sum(weights.get(feature, 0.0) for feature in sorted(found))
        return total / sqrt(max(len(found), 1)) + weights.get(BIAS, 0.0)
