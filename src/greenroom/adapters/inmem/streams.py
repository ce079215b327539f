"""Streams in memory."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Entry, Stream


class InmemStreams:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def get(self, stream: str) -> Stream:
        return self._shelf.stream(stream)

    async def list(
        self,
        *,
        world: str | None = None,
        owner: str | None = None,
        parent: str | None = None,
        children: bool = True,
        limit: int = 100,
        after: str = "",
    ) -> Sequence[Stream]:
        wanted = {"world": world, "owner": owner, "parent": parent}
        found = [
            self._shelf.stream(name)
            for name, stream in sorted(self._shelf.streams.items())
            if name > after and all(v is None or getattr(stream, k) == v for k, v in wanted.items())
            if children or stream.player is None
        ]
        return found[:limit]

    async def attempts(self, stream: str, *, after: int = 0, limit: int = 1000) -> Sequence[Attempt]:
        self._shelf.stream(stream)
        own = self._shelf.attempts[stream]
        return [own[n] for n in sorted(own) if n > after][:limit]

    async def lineage(self, stream: str) -> Sequence[Stream]:
        return self._shelf.chain(stream)

    async def advance(self, stream: str, clock_at: int) -> Stream:
        row = self._shelf.stream(stream)
        transitions.advance(row, clock_at)
        self._shelf.keep(row)
        return self._shelf.stream(stream)

    async def ledger(self, stream: str) -> Sequence[tuple[int, Entry]]:
        self._shelf.stream(stream)
        return [(n, entry) for name, n, entry in self._shelf.ledger if name == stream]
