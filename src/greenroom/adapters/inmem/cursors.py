"""Cursors of followers in memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.journal import lineage
from greenroom.journal.records import Lease
from greenroom.kernel.errors import LeaseLost, Unknown
from greenroom.ports import Behind, Cursor, Hold
from greenroom.ports.following import FIRST


class InmemCursors:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def enrol(self, name: str, worlds: Collection[str]) -> None:
        held = self._shelf.cursors.get(name, (Cursor(name=name, worlds=()), 0))
        self._shelf.cursors[name] = (replace(held[0], worlds=tuple(sorted(worlds))), held[1])

    async def sweep(self, name: str) -> int:
        shelf = self._shelf
        cursor, _ = self._known(name)
        unseen = [stream for stream in shelf.streams.values() if stream.world in cursor.worlds]
        return sum(shelf.note(name, stream) for stream in unseen)

    # telling

    async def take(self, name: str, lease: Lease) -> Hold | None:
        cursor, token = self._known(name)
        if cursor.until > lease.wall and cursor.holder != lease.worker:
            return None
        if not cursor.rebuilding and not await self.behind(name, limit=1):
            return None
        held = replace(cursor, holder=lease.worker, until=lease.until)
        self._shelf.cursors[name] = (held, token + 1)
        return Hold(name=name, token=token + 1, tries=cursor.tries, rebuilding=cursor.rebuilding)

    async def renew(self, hold: Hold, lease: Lease) -> None:
        self._keep(hold, replace(self._held(hold), until=lease.until))

    async def begun(self, hold: Hold) -> None:
        cursor, shelf = self._held(hold), self._shelf
        for (follower, stream), told in shelf.followed.items():
            if follower == hold.name:
                shelf.followed[follower, stream] = replace(told, told=lineage.kept_from(shelf.streams[stream]))
        shelf.forgotten = [gone for gone in shelf.forgotten if gone[0] != hold.name]
        self._keep(hold, replace(cursor, rebuilding=False))

    async def behind(self, name: str, *, after: int = FIRST, limit: int = 100) -> Sequence[Behind]:
        gone = [
            Behind(place=i - (1 << 40), stream=stream, told=0, version=0, gone=True)
            for i, (follower, stream) in enumerate(self._shelf.forgotten)
            if follower == name
        ]
        moved = [one for (who, _), one in self._shelf.followed.items() if who == name and one.told < one.version]
        found = sorted((*gone, *moved), key=lambda one: one.place)
        return [one for one in found if one.place > after][:limit]

    async def told(self, hold: Hold, upto: Sequence[Behind]) -> None:
        cursor, shelf = self._held(hold), self._shelf
        for one in upto:
            place = (hold.name, one.stream)
            if one.gone:
                shelf.forgotten = [gone for gone in shelf.forgotten if gone != place]
            elif place in shelf.followed:
                shelf.followed[place] = replace(shelf.followed[place], told=one.version)
        self._keep(hold, replace(cursor, tries=0, error=None))

    async def release(self, hold: Hold, *, until: int = 0, error: str | None = None) -> None:
        cursor = self._held(hold)
        tries, said = cursor.tries + (error is not None), error or cursor.error
        self._keep(hold, replace(cursor, holder=None, until=until, tries=tries, error=said))

    # whoever runs the house

    async def rewind(self, name: str) -> None:
        cursor, token = self._known(name)
        self._shelf.cursors[name] = (replace(cursor, rebuilding=True), token + 1)
        self._shelf.notifier.notify()

    async def list(self) -> Sequence[Cursor]:
        return [self._counted(self._shelf.cursors[name][0]) for name in sorted(self._shelf.cursors)]

    def _counted(self, cursor: Cursor) -> Cursor:
        own = [one for (follower, _), one in self._shelf.followed.items() if follower == cursor.name]
        return replace(
            cursor,
            streams=len(own),
            behind=sum(one.told < one.version for one in own),
            steps=sum(one.version - one.told for one in own),
            gone=sum(follower == cursor.name for follower, _ in self._shelf.forgotten),
        )

    async def drop(self, name: str) -> bool:
        shelf = self._shelf
        shelf.followed = {place: one for place, one in shelf.followed.items() if place[0] != name}
        shelf.forgotten = [gone for gone in shelf.forgotten if gone[0] != name]
        return shelf.cursors.pop(name, None) is not None

    # leases

    def _known(self, name: str) -> tuple[Cursor, int]:
        try:
            return self._shelf.cursors[name]
        except KeyError:
            raise Unknown(f"there is no follower {name}; greenroom db follow lists them") from None

    def _held(self, hold: Hold) -> Cursor:
        cursor, token = self._known(hold.name)
        if token != hold.token or cursor.holder is None:
            raise LeaseLost(f"follower {hold.name} is no longer told by this worker; nothing was written")
        return cursor

    def _keep(self, hold: Hold, cursor: Cursor) -> None:
        self._shelf.cursors[hold.name] = (cursor, hold.token)
