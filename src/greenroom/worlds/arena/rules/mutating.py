"""Mutators: how the next strategies come about. One turns numbers, one mixes two parents, one asks a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from greenroom.kernel.asks import Failed
from greenroom.kernel.chance import Chance
from greenroom.kernel.errors import Malformed
from greenroom.worlds.arena.rules.content import Stance
from greenroom.worlds.arena.rules.strategy import NAMES, Strategy, bounded, read

STANCES: tuple[Stance, ...] = ("assertive", "collaborative", "deceptive")

#: What the change of a number is called, more and less.
TACTICS: Mapping[str, tuple[str, str]] = {
    "opening": ("aggressive_opening", "timid_opening"),
    "floor": ("stubborn_floor", "low_floor"),
    "concession": ("early_concession", "late_concession"),
    "patience": ("long_silence", "short_silence"),
    "bluff": ("heavy_bluff", "plain_speaking"),
    "reciprocity": ("quick_return", "no_return"),
    "trade": ("logrolling", "no_trade"),
    "acceptance": ("easy_signature", "hard_signature"),
    "temper": ("short_temper", "long_temper"),
    "closing": ("late_signature", "no_late_signature"),
}
#: Which numbers a stance turns, and which way it prefers.
_WAYS: Mapping[Stance, Mapping[str, int]] = {
    "assertive": {"opening": 1, "floor": 1, "concession": -1, "patience": 1, "acceptance": -1, "reciprocity": -1},
    "collaborative": {"trade": 1, "reciprocity": 1, "closing": 1, "temper": -1, "bluff": -1, "acceptance": 1},
    "deceptive": {"bluff": 1, "opening": 1, "reciprocity": -1, "floor": 1, "trade": 1, "patience": 1},
}
#: One time in so many a number is turned the other way.
_AGAINST = 4
#: Hyper-parameters that a model may set, with their bounds.
HYPERPARAMETERS: Mapping[str, tuple[float, float]] = {
    "temperature": (0.0, 2.0),
    "frequency_penalty": (-2.0, 2.0),
    "top_p": (0.0, 1.0),
}
MOST_LAYER_2 = 4000
#: What only layer 1 may say; a layer 2 that says it is after layer 1.
_RESERVED = ("layer 1", "layer_1", "your goals, known to you alone", "you may change:", "answer with one json object")


def turned(strategy: Strategy, stance: Stance, constraints: Sequence[str], chance: Chance) -> Strategy:
    """The parametric mutator: two or three numbers of a stance, mostly the way it prefers, never into what failed."""
    ways = _WAYS[stance]
    names = chance.shuffled(tuple(ways))[: 2 + chance.below(2)]
    changes = {}
    for name in names:
        sign = -ways[name] if chance.below(_AGAINST) == 0 else ways[name]
        size = (5 + chance.below(31)) / 100
        if tactic_of(name, sign) not in constraints:
            changes[name] = sign * size
    return strategy.moved(changes)


def mixed(first: Strategy, second: Strategy, constraints: Sequence[str], chance: Chance) -> Strategy:
    """The recombining mutator: each number of one parent or the other, or between them."""
    ours, theirs = asdict(first), asdict(second)
    made = {}
    for name in NAMES:
        share = chance.choose((0.0, 0.0, 0.5, 1.0))
        value = bounded(ours[name] + share * (theirs[name] - ours[name]))
        barred = tactic_of(name, 1 if value > ours[name] else -1) in constraints
        made[name] = ours[name] if barred else value
    return Strategy(**made)


def further(before: Strategy, now: Strategy) -> Strategy:
    """Once more the way that led from one strategy to another."""
    ours, theirs = asdict(before), asdict(now)
    return now.moved({name: theirs[name] - ours[name] for name in NAMES})


def tactic_of(name: str, sign: float) -> str:
    return TACTICS[name][0 if sign > 0 else 1]


def tactic(before: Strategy, after: Strategy) -> str:
    """What a mutation tried, by the number it turned most."""
    ours, theirs = asdict(before), asdict(after)
    name = max(NAMES, key=lambda one: (abs(theirs[one] - ours[one]), one))
    moved = theirs[name] - ours[name]
    return tactic_of(name, moved) if moved else "unchanged"


def leaning(strategy: Strategy) -> str:
    """What a strategy does most, by the number farthest from the middle."""
    numbers = asdict(strategy)
    name = max(NAMES, key=lambda one: (abs(numbers[one] - 0.5), one))
    return tactic_of(name, numbers[name] - 0.5)


# the model

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "layer_2": {"type": "string", "minLength": 1, "maxLength": MOST_LAYER_2},
        "hyperparameters": {
            "type": "object",
            "properties": {name: {"type": "number"} for name in HYPERPARAMETERS},
            "additionalProperties": False,
        },
        "rationale": {"type": "string", "maxLength": 1000},
    },
    "required": ["layer_2", "hyperparameters", "rationale"],
    "additionalProperties": False,
}


def proposed(answer: Any) -> tuple[str, dict[str, float]] | str:
    """A layer 2 and hyper-parameters from a model, or a sentence that says why its answer is refused."""
    if isinstance(answer, Failed):
        return "nobody answered"
    if not isinstance(answer, dict):
        return "a mutation is a JSON object"
    if strange := sorted(set(answer) - {"layer_2", "hyperparameters", "rationale"}):
        return f"a mutation may change layer 2 and hyper-parameters, not {strange[0]}"
    layer_2, numbers = answer.get("layer_2"), answer.get("hyperparameters", {})
    if not isinstance(layer_2, str) or not layer_2.strip() or len(layer_2) > MOST_LAYER_2:
        return f"a layer 2 is text of at most {MOST_LAYER_2} characters"
    if any(phrase in layer_2.casefold() for phrase in _RESERVED):
        return "a layer 2 may not speak for layer 1"
    try:
        read(layer_2)
    except Malformed as wrong:
        return str(wrong)
    return _checked(layer_2.strip(), numbers)


def _checked(layer_2: str, numbers: Any) -> tuple[str, dict[str, float]] | str:
    if not isinstance(numbers, dict):
        return "hyper-parameters are numbers by name"
    for name, value in numbers.items():
        if name not in HYPERPARAMETERS or isinstance(value, bool) or not isinstance(value, (int, float)):
            return f"a mutation may set {', '.join(HYPERPARAMETERS)}, each a number"
        low, high = HYPERPARAMETERS[name]
        if not low <= value <= high:
            return f"{name} is from {low:g} to {high:g}"
    return layer_2, {name: float(value) for name, value in numbers.items()}
