"""What one job sees of the streams it touches, as this process last saw them or as they were just looked up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from greenroom.adapters.postgres.statement import BIRTHS, STREAMS
from greenroom.adapters.sql import rows
from greenroom.adapters.sql.rows import of, storable, tombstone
from greenroom.adapters.sql.store import INHERITED, Reader
from greenroom.adapters.sql.unit import UnitOfWork
from greenroom.adapters.sql.writes import KINDS, Kind
from greenroom.journal.records import Attempt, Recording, Stream
from greenroom.kernel.errors import Unknown
from greenroom.kernel.script import Answer

_STREAMS = rows.STREAM.count(",") + 1
_ATTEMPTS = rows.ATTEMPT.count(",") + 1

#: Streams with their first two open attempts and the answers of these.
_LOOK = f"""
SELECT {of("s", rows.STREAM)}, s.xmin, {of("h", rows.ATTEMPT)}, x.numbers, x.fingerprints, x.bodies,
    {of("p", rows.ATTEMPT)}, t.digest IS NOT NULL, w.name
FROM unnest($1::text[], $2::text[], $3::bytea[]) w (name, key, digest)
LEFT JOIN streams s ON s.name = w.name
LEFT JOIN tombstones t ON t.digest = w.digest
LEFT JOIN attempts p ON p.sid = s.sid AND p.key = w.key
LEFT JOIN LATERAL (
    SELECT {rows.ATTEMPT} FROM attempts a WHERE a.sid = s.sid AND a.status IS NULL AND s.open > 0
    ORDER BY a.rank, a.n LIMIT 2
) h ON true
LEFT JOIN LATERAL (
    SELECT array_agg(x.i ORDER BY x.i) AS numbers, array_agg(x.fingerprint ORDER BY x.i) AS fingerprints,
        array_agg(x.body ORDER BY x.i) AS bodies
    FROM answers x WHERE x.sid = h.sid AND x.n = h.n
) x ON true
"""
#: Where the columns that never change end in the row of a stream, and which of the others they stand between.
_FIXED = frozenset((1, 2, 3, 4, 5, 6, 8))


class Unseen(Exception):
    """The job needs to know something that was not looked up."""


@dataclass(slots=True)
class CachedRow:
    """A stream as it was seen, now or a while ago."""

    sid: int
    #: Number of the transaction that had last written its row.
    stamp: int
    #: None when there is no such stream.
    stream: Stream | None
    removed: bool = False
    #: Whether the rest was looked up just now.
    fresh: bool = False
    #: The first two open attempts, the one whose turn it is before the other.
    heads: Sequence[Attempt] = ()
    answers: dict[int, tuple[Answer, ...]] = field(default_factory=dict)
    #: The attempt that used the key the job asks about, here or in the shared past.
    prior: Attempt | None = None


async def look_up(reader: Reader, secret: bytes, names: Sequence[str], keys: Mapping[str, str]) -> dict[str, CachedRow]:
    """Streams by name, each with its next attempts, their answers, and whoever used a key before."""
    wanted = [name for name in dict.fromkeys(names) if storable(name)]
    asked = [key if (key := keys.get(name)) is not None and storable(key) else None for name in wanted]
    cached: dict[str, CachedRow] = {}
    for row in await reader.all(_LOOK, wanted, asked, [tombstone(secret, name) for name in wanted]):
        _take(cached, row)
    for name, found in cached.items():
        if found.stream is not None and found.stream.parent is not None and found.prior is None and name in keys:
            prior = await reader.one(INHERITED, found.sid, keys[name])
            found.prior = None if prior is None else rows.to_attempt(prior[0], prior[1:])
    return cached


def _take(cached: dict[str, CachedRow], row: Sequence[Any]) -> None:
    name, removed = row[-1], row[-2]
    if name not in cached:
        prior = row[-2 - _ATTEMPTS : -2]
        cached[name] = CachedRow(
            row[0] or 0,
            row[_STREAMS] or 0,
            rows.to_stream(row[:_STREAMS]) if row[0] is not None else None,
            removed=removed,
            fresh=True,
            heads=[],
            answers={},
            prior=rows.to_attempt(name, prior) if prior[0] is not None else None,
        )
    head = row[_STREAMS + 1 : _STREAMS + 4 + _ATTEMPTS]
    if head[0] is not None:
        _take_head(cached[name], rows.to_attempt(name, head[:_ATTEMPTS]), *head[_ATTEMPTS:])


def _take_head(found: CachedRow, head: Attempt, numbers: Any, fingerprints: Any, bodies: Any) -> None:
    found.heads = sorted([*found.heads, head], key=lambda each: (each.rank, each.n))  # a join gives rows in any order
    if numbers:
        found.answers[head.n] = tuple(map(Answer, numbers, fingerprints, bodies))


class PostgresUnitOfWork(UnitOfWork):
    """What one job reads and writes in one round."""

    def __init__(self, cached: Mapping[str, CachedRow], new_sid: Callable[[], int]) -> None:
        super().__init__()
        self._cached = cached
        self._new_sid = new_sid
        #: Keys that must not be there when it is written, by stream.
        self._absent: dict[str, str] = {}

    # reading

    def _row(self, name: str, *, fresh: bool = False) -> CachedRow:
        row = self._cached.get(name)
        if row is None and not storable(name):
            raise Unknown(f"there is no stream {name!a}")
        if row is None or (fresh and not row.fresh):
            raise Unseen
        return row

    def row(self, name: str) -> tuple[int, Stream] | None:
        row = self._row(name)
        return None if row.stream is None else (row.sid, row.stream)

    def removed(self, name: str) -> bool:
        return self._row(name).removed

    def new_sid(self) -> int:
        return self._new_sid()

    def prior(self, recording: Recording) -> Attempt | None:
        name, key = recording.stream, recording.key
        row = self._row(name)
        if not row.fresh and row.stream is not None and row.stream.parent is not None:
            raise Unseen
        if row.prior is None:
            self._absent[name] = key
        return row.prior

    def head(self, name: str, besides: int | None = None) -> Attempt | None:
        return next((attempt for attempt in self._row(name, fresh=True).heads if attempt.n != besides), None)

    def answers(self, attempt: Attempt) -> tuple[Answer, ...]:
        return self._row(attempt.stream, fresh=True).answers.get(attempt.n, ())

    # what is to be written

    def written(self) -> dict[Kind, list[Sequence[object]]]:
        """The lines of the house's tables, by kind."""
        self.finish()
        lines: dict[Kind, list[Sequence[object]]] = {KINDS[name]: own for name, own in self.lines.items()}
        for name, stream in self.after.items():
            row = rows.stream_row(self.sid(name), stream)
            if name in self.born:
                lines.setdefault(BIRTHS, []).append(row)
            else:
                lines.setdefault(STREAMS, []).append([value for i, value in enumerate(row) if i not in _FIXED])
        return lines

    @property
    def writes(self) -> bool:
        return bool(self.after or self.lines or self._attempts or self.changes)

    def seen(self) -> list[tuple[int, int, str | None]]:
        """Number, stamp and absent key of every row this unit was decided on."""
        return [
            (self._cached[name].sid, self._cached[name].stamp, self._absent.get(name))
            for name in sorted(self.used - self.born)
        ]

    def cached_after(self, stamp: int) -> dict[str, CachedRow]:
        """The streams it wrote, as they stand now that it is written."""
        return {name: CachedRow(self.sid(name), stamp, stream) for name, stream in self.after.items()}
