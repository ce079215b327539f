"""A strategy in ten numbers, and the layer 2 of a prompt that carries it in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache

from greenroom.kernel.errors import Malformed

#: Numbers are kept to so many digits: what is written in layer 2 is what is played.
DIGITS = 3
_LINE = re.compile(r"^- (\w+) = (\S+)$", re.MULTILINE)
#: Before each thing that memory has shown to fail.
NEVER = "Never again: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """How a negotiator without a model behaves. Every number is from 0 to 1."""

    #: How much to ask for at first, from half to all of what could be had.
    opening: float = 0.5
    #: How much to insist on at the end.
    floor: float = 0.3
    #: How early to give way: 0 waits for the end, 1 hurries.
    concession: float = 0.3
    #: How long not to give way at all.
    patience: float = 0.2
    #: How often to claim an offer that is not there.
    bluff: float = 0.1
    #: How much to answer a concession with one.
    reciprocity: float = 0.2
    #: How much to look for what the other side wants.
    trade: float = 0.2
    #: How far below the own aim an offer is still taken.
    acceptance: float = 0.3
    #: How easily to walk out when the room is hot.
    temper: float = 0.5
    #: How readily to take whatever is better than nothing in the last moment.
    closing: float = 0.5

    def moved(self, changes: Mapping[str, float]) -> Strategy:
        """With some numbers changed by so much, none out of its bounds."""
        return replace(self, **{name: bounded(getattr(self, name) + by) for name, by in changes.items()})


NAMES = tuple(field.name for field in fields(Strategy))


def bounded(value: float) -> float:
    return round(min(1.0, max(0.0, value)), DIGITS)


def written(strategy: Strategy, stance: str, constraints: tuple[str, ...] = ()) -> str:
    """Layer 2: a sentence, ten numbers, and what must not be tried again."""
    numbers = [f"- {name} = {value:.{DIGITS}f}" for name, value in asdict(strategy).items()]
    return "\n".join((stance, *numbers, *(f"{NEVER}{tactic}." for tactic in constraints)))


@lru_cache(maxsize=512)  # every turn of an episode asks
def read(layer_2: str) -> Strategy:
    """The strategy that a layer 2 tells; what it does not name is as usual.

    Raises:
        Malformed: a number is none, or out of bounds.
    """
    found: dict[str, float] = {}
    for name, text in _LINE.findall(layer_2):
        if name not in NAMES:
            raise Malformed(f"a strategy has no {name}; it has {', '.join(NAMES)}")
        found[name] = _number(name, text)
    return Strategy(**found)


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise Malformed(f"{name} is a number from 0 to 1") from None
    if not 0 <= value <= 1:
        raise Malformed(f"{name} is from 0 to 1; {text} is not")
    return round(value, DIGITS)
