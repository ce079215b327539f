"""How much is answered in a minute, and followed at once: by address, by ticket, and for strangers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from limits import RateLimitItemPerMinute
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from greenroom.kernel.errors import TooMany
from greenroom.services.budgets import Budgets
from greenroom.settings import Settings


@lru_cache(maxsize=4096)
def counted_as(address: str) -> str:
    """What an address is counted as: of IPv6 its /64, for whoever has one address there has them all."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Address(int(found) >> 64 << 64))


class Counts(Storage):
    """Counters of this process, dropped all at once when they have ended.

    The library's own sweeps through every counter many times a second, in a thread made for the purpose.
    """

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[str, tuple[int, float]] = {}
        self._sweep_at = 0.0

    @property
    def base_exceptions(self) -> type[Exception]:
        return ValueError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        now = time.monotonic()
        if now >= self._sweep_at:
            self._counts = {k: (count, ends) for k, (count, ends) in self._counts.items() if ends > now}
            self._sweep_at = now + expiry
        count, ends = self._counts.get(key, (0, 0.0))
        count, ends = (count + amount, ends) if ends > now else (amount, now + expiry)
        self._counts[key] = (count, ends)
        return count

    def get(self, key: str) -> int:
        return self._counts.get(key, (0, 0.0))[0]

    def get_expiry(self, key: str) -> float:
        return self._counts.get(key, (0, time.monotonic()))[1]

    def check(self) -> bool:
        return True

    def reset(self) -> int | None:
        self._counts.clear()
        return None

    def clear(self, key: str) -> None:
        self._counts.pop(key, None)


class Rates:
    """Limits of this process; several servers each keep their own."""

    def __init__(self, settings: Settings, budgets: Budgets | None = None) -> None:
        self.budgets = budgets or Budgets()
        self._given = settings.budgets
        self._live: Counter[tuple[str, str]] = Counter()
        self._limiter = FixedWindowRateLimiter(Counts())
        self._address = RateLimitItemPerMinute(settings.rate_address)
        self._ticket = RateLimitItemPerMinute(settings.rate_ticket)
        self._turns = RateLimitItemPerMinute(settings.rate_turns)
        self._stranger = RateLimitItemPerMinute(settings.rate_strangers)

    def address(self, address: str) -> None:
        """Count a request from an address.

        Raises:
            TooMany: there were too many in this minute.
        """
        self._hit(self._address, "address", counted_as(address))

    def ticket(self, digest: bytes) -> None:
        """Count a request with a ticket; the same refusal."""
        self._hit(self._ticket, "ticket", digest.hex())

    def stranger(self, address: str, owner: str | None = None) -> None:
        """Count a guess at a ticket, or a beginning by whoever is not the operator; the same refusal."""
        self._hit(self._stranger, "stranger", counted_as(address))
        self.budgets.take("streams", address=counted_as(address), owner=owner or "")

    def turn(self, who: str) -> None:
        """Count a request that changes something, by whoever has a ticket or by an address; the same refusal."""
        self._hit(self._turns, "caller", counted_as(who))

    def weigh(self, count: int, address: str, owner: str | None) -> None:
        """Count bytes that somebody sent.

        Raises:
            TooMany: that is more than a day allows.
        """
        self.budgets.take("bytes", count, address=counted_as(address), owner=owner or "")

    @contextmanager
    def following(self, address: str, owner: str | None) -> Iterator[None]:
        """Count a live connection for as long as it is open.

        Raises:
            TooMany: so many are open already.
        """
        most = {"address": self._given.live_address, "owner": self._given.live_owner, "house": self._given.live_house}
        keys = [("address", counted_as(address)), ("house", "")] + ([("owner", owner)] if owner else [])
        for of, who in keys:
            if self._live[of, who] >= most[of]:
                self.budgets.note("live", of)
                whose = "in this house" if of == "house" else f"for this {of}"
                raise TooMany(f"{most[of]} live connections are open {whose}; close one first", seconds=10)
        self._live.update(keys)
        try:
            yield
        finally:
            self._live.subtract(keys)
            self._live += Counter()  # those at nothing are dropped

    def _hit(self, item: RateLimitItemPerMinute, kind: str, who: str) -> None:
        if self._limiter.hit(item, kind, who):
            return
        self.budgets.note("requests", kind)
        ends = self._limiter.get_window_stats(item, kind, who).reset_time
        raise TooMany(
            f"more than {item.amount} requests a minute from this {kind}; wait for the next",
            seconds=ends - time.monotonic(),
        )
