"""Everything that is stored of one stream, as plain values: equal transcripts are equal plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from greenroom.journal.records import Attempt, Entry, Step, Stored, Stream
from greenroom.kernel.letters import Letter
from greenroom.kernel.worlds import World
from greenroom.ports import Backend


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    stream: Stream
    attempts: tuple[Attempt, ...]
    steps: tuple[Step, ...]
    #: Versions that loading each version starts from.
    snapshots: tuple[int | None, ...]
    letters: tuple[Letter, ...]
    memories: tuple[Stored, ...]
    rows: dict[str, list[dict[str, Any]]]
    ledger: tuple[tuple[int, Entry], ...]

    def story(self) -> dict[str, Any]:
        """What two plays with one seed must share, on any back-end: keyed digests and leases are left out."""
        return {
            "stream": (self.stream.version, self.stream.last_at, self.stream.wake_at, self.stream.outcome),
            "attempts": [
                (a.n, a.key, a.at, a.seat, a.command, a.rank, a.status, a.base, a.version, a.error, a.kept)
                for a in self.attempts
            ],
            "steps": self.steps,
            "snapshots": self.snapshots,
            "letters": [(x.key, x.due_at, x.channel, x.to, x.words, x.subject, x.status) for x in self.letters],
            "memories": self.memories,
            "rows": self.rows,
            "ledger": self.ledger,
        }


async def written(backend: Backend, world: World[Any, Any, Any], stream: str) -> Transcript:
    """All that is stored of a stream now."""
    row = await backend.streams.get(stream)
    loads = [await backend.history.load(stream, version) for version in range(row.version + 1)]
    memories = sorted(await backend.bank.of_stream(stream), key=lambda stored: stored.memory.id)
    return Transcript(
        stream=row,
        attempts=tuple(await backend.streams.attempts(stream)),
        steps=tuple([step async for step in backend.history.steps(stream, 0, row.version)]),
        snapshots=tuple(loaded.snapshot.version if loaded.snapshot else None for loaded in loads),
        letters=tuple(await backend.outbox.list(stream=stream)),
        memories=tuple(memories),
        rows={table.name: [dict(row) for row in await backend.tables.rows(stream, table)] for table in world.tables},
        ledger=tuple(await backend.streams.ledger(stream)),
    )
