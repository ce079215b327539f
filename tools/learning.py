"""Logistic regression, for tables that are learned from labelled messages."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: How small the weights are kept, how often they are mended, and how far at first.
DECAY, ROUNDS, STRIDE = 5e-5, 150, 0.05

Floats = NDArray[np.float32]


def fitted(seen: Floats, wanted: NDArray[np.int64], kinds: int, *, decay: float = DECAY) -> tuple[Floats, Floats]:
    """Weights and what each kind has from the outset, by steps that grow shorter."""
    truth = np.eye(kinds, dtype=np.float32)[wanted]
    weights = np.zeros((seen.shape[1] + 1, kinds), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    given = np.column_stack([seen, np.ones(len(seen), np.float32)])
    held = np.full((len(weights), 1), decay, np.float32)
    held[-1] = 0
    for turn in range(1, ROUNDS + 1):
        slope = given.T @ ((chances(given @ weights) - truth) / len(given)) + held * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        step = STRIDE * (1 - 0.9 * turn / ROUNDS)
        weights -= step * (mean / (1 - 0.9**turn)) / (np.sqrt(square / (1 - 0.99**turn)) + 1e-8)
    return weights[:-1], weights[-1]


def chances(odds: Floats) -> Floats:
    raised = np.exp(odds - odds.max(1, keepdims=True))
    shares: Floats = raised / raised.sum(1, keepdims=True)
    return shares
