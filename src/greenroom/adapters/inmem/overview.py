"""The overview in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.journal.records import Attempt, Stream
from greenroom.ports import DaySpent

_DAY = 86_400_000_000


class InmemOverview:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def queue(self, *, limit: int) -> Sequence[Stream]:
        found = [self._shelf.stream(stream.name) for stream in self._shelf.streams.values() if stream.open]
        return sorted(found, key=lambda stream: (stream.head_at or 0, stream.name))[:limit]

    async def due(self, *, limit: int) -> Sequence[Stream]:
        found = [self._shelf.stream(s.name) for s in self._shelf.streams.values() if s.ready_at is not None]
        return sorted(found, key=lambda stream: (stream.ready_at or 0, stream.name))[:limit]

    async def failed(self, *, limit: int) -> Sequence[Attempt]:
        attempts = (attempt for own in self._shelf.attempts.values() for attempt in own.values())
        found = [attempt for attempt in attempts if attempt.status == "failed"]
        return sorted(found, key=lambda attempt: (-attempt.at, attempt.stream, attempt.n))[:limit]

    async def counts(self) -> Mapping[str, int]:
        attempts = Counter(attempt.status for own in self._shelf.attempts.values() for attempt in own.values())
        letters = Counter(letter.status for letter in self._shelf.letters.values())
        return {
            "streams": len(self._shelf.streams),
            "open": attempts[None],
            "failed": attempts["failed"],
            "due": letters["due"],
            "held": letters["held"],
        }

    async def spent(self, since: int, until: int) -> Sequence[DaySpent]:
        sums: dict[tuple[int, str, str], Counter[str]] = {}
        for name, _, entry in self._shelf.ledger:
            if since <= entry.at < until:
                stream = self._shelf.streams.get(name)
                place = (entry.at // _DAY * _DAY, "" if stream is None else stream.world, entry.model)
                # What removed streams leave counts its asks in the entry.
                asks = entry.n if stream is None else 1
                tokens = {"input_tokens": entry.input_tokens, "output_tokens": entry.output_tokens}
                sums.setdefault(place, Counter()).update(asks=asks, cost=entry.cost, **tokens)
        return [
            DaySpent(
                day=day,
                world=world,
                model=model,
                asks=spent["asks"],
                input_tokens=spent["input_tokens"],
                output_tokens=spent["output_tokens"],
                cost=spent["cost"],
            )
            for (day, world, model), spent in sorted(sums.items())
        ]
