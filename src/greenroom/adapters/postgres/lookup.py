"""Looking up what a round of jobs must know, in one round trip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from greenroom.adapters.postgres.unit import CachedRow
from greenroom.adapters.sql import rows
from greenroom.adapters.sql.rows import of, storable, tombstone
from greenroom.adapters.sql.store import INHERITED, Reader
from greenroom.journal.records import Attempt
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
