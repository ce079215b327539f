"""What a day may take: letters, bytes and beginnings, by address, by owner and by the whole house.

Counted in this process, on a clock that nobody turns back; several processes each keep their own count.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from greenroom.kernel.errors import TooMany

DAY_SECONDS = 86_400.0
HOUSE = "house"
#: What each kind is called in a sentence.
_WORDS = {"sms": "SMS", "mail": "mails", "bytes": "bytes", "streams": "streams begun or tickets tried"}
#: Keys that are kept before those that ended are looked for.
_MANY = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one budget stands."""

    #: What is counted, and for whom: ``sms`` and ``address``, ``owner`` or ``house``.
    kind: str
    of: str
    most: int
    #: By the whole house or, for the others, by whoever took most.
    taken: int
    #: How often somebody was refused.
    refused: int


@dataclass(slots=True)
class Budgets:
    """The budgets of one process.

    Args:
        most: by kind and for whom; whatever is not there has none.
    """

    most: Mapping[tuple[str, str], int] = field(default_factory=dict)
    clock: Callable[[], float] = time.monotonic
    _taken: dict[tuple[str, str, str], tuple[int, float]] = field(default_factory=dict)
    _refused: Counter[tuple[str, str]] = field(default_factory=Counter)

    def take(self, kind: str, amount: int = 1, *, address: str = "", owner: str = "") -> None:
        """Take from every budget that this counts against, or from none.

        Raises:
            TooMany: one of them is used up; says which, and when there is more.
        """
        now = self.clock()
        keys = [(kind, "address", address), (kind, "owner", owner), (kind, HOUSE, HOUSE)]
        keys = [key for key in keys if key[2] and key[:2] in self.most]
        found = {key: self._now(key, now) for key in keys}
        for key, (taken, ends) in found.items():
            if taken + amount > self.most[key[:2]]:
                self._refused[key[:2]] += 1
                raise TooMany(_sentence(key, self.most[key[:2]]), seconds=ends - now)
        for key, (taken, ends) in found.items():
            self._taken[key] = taken + amount, ends
        if len(self._taken) > _MANY:
            self._taken = {key: value for key, value in self._taken.items() if value[1] > now}

    def _now(self, key: tuple[str, str, str], now: float) -> tuple[int, float]:
        taken, ends = self._taken.get(key, (0, 0.0))
        return (taken, ends) if ends > now else (0, now + DAY_SECONDS)

    def note(self, kind: str, of: str) -> None:
        """Count a refusal that was decided elsewhere."""
        self._refused[kind, of] += 1

    def standing(self) -> Sequence[Standing]:
        """How every budget stands, and what was refused besides."""
        now = self.clock()
        taken: Counter[tuple[str, str]] = Counter()
        for (kind, of, _), (amount, ends) in self._taken.items():
            if ends > now:
                taken[kind, of] = max(taken[kind, of], amount)
        every = {**self.most, **{key: 0 for key in self._refused if key not in self.most}}
        return [
            Standing(kind=kind, of=of, most=most, taken=taken[kind, of], refused=self._refused[kind, of])
            for (kind, of), most in sorted(every.items())
        ]


def _sentence(key: tuple[str, str, str], most: int) -> str:
    kind, of, _ = key
    whose = {"address": "for this address", "owner": "for this person", HOUSE: "for the whole house"}[of]
    return f"{most} {_WORDS.get(kind, kind)} a day are the budget {whose}, and it is used up; wait for tomorrow"


__all__ = ["Budgets", "Standing"]
