"""Learn how ordinary a message is, by the states of MPNet after its lower layers; it is taken from odds of danger.

    python -m greenroom_crisis ordinary     writes src/greenroom/worlds/bar/content/ordinary.npz

The last states say nearly the same of every message that sounds like a crisis, since they were learned on crises; the
lower ones still know more. Logistic regression on their mean, by Newton's steps, from ordinary talk on one side and
crises on the other. The same sentences give the same numbers.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from greenroom.adapters.mpnet.network import MpnetNetwork
from greenroom_crisis.table import ORDINARY, PROJECT, read, together

OUT: Final = PROJECT / "src/greenroom/worlds/bar/content/ordinary.npz"
LARGE: Final = OUT.with_name("crisis.npz")
#: Crises that are drawn by lot from what all checks learn from. Their harmless sentences, written to sound like crises,
#: are left out: with them it hears ordinary talk less well.
CRISES: Final = 1_000
#: How small the weights are kept, and how often they are mended.
DECAY, ROUNDS = 100.0, 8
#: What one of these odds takes from those of danger.
WORTH: Final = 0.75

Floats = NDArray[np.float64]


def drawn() -> tuple[list[str], list[str]]:
    """Ordinary talk and crises; the same each time."""
    rows = together(read())
    shuffled = (rows[i] for i in np.random.default_rng(0).permutation(len(rows)))
    return [text for text, _ in together(read(ORDINARY))], [text for text, crisis in shuffled if crisis][:CRISES]


def fitted(ordinary: Floats, crises: Floats) -> tuple[Floats, float]:
    """Weight and bias of the odds that a text is ordinary; both kinds weigh the same."""
    given = np.concatenate([ordinary, crises])
    mean, scale = given.mean(0), given.std(0) + 1e-6
    seen = np.column_stack([(given - mean) / scale, np.ones(len(given))])
    counts = (len(ordinary), len(crises))
    wanted = np.repeat((1.0, 0.0), counts)
    worth = np.repeat([len(given) / (2 * count) for count in counts], counts)
    decay = np.append(np.full(len(mean), DECAY), 1e-6)
    weights = np.zeros(len(decay))
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ ((chance - wanted) * worth) + decay * weights
        bend = (seen * (chance * (1 - chance) * worth)[:, None]).T @ seen + np.diag(decay)
        weights -= np.linalg.solve(bend, slope)
    weight = weights[:-1] / scale
    return weight, float(weights[-1] - mean @ weight)


def train() -> None:
    """Read, learn and write."""
    with np.load(LARGE) as found:
        different = {name: found[name].astype(np.float32) for name in found.files if name not in ("weight", "bias")}
    network = MpnetNetwork(different)
    ordinary, crises = (np.array([network.layers(text)[0].mean(0) for text in texts], float) for texts in drawn())
    weight, bias = fitted(ordinary, crises)
    np.savez(OUT, weight=(WORTH * weight).astype(np.float32), bias=np.float32(WORTH * bias))
    print(f"ordinary: learned from {len(ordinary)} messages of ordinary talk and {len(crises)} crises")
