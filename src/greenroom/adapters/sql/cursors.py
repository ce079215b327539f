"""What both SQL back-ends say of cursors alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from greenroom.adapters.sql.deciding import Watched
from greenroom.adapters.sql.rows import Row
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.errors import LeaseLost, Unknown
from greenroom.ports import Behind, Cursor, Hold

#: Who follows which worlds.
FOLLOWERS = "SELECT name, worlds FROM cursors ORDER BY name"
#: Streams that may be followed: sandboxes are nobody's to follow.
FOLLOWABLE = "s.parent IS NULL AND s.clock_at IS NULL AND s.version > 0"
#: A cursor, and how many streams it has, how many of them are behind and by how much.
LISTED = """
SELECT c.name, c.worlds, c.holder, c.busy_until, c.rebuilding, c.tries, c.error, count(f.sid),
    coalesce(sum(CASE WHEN f.told < f.version THEN 1 ELSE 0 END), 0),
    coalesce(sum(f.version - f.told), 0), (SELECT count(*) FROM forgotten g WHERE g.follower = c.name)
FROM cursors c LEFT JOIN followed f ON f.follower = c.name
GROUP BY c.name, c.worlds, c.holder, c.busy_until, c.rebuilding, c.tries, c.error ORDER BY c.name
"""
#: What a follower has to be told: removed streams first, then those that moved, in order of their places.
BEHIND = """
SELECT * FROM (
    SELECT -g.id AS place, g.stream, 0 AS told, 0 AS version, 1 AS gone FROM forgotten g
    WHERE g.follower = $1 AND g.id < -CAST($2 AS bigint) ORDER BY g.id DESC LIMIT $3
) gone UNION ALL SELECT * FROM (
    SELECT f.sid AS place, s.name, f.told, f.version, 0 FROM followed f JOIN streams s ON s.sid = f.sid
    WHERE f.follower = $1 AND f.told < f.version AND f.sid > $2 ORDER BY f.sid LIMIT $3
) moved ORDER BY place LIMIT $3
"""


def worlds_text(worlds: Collection[str]) -> str:
    return canonical(sorted(worlds)).decode()


def watched(rows: Iterable[Row]) -> Watched:
    """Names of followers by world, from rows of name and worlds."""
    found: dict[str, list[str]] = {}
    for name, worlds in rows:
        for world in parse(worlds):
            found.setdefault(world, []).append(name)
    return found


def to_cursor(row: Row) -> Cursor:
    name, worlds, holder, until, rebuilding, tries, error, streams, behind, steps, gone = row
    return Cursor(
        name=name, worlds=tuple(parse(worlds)), holder=holder, until=until, streams=streams, behind=int(behind),
        steps=int(steps), gone=gone, rebuilding=bool(rebuilding), tries=tries, error=error,
    )  # fmt: skip


def to_behind(row: Row) -> Behind:
    sid, stream, told, version, gone = row
    return Behind(place=sid, stream=stream, told=told, version=version, gone=bool(gone))


def unknown(name: str) -> Unknown:
    return Unknown(f"there is no follower {name}; greenroom db follow lists them")


def lost(hold: Hold) -> LeaseLost:
    return LeaseLost(f"follower {hold.name} is no longer told by this worker; nothing was written")
