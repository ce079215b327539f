"""Letters in memory."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.journal import transitions
from greenroom.journal.records import Lease, Recording
from greenroom.kernel.errors import LeaseLost, Refused, Unknown
from greenroom.kernel.letters import Letter, LetterStatus
from greenroom.kernel.times import micros


class InmemOutbox:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def lease(self, lease: Lease, *, now: int, limit: int) -> Sequence[Letter]:
        shelf = self._shelf
        due = [
            letter
            for place, letter in shelf.letters.items()
            if letter.status == "due"
            and micros(letter.due_at) <= now
            and shelf.letters_busy.get(place, 0) <= lease.wall
            and (lease.worlds is None or shelf.stream(letter.stream).world in lease.worlds)
        ]
        due.sort(key=lambda letter: (letter.due_at, letter.id))
        taken = [replace(letter, token=letter.token + 1, tries=letter.tries + 1) for letter in due[:limit]]
        for letter in taken:
            shelf.letters[letter.stream, letter.key] = letter
            shelf.letters_busy[letter.stream, letter.key] = lease.until
        return taken

    async def settle(
        self,
        letter: Letter,
        status: LetterStatus,
        *,
        until: int = 0,
        error: str | None = None,
        news: Recording | None = None,
    ) -> None:
        shelf, place = self._shelf, (letter.stream, letter.key)
        stored = shelf.letters.get(place)
        if stored is None or stored.token != letter.token or stored.status != "due":
            raise LeaseLost(f"letter {letter.id} is no longer held by this worker; nothing was written")
        closed = None if status == "due" else shelf.stream(letter.stream).version
        shelf.letters[place] = replace(stored, status=status, error=error, closed=closed)
        shelf.letters_busy[place] = until
        if news is not None and shelf.prior(news) is None:
            stream = shelf.stream(news.stream)
            attempt = transitions.book(stream, news)
            shelf.attempts[stream.name][attempt.n] = attempt
            shelf.keep(stream)

    async def list(self, *, stream: str | None = None, status: LetterStatus | None = None) -> Sequence[Letter]:
        found = [
            letter
            for letter in self._shelf.letters.values()
            if stream in (None, letter.stream) and status in (None, letter.status)
        ]
        return sorted(found, key=lambda letter: (letter.due_at, letter.id))

    async def mark(self, stream: str, key: str, status: LetterStatus) -> Letter:
        letter = self._shelf.letters.get((stream, key))
        if letter is None:
            raise Unknown(f"stream {stream} has no letter {key}")
        if letter.status not in ("due", "held"):
            raise Refused(f"letter {letter.id} is {letter.status}; only an unsent letter can be changed")
        closed = self._shelf.stream(stream).version if status == "cancelled" else None
        self._shelf.letters[stream, key] = replace(letter, status=status, token=letter.token + 1, closed=closed)
        self._shelf.letters_busy.pop((stream, key), None)
        return self._shelf.letters[stream, key]

    async def next_at(self, after: int = -1, worlds: Sequence[str] | None = None) -> int | None:
        letters = [letter for letter in self._shelf.letters.values() if letter.status == "due"]
        if worlds is not None:
            letters = [letter for letter in letters if self._shelf.stream(letter.stream).world in worlds]
        due = (micros(letter.due_at) for letter in letters)
        return min((moment for moment in due if moment > after), default=None)
