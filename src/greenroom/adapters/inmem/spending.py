"""Spending in memory. The mark counts the lines of the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.journal.records import Entry
from greenroom.ports.spending import Spent


class InmemSpending:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def since(self, mark: int | None) -> tuple[int, Sequence[Spent]]:
        end = len(self._shelf.ledger)
        if mark is None:
            return end, ()
        return end, [self._spent(*line) for line in self._shelf.ledger[mark:] if line[2].status != "removed"]

    async def total(
        self, upto: int, *, stream: str | None = None, owner: str | None = None, day: tuple[int, int] | None = None
    ) -> int:
        return sum(
            spent.cost
            for spent in self._lines(upto)
            if (stream is None or spent.stream == stream)
            and (owner is None or spent.owner == owner)
            and (day is None or day[0] <= spent.at < day[1])
        )

    def _lines(self, upto: int) -> Iterator[Spent]:
        return (self._spent(*line) for line in self._shelf.ledger[:upto])

    def _spent(self, stream: str, n: int, entry: Entry) -> Spent:
        row = self._shelf.streams.get(stream)
        owner = "" if row is None else row.owner
        return Spent(stream=stream, owner=owner, n=n, i=entry.n, at=entry.at, cost=entry.cost)
