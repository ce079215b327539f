"""What a day may take: letters, bytes and beginnings, by address, by owner and by the whole house.

Taking is counted here, on a clock that nobody turns back, and asks nobody. What was taken is noted in the house every
few seconds and what others took is read from there: a process that is killed forgets the last few seconds, and two
that serve the same house learn that late what the other gave. Whoever took is noted by a keyed digest alone.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TypeAlias

import msgspec

from greenroom.kernel.errors import BackendError, TooMany
from greenroom.ports import Upkeep

log = logging.getLogger("greenroom")

DAY_SECONDS = 86_400.0
#: How often it is noted what was taken, and read what others took.
NOTE_SECONDS = 5.0
#: The most that one process notes: of more callers, those that are nearest to their end.
MOST_NOTED = 2_000
HOUSE = "house"
_NOTES = "budgets/"
#: What each kind is called in a sentence.
_WORDS = {"sms": "SMS", "mail": "mails", "bytes": "bytes", "streams": "streams begun or tickets tried"}
#: Keys that are kept before those that ended are looked for.
_MANY = 50_000

#: What is counted, for whom, and the digest of who it is.
BudgetKey: TypeAlias = tuple[str, str, str]
#: How much was taken, and when that is forgotten.
Taken: TypeAlias = tuple[int, float]


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
        secret: what digests are keyed with.
    """

    most: Mapping[tuple[str, str], int] = field(default_factory=dict)
    clock: Callable[[], float] = time.monotonic
    secret: bytes = b""
    #: By this process, and by the others of its house.
    taken: dict[BudgetKey, Taken] = field(default_factory=dict)
    elsewhere: dict[BudgetKey, Taken] = field(default_factory=dict)
    _refused: Counter[tuple[str, str]] = field(default_factory=Counter)

    def take(self, kind: str, amount: int = 1, *, address: str = "", owner: str = "") -> None:
        """Take from every budget that this counts against, or from none.

        Raises:
            TooMany: one of them is used up; says which, and when there is more.
        """
        now = self.clock()
        given = (("address", address), ("owner", owner), (HOUSE, HOUSE))
        keys = [(kind, of, self._digest(who)) for of, who in given if who and (kind, of) in self.most]
        for key in keys:
            counted = [one for one in (self.taken.get(key), self.elsewhere.get(key)) if one and one[1] > now]
            if sum(taken for taken, _ in counted) + amount > self.most[key[:2]]:
                self._refused[key[:2]] += 1
                ends = min((ends for _, ends in counted), default=now + DAY_SECONDS)
                raise TooMany(_sentence(key, self.most[key[:2]]), seconds=ends - now)
        for key in keys:
            taken, ends = self.taken.get(key, (0, 0.0))
            self.taken[key] = (taken + amount, ends) if ends > now else (amount, now + DAY_SECONDS)
        if len(self.taken) > _MANY:
            self.taken = {key: value for key, value in self.taken.items() if value[1] > now}

    def _digest(self, who: str) -> str:
        return blake2b(who.encode(errors="replace"), key=self.secret[:64], digest_size=8).hexdigest()

    def note(self, kind: str, of: str) -> None:
        """Count a refusal that was decided elsewhere."""
        self._refused[kind, of] += 1

    def standing(self) -> Sequence[Standing]:
        """How every budget stands, and what was refused besides."""
        now = self.clock()
        by_key: Counter[BudgetKey] = Counter()
        for counted in (self.taken, self.elsewhere):
            by_key.update({key: amount for key, (amount, ends) in counted.items() if ends > now})
        taken: Counter[tuple[str, str]] = Counter()
        for (kind, of, _), amount in by_key.items():
            taken[kind, of] = max(taken[kind, of], amount)
        every = {**self.most, **{key: 0 for key in self._refused if key not in self.most}}
        return [
            Standing(kind=kind, of=of, most=most, taken=taken[kind, of], refused=self._refused[kind, of])
            for (kind, of), most in sorted(every.items())
        ]

    def share(self, key: BudgetKey) -> float:
        """How much of its budget this process gave somebody, of the whole house always more than of anybody."""
        return 2.0 if key[1] == HOUSE else self.taken[key][0] / max(self.most.get(key[:2], 1), 1)


