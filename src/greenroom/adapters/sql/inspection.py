"""Looking for damage: rows that belong to nobody, counters that do not add up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.removal import NOBODY, OF_STREAM
from greenroom.adapters.sql.store import Reader
from greenroom.journal.audit import Tally, disagreements
from greenroom.journal.records import Stream

#: Streams looked at in one read: a long one would keep SQLite's log from being cut.
PAGE = 500

_TALLY = """
SELECT s.sid, (SELECT count(*) FROM attempts WHERE sid = s.sid AND status IS NULL),
    (SELECT at FROM attempts WHERE sid = s.sid AND status IS NULL ORDER BY rank, n LIMIT 1),
    (SELECT max(n) FROM attempts WHERE sid = s.sid), (SELECT count(*) FROM steps WHERE sid = s.sid),
    (SELECT count(*) FROM steps t WHERE t.sid = s.sid
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.sid = t.sid AND a.n = t.n)),
    (SELECT max(version) FROM steps WHERE sid = s.sid),
    (SELECT at FROM steps WHERE sid = s.sid ORDER BY version DESC LIMIT 1)
FROM streams s WHERE s.sid = ANY($1::bigint[])
"""
_SNAPSHOTS = "SELECT sid, version FROM snapshots WHERE sid = ANY($1::bigint[]) ORDER BY sid, version"


_NO_SESSION = """
SELECT count(*) FROM adk_events e WHERE NOT EXISTS (
    SELECT 1 FROM adk_sessions s WHERE s.app_name = e.app_name AND s.user_id = e.user_id AND s.id = e.session_id
)
"""


async def leftovers(reader: Reader, world_tables: str) -> Sequence[str]:
    """Rows whose stream, or session, is not there."""
    found = []
    for table in (*OF_STREAM, "ledger", *(name for (name,) in await reader.all(world_tables))):
        count = await reader.value(
            f"SELECT count(*) FROM {table} t WHERE sid <> {NOBODY} "
            "AND NOT EXISTS (SELECT 1 FROM streams s WHERE s.sid = t.sid)"
        )
        if count:
            found.append(f"{count} rows of {table} belong to no stream")
    if count := await reader.value(_NO_SESSION):
        found.append(f"{count} rows of adk_events belong to no session")
    return found


async def page(reader: Reader, after: int) -> tuple[int | None, Sequence[str]]:
    """What is wrong with the next streams, and the number of the last; None if there were none."""
    found = await reader.all(f"SELECT {rows.STREAM} FROM streams WHERE sid > $1 ORDER BY sid LIMIT {PAGE}", after)
    streams = [(row[0], rows.to_stream(row)) for row in found]
    return (streams[-1][0] if streams else None), await out_of_step(reader, streams)


async def out_of_step(reader: Reader, streams: Sequence[tuple[int, Stream]]) -> list[str]:
    """In what the rows of streams differ from their other rows."""
    sids = [sid for sid, _ in streams]
    snapshots: defaultdict[int, list[int]] = defaultdict(list)
    for sid, version in await reader.all(_SNAPSHOTS, sids):
        snapshots[sid].append(version)
    tallies = {
        sid: Tally(
            open=waiting, head_at=head_at, last_attempt=last_attempt, steps=steps, strays=strays,
            last_version=last_version, last_at=last_at, snapshots=snapshots[sid],
        )
        for sid, waiting, head_at, last_attempt, steps, strays, last_version, last_at in await reader.all(_TALLY, sids)
    }  # fmt: skip
    return [sentence for sid, stream in streams for sentence in disagreements(stream, tallies[sid])]
