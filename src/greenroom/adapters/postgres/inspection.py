"""Looking for damage: rows that belong to nobody, counters that do not add up."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.postgres.connection import Link
from greenroom.adapters.postgres.removal import NOBODY, OF_STREAM, world_tables
from greenroom.adapters.sql import rows
from greenroom.journal.audit import Tally, disagreements
from greenroom.journal.records import Stream

#: Streams looked at in one read.
PAGE = 500

_TALLY = """
SELECT s.sid, a.open, h.at, a.last, p.count, p.strays, p.last, l.at, n.versions
FROM unnest($1::bigint[]) s (sid)
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE status IS NULL) AS open, max(n) AS last FROM attempts WHERE sid = s.sid
) a
LEFT JOIN LATERAL (
    SELECT at FROM attempts WHERE sid = s.sid AND status IS NULL ORDER BY rank, n LIMIT 1
) h ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count, max(version) AS last, count(*) FILTER (
        WHERE NOT EXISTS (SELECT 1 FROM attempts x WHERE x.sid = t.sid AND x.n = t.n)
    ) AS strays FROM steps t WHERE t.sid = s.sid
) p
LEFT JOIN LATERAL (SELECT at FROM steps WHERE sid = s.sid ORDER BY version DESC LIMIT 1) l ON true
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(version ORDER BY version), '{}') AS versions FROM snapshots WHERE sid = s.sid
) n
"""


async def leftovers(link: Link) -> Sequence[str]:
    """Rows whose stream is not there."""
    found = []
    for table in (*OF_STREAM, "ledger", *await world_tables(link)):
        count = await link.value(
            f"SELECT count(*) FROM {table} t WHERE sid <> {NOBODY} "
            "AND NOT EXISTS (SELECT 1 FROM streams s WHERE s.sid = t.sid)"
        )
        if count:
            found.append(f"{count} rows of {table} belong to no stream")
    return found


async def page(link: Link, after: int) -> Sequence[tuple[int, Stream]]:
    found = await link.fetch(f"SELECT {rows.STREAM} FROM streams WHERE sid > $1 ORDER BY sid LIMIT {PAGE}", after)
    return [(row[0], rows.to_stream(row)) for row in found]


async def out_of_step(link: Link, streams: Sequence[tuple[int, Stream]]) -> list[str]:
    """In what the rows of streams differ from their other rows."""
    found = await link.fetch(_TALLY, [sid for sid, _ in streams])
    tallies = {
        sid: Tally(
            open=waiting, head_at=head_at, last_attempt=last_attempt, steps=steps, strays=strays,
            last_version=last_version, last_at=last_at, snapshots=snapshots,
        )
        for sid, waiting, head_at, last_attempt, steps, strays, last_version, last_at, snapshots in found
    }  # fmt: skip
    return [sentence for sid, stream in streams for sentence in disagreements(stream, tallies[sid])]
