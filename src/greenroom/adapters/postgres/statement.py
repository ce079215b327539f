"""The one statement that writes a round: every row of every job, each job whole or not at all.

A job is decided on rows as they were seen. The statement locks those rows, in one order for everybody, and keeps only
the jobs whose rows are still what was seen: ``xmin`` is the number of the transaction that last wrote a row. What the
other jobs would have written joins to nothing. So one round trip decides and writes for many, no lock outlives it, and
a job that came too late harms no neighbour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from greenroom.adapters.postgres.literals import literal
from greenroom.adapters.sql import rows, writes
from greenroom.adapters.sql.writes import FIXED, Kind, quoted, taken

_MOVES = ", ".join(name for name in rows.names(rows.STREAM) if name not in rows.names(FIXED))

#: Streams, here in two kinds: a birth has a place of its own in the statement.
BIRTHS = writes.kind("streams", rows.STREAM)
STREAMS = writes.kind(
    "streams",
    f"sid, {_MOVES}",
    update=f"UPDATE streams AS t SET {taken(rows.names(_MOVES), 'v')} FROM v WHERE t.sid = v.sid",
)


def _sql(kind: Kind, v: str) -> str:
    """What is done with lines of a kind, by the name they have in this statement."""
    if kind.update:
        return kind.update.replace(" FROM v", f" FROM {v} v")
    if kind.drops:
        same = (f't."{name}" {how} v."{name}"' for name, how in zip(kind.columns, kind.drops, strict=True))
        return f"DELETE FROM {kind.table} t USING {v} v WHERE {' AND '.join(same)}"
    chosen = ", ".join(f'v."{name}"' for name in kind.columns)
    return f"INSERT INTO {kind.table} ({quoted(kind.columns)}) SELECT {chosen} FROM {v} v {kind.conflict}"


#: job, sid, what the row was when it was seen, and a key that must not be there.
_SEEN = ("integer", "bigint", "xid", "text")
_HELD = """
held AS (
    SELECT v.job, s.sid FROM seen v JOIN streams s ON s.sid = v.sid
    LEFT JOIN attempts a ON a.sid = v.sid AND a.key = v.key
    WHERE s.xmin = v.stamp AND a.sid IS NULL ORDER BY s.sid FOR NO KEY UPDATE OF s
)"""
#: A job goes through when all it saw is held and all it bears is born. Jobs are numbered from 0, so that the others'
#: rows are told by their place in an array: joins here would cost the square of the number of jobs.
_GOOD = """
good AS (
    SELECT job, sum(have) = sum(need) AS through FROM (
        SELECT job, 1 AS have, 0 AS need FROM held UNION ALL SELECT job, 0, "count" FROM wanted{born}
    ) each GROUP BY job
), passed AS (SELECT array_agg(through ORDER BY job) AS flags FROM good)"""
_PASSED = " WHERE (SELECT flags FROM passed)[g.job + 1]"
_BORN = " UNION ALL SELECT v.job, 1, 0 FROM births v JOIN born b ON b.sid = v.sid"


@lru_cache(maxsize=1024)
def _text(kinds: tuple[Kind, ...], births: bool) -> str:  # noqa: FBT001
    parts, at = [], 1

    def taken(count: int) -> range:
        nonlocal at
        at += count
        return range(at - count, at)

    def arrays(name: str, columns: Sequence[str], types: Sequence[str], where: str = "") -> str:
        given = ", ".join(f"${n}::text::{type_}[]" for n, type_ in zip(taken(len(types)), types, strict=True))
        return f"{name} AS (SELECT * FROM unnest({given}) g ({quoted(columns)}){where})"

    parts.append(arrays("wanted", ("job", "count"), ("integer", "integer")))
    parts.append(arrays("seen", ("job", "sid", "stamp", "key"), _SEEN))
    parts.append(_HELD)
    if births:
        columns = quoted(BIRTHS.columns)
        parts.append(arrays("births", ("job", *BIRTHS.columns), ("integer", *BIRTHS.types)))
        parts.append(
            f"born AS (INSERT INTO streams ({columns}) SELECT {columns} FROM births "
            "ON CONFLICT DO NOTHING RETURNING sid)"
        )
    parts.append(_GOOD.format(born=_BORN if births else ""))
    for i, kind in enumerate(kinds):
        parts.append(arrays(f"v{i}", ("job", *kind.columns), ("integer", *kind.types), _PASSED))
        parts.append(f"w{i} AS ({_sql(kind, f'v{i}')})")
    return f"WITH {', '.join(parts)} SELECT job, pg_current_xact_id()::xid FROM good WHERE through"


def alone(kind: Kind, row: Sequence[Any]) -> tuple[str, list[str]]:
    """One row of a kind as a statement of its own, with its parameters."""
    given = ", ".join(f"${n}::text::{type_}[]" for n, type_ in enumerate(kind.types, start=1))
    statement = f"WITH v ({quoted(kind.columns)}) AS (SELECT * FROM unnest({given})) {_sql(kind, 'v')}"
    return statement, _columns([row], kind.types)


def compose(
    wanted: Sequence[Sequence[Any]], seen: Sequence[Sequence[Any]], lines: Mapping[Kind, Sequence[Sequence[Any]]]
) -> tuple[str, list[str]]:
    """The statement and its parameters; every line of a kind begins with the number of its job."""
    kinds = tuple(kind for kind in lines if kind is not BIRTHS)
    born = lines.get(BIRTHS)
    values = [*_columns(wanted, ("integer", "integer")), *_columns(seen, _SEEN)]
    if born is not None:
        values += _columns(born, ("integer", *BIRTHS.types))
    for kind in kinds:
        values += _columns(lines[kind], ("integer", *kind.types))
    return _text(kinds, born is not None), values


def _columns(lines: Sequence[Sequence[Any]], types: Sequence[str]) -> list[str]:
    if not lines:
        return ["{}"] * len(types)
    return list(map(literal, zip(*lines, strict=True), types))