def _sentence(key: BudgetKey, most: int) -> str:
    kind, of, _ = key
    whose = {"address": "for this address", "owner": "for this person", HOUSE: "for the whole house"}[of]
    return f"{most} {_WORDS.get(kind, kind)} a day are the budget {whose}, and it is used up; wait for tomorrow"


# what others took


class BudgetNote(msgspec.Struct, frozen=True):
    """What one process took, as the house keeps it."""

    #: The process.
    by: str
    #: ``kind of digest`` → how much, and the second of the clock on the wall in which that is forgotten.
    taken: dict[str, tuple[int, int]]


class SharedBudgets:
    """Notes in the house what this process took, and tells it what the others did."""

    def __init__(self, budgets: Budgets, upkeep: Upkeep, *, wall: Callable[[], float] = time.time) -> None:
        self._budgets = budgets
        self._upkeep = upkeep
        self._wall = wall
        #: How far the clock on the wall is ahead of the one that counts; once for all, or every note would be news.
        self._apart = wall() - budgets.clock()
        self._name = secrets.token_hex(6)
        self._place: str | None = None
        self._noted: BudgetNote | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Go on until the house is closed, and once more then."""
        while not stop.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(NOTE_SECONDS):
                    await stop.wait()
            try:
                await self.sync()
            except BackendError as error:
                log.info("what was taken of the budgets is noted later: %s", error)

    async def sync(self) -> None:
        """Read what the others took, and note what this process did if that is news."""
        found = {place: _read(text) for place, text in (await self._upkeep.notes(_NOTES)).items()}
        self._learn([note for note in found.values() if note.by != self._name])
        mine = self._mine()
        # Another process may have chosen the same place at the same moment.
        lost = self._place is not None and found.get(self._place, mine).by != self._name
        if not lost and mine.taken == ({} if self._noted is None else self._noted.taken):
            return
        if self._place is None or lost:
            self._place = self._free(found)
        await self._upkeep.note(_NOTES + self._place, msgspec.json.encode(mine).decode())
        self._noted = mine

    def _learn(self, notes: Sequence[BudgetNote]) -> None:
        now, wall = self._budgets.clock(), self._wall()
        learnt: dict[BudgetKey, Taken] = {}
        for note in notes:
            for text, (amount, ends) in note.taken.items():
                kind, of, who = text.split(" ")
                # A clock on the wall that was turned makes no day longer than a day.
                left = min(ends - wall, DAY_SECONDS)
                if left > 0:
                    before, sooner = learnt.get((kind, of, who), (0, now + left))
                    learnt[kind, of, who] = before + amount, min(sooner, now + left)
        self._budgets.elsewhere = learnt

    def _mine(self) -> BudgetNote:
        taken, now = self._budgets.taken, self._budgets.clock()
        keys = sorted((key for key in taken if taken[key][1] > now), key=self._budgets.share, reverse=True)
        kept = {" ".join(key): (taken[key][0], round(taken[key][1] + self._apart)) for key in keys[:MOST_NOTED]}
        return BudgetNote(by=self._name, taken=kept)

    def _free(self, found: Mapping[str, BudgetNote]) -> str:
        """A place that nobody needs any more: there are as many as processes took something in a day."""
        wall = self._wall()
        busy = {place for place, note in found.items() if any(ends > wall for _, ends in note.taken.values())}
        return secrets.choice([str(i) for i in range(len(busy) + 8) if str(i) not in busy])


def _read(text: str) -> BudgetNote:
    """A note; one that cannot be read says that nothing was taken."""
    try:
        note = msgspec.json.decode(text, type=BudgetNote)
    except msgspec.DecodeError:
        return BudgetNote(by="", taken={})
    return note if all(key.count(" ") == 2 for key in note.taken) else BudgetNote(by="", taken={})


__all__ = ["Budgets", "SharedBudgets", "Standing"]
