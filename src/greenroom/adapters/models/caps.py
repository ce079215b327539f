"""Hard caps on what models may cost: room is taken before a call for the worst it can cost, and given back after."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from greenroom.ports import Asked
from greenroom.ports.asking import ASKING
from greenroom.ports.spending import Spending, Spent

DAY: Final = 86_400_000_000
#: Seconds after which totals are read from the ledger anew, so that nothing that was missed stays missed.
RELOAD_SECONDS: Final = 60.0
#: Addresses that are counted before those of other days, and those that cost nothing, are dropped.
MOST_ADDRESSES: Final = 10_000

CapKind: TypeAlias = Literal["stream", "owner", "day", "owner_day"]
#: Whose total: a kind, a stream or owner, a day.
Key: TypeAlias = tuple[CapKind, str, int]
#: Stream, attempt, ask.
CapPlace: TypeAlias = tuple[str, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Micro-dollars that may be spent; None for no cap. Days are days of the house clock, in UTC."""

    #: By one stream in all its life.
    stream: int | None = None
    #: By one owner's streams in all their lives.
    owner: int | None = None
    #: By the whole house in a day.
    day: int | None = None
    #: By one owner's streams in a day.
    owner_day: int | None = None
    #: By whoever asks from one address in a day, as far as this process knows.
    address_day: int | None = None

    def __bool__(self) -> bool:
        return self.address_day is not None or any(cap is not None for _, cap in self.each())

    def each(self) -> Iterator[tuple[CapKind, int | None]]:
        yield from (("stream", self.stream), ("owner", self.owner), ("day", self.day), ("owner_day", self.owner_day))


class Capped(Exception):
    """A call was not made because it might exceed a cap."""

    def __init__(self, kind: CapKind | Literal["address_day"], cap: int, spent: int, cost: int) -> None:
        self.kind = kind
        super().__init__(
            f"the cap per {kind.replace('_', ' and ')} is {_dollars(cap)}; {_dollars(spent)} are spent or set aside, "
            f"and this call may cost {_dollars(cost)}"
        )


@dataclass(slots=True)
class CapHold:
    """Room taken for one call. Its user says what the call did cost; nothing unless told."""

    worst: int
    cost: int = 0


class Purse:
    """Totals of the ledger, what this process spent and has not stored yet, and what calls under way may cost."""

    def __init__(self, caps: Caps, spending: Spending, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._caps = {kind: cap for kind, cap in caps.each() if cap is not None}
        self._address_day = caps.address_day
        self._spending = spending
        self._clock = clock
        self._lock = asyncio.Lock()
        self._mark: int | None = None
        self._read_at = 0.0
        self._known: dict[Key, int] = {}
        self._held: Counter[Key] = Counter()
        self._unsaved: dict[CapPlace, Counter[Key]] = {}
        self._unsaved_total: Counter[Key] = Counter()
        #: What calls cost or may cost on behalf of an address, by day; no ledger knows of addresses.
        self._asked: Counter[tuple[str, int]] = Counter()

    @asynccontextmanager
    async def room(self, asked: Asked, now: int, worst: int) -> AsyncIterator[CapHold]:
        """Hold room for a call while it is made; afterwards its real cost counts, at once and for good.

        Raises:
            Capped: there is no room; nothing was taken.
        """
        keys, asking = _keys(asked.stream, asked.owner, now // DAY), (ASKING.get(), now // DAY)
        hold = CapHold(worst)
        self._take_asked(asking, worst)
        try:
            await self._take(keys, self._limits(asked.cap), worst)
            try:
                yield hold
            finally:
                self._held.subtract(dict.fromkeys(keys, worst))
                self._spend(keys, (asked.stream, asked.n, asked.i), hold.cost)
        finally:
            self._asked[asking] += hold.cost - worst

    def _take_asked(self, asking: tuple[str, int], worst: int) -> None:
        who, day = asking
        cap, spent = self._address_day, self._asked[asking]
        if who and cap is not None and spent + worst > cap:
            raise Capped("address_day", cap, spent, worst)
        if len(self._asked) > MOST_ADDRESSES:
            self._asked = Counter({key: cost for key, cost in self._asked.items() if cost and key[1] == day})
        self._asked[asking] += worst

    def _limits(self, own: int | None) -> Mapping[CapKind, int]:
        """The caps of the house, and that of the stream itself where it is lower."""
        if own is None:
            return self._caps
        return {**self._caps, "stream": min(own, self._caps.get("stream", own))}

    async def _take(self, keys: Sequence[Key], limits: Mapping[CapKind, int], worst: int) -> None:
        async with self._lock:
            limited = [key for key in keys if key[0] in limits]
            await self._catch_up(limited)
            for key in limited:
                spent = self._known[key] + self._held[key] + self._unsaved_total[key]
                if spent + worst > limits[key[0]]:
                    raise Capped(key[0], limits[key[0]], spent, worst)
            self._held.update(dict.fromkeys(keys, worst))

    def _spend(self, keys: Sequence[Key], place: CapPlace, cost: int) -> None:
        if cost:
            self._unsaved.setdefault(place, Counter()).update(dict.fromkeys(keys, cost))
            self._unsaved_total.update(dict.fromkeys(keys, cost))

    async def _catch_up(self, keys: Sequence[Key]) -> None:
        mark, lines = await self._spending.since(self._mark)
        if self._mark is None or mark < self._mark or self._clock() - self._read_at > RELOAD_SECONDS:
            self._known.clear()
            self._read_at = self._clock()
        self._mark = mark
        for line in lines:
            self._count(line)
        for key in keys:
            if key not in self._known:
                self._known[key] = await self._total(key, mark)

    def _count(self, line: Spent) -> None:
        """A line that was stored: known from now on, and no longer unsaved."""
        for key in _keys(line.stream, line.owner, line.at // DAY):
            if key in self._known:
                self._known[key] += line.cost
        self._unsaved_total.subtract(self._unsaved.pop((line.stream, line.n, line.i), Counter()))

    async def _total(self, key: Key, upto: int) -> int:
        kind, name, day = key
        span = (day * DAY, (day + 1) * DAY)
        match kind:
            case "stream":
                return await self._spending.total(upto, stream=name)
            case "owner":
                return await self._spending.total(upto, owner=name)
            case "day":
                return await self._spending.total(upto, day=span)
            case "owner_day":
                return await self._spending.total(upto, owner=name, day=span)


def _keys(stream: str, owner: str, day: int) -> tuple[Key, ...]:
    """Whose totals a call belongs to; all are kept, because each stream may have a cap of its own."""
    return ("stream", stream, 0), ("owner", owner, 0), ("day", "", day), ("owner_day", owner, day)


@asynccontextmanager
async def boundless(worst: int) -> AsyncIterator[CapHold]:
    """Room where there is no cap."""
    yield CapHold(worst)


def _dollars(micros: int) -> str:
    return f"${micros / 1_000_000:.6f}".rstrip("0").rstrip(".")
