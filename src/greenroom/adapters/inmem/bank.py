"""The memory bank in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.kernel.journal import Stored
from greenroom.kernel.words import Scope


class InmemBank:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def get(self, ids: Sequence[str]) -> Mapping[str, str]:
        found = ((id, self._shelf.memories.get(id)) for id in ids)
        return {id: stored.memory.text for id, stored in found if stored and stored.memory.text is not None}

    async def of_stream(self, stream: str) -> Sequence[Stored]:
        return [stored for stored in self._shelf.memories.values() if stored.stream == stream]

    async def count(self, scope: Scope) -> int:
        return len(await self.all(scope))

    async def all(self, scope: Scope) -> Sequence[Stored]:
        found = [
            stored
            for stored in self._shelf.memories.values()
            if stored.version is not None
            and stored.memory.owner == scope.owner
            and scope.agent in (None, stored.memory.agent)
            and self._shelf.streams[stored.stream].world == scope.world
        ]
        return sorted(found, key=lambda stored: (str(stored.memory.at), stored.memory.id))
