"""The one statement that writes a round: every row of every job, each job whole or not at all.

A job is decided on rows as they were seen. The statement locks those rows, in one order for everybody, and keeps only
the jobs whose rows are still what was seen: ``xmin`` is the number of the transaction that last wrote a row. What the
other jobs would have written joins to nothing. So one round trip decides and writes for many, no lock outlives it, and
a job that came too late harms no neighbour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from greenroom.adapters.postgres.literals import literal
from greenroom.adapters.sql import rows
from greenroom.adapters.sql.columns import COLUMNS, declared
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.writes import FIXED, INSERTS, UPDATES, taken

_BIG, _TEXT, _BOOL, _REAL = "bigint", "text", "boolean", "float8"
_KINDS = {"integer": _BIG, "real": _REAL, "boolean": _BOOL}

#: Type of every column by its table and name.
_TYPES = {
    (table, column.name): _BIG if column.type == "id" else column.type
    for table, columns in COLUMNS.items()
    for column in declared(columns)
}


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """One kind of row that a round can write: its columns, and the SQL that does it.

    In ``sql``, ``v`` are the rows of the jobs that go through. Each is made once and known by itself.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    sql: str


def _kind(table: str, columns: str, sql: str) -> Kind:
    given = rows.names(columns)
    return Kind(given, tuple(_TYPES[table, name] for name in given), sql)


def _insert(table: str, columns: str, conflict: str) -> Kind:
    return _kind(table, columns, f"INSERT INTO {table} ({columns}) SELECT {rows.of('v', columns)} FROM v {conflict}")


_MOVES = ", ".join(name for name in rows.names(rows.STREAM) if name not in rows.names(FIXED))

BIRTHS = "births"
KINDS: Mapping[str, Kind] = {
    BIRTHS: _kind("streams", rows.STREAM, ""),  # has a place of its own in the statement
    "streams": _kind(
        "streams", f"sid, {_MOVES}", f"UPDATE streams AS t SET {taken(_MOVES)} FROM v WHERE t.sid = v.sid"
    ),
    "unanswered": _kind(
        "answers", "sid, n, i", "DELETE FROM answers t USING v WHERE t.sid = v.sid AND t.n = v.n AND t.i >= v.i"
    ),
    **{kind: _kind(*update) for kind, update in UPDATES.items()},
    **{kind: _insert(*insert) for kind, insert in INSERTS.items()},
}


def put_kind(projection: Projection) -> Kind:
    """Whole rows of a world table."""
    columns = ("sid", "version", "root", *projection.columns)
    key = projection.table.key
    changed = [_same(name, "excluded") for name in ("version", *projection.columns) if name not in key]
    chosen = ", ".join(f"v.{_quoted(name)}" for name in columns)
    return Kind(
        columns,
        (_BIG, _BIG, _BOOL, *(_type(projection, name) for name in projection.columns)),
        f"INSERT INTO {projection.name} ({_listed(columns)}) SELECT {chosen} FROM v "
        f"ON CONFLICT ({_listed(('sid', *key))}) DO UPDATE SET {', '.join(changed)}",
    )


def patch_kind(projection: Projection, changed: Sequence[str]) -> Kind:
    """Some columns of rows that may be there."""
    columns, types, where = _keyed(projection)
    sets = ", ".join(_same(name, "v") for name in ("version", *changed))
    return Kind(
        (*columns, "version", *changed),
        (*types, _BIG, *(_type(projection, name) for name in changed)),
        f"UPDATE {projection.name} t SET {sets} FROM v WHERE {where}",
    )


def drop_kind(projection: Projection) -> Kind:
    columns, types, where = _keyed(projection)
    return Kind(columns, types, f"DELETE FROM {projection.name} t USING v WHERE {where}")


def _keyed(projection: Projection) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Columns, types and condition that name one row."""
    key = projection.table.key
    same = "".join(f" AND t.{_quoted(name)} = v.{_quoted(f'key {name}')}" for name in key)
    types = (_BIG, *(_type(projection, name) for name in key))
    return ("sid", *(f"key {name}" for name in key)), types, f"t.sid = v.sid{same}"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(map(_quoted, columns))


def _same(name: str, source: str) -> str:
    return f"{_quoted(name)} = {source}.{_quoted(name)}"


def _type(projection: Projection, name: str) -> str:
    kind = next(column.kind for column in projection.table.columns if column.name == name)
    return _KINDS.get(kind, _TEXT)


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
def _text(kinds: tuple[Kind, ...], births: Kind | None) -> str:
    parts, at = [], 1

    def taken(count: int) -> range:
        nonlocal at
        at += count
        return range(at - count, at)

    def arrays(name: str, columns: Sequence[str], types: Sequence[str], where: str = "") -> str:
        given = ", ".join(f"${n}::text::{type_}[]" for n, type_ in zip(taken(len(types)), types, strict=True))
        return f"{name} AS (SELECT * FROM unnest({given}) g ({_listed(columns)}){where})"

    parts.append(arrays("wanted", ("job", "count"), ("integer", "integer")))
    parts.append(arrays("seen", ("job", "sid", "stamp", "key"), _SEEN))
    parts.append(_HELD)
    if births is not None:
        columns = ", ".join(births.columns)
        parts.append(arrays("births", ("job", *births.columns), ("integer", *births.types)))
        parts.append(
            f"born AS (INSERT INTO streams ({columns}) SELECT {columns} FROM births "
            "ON CONFLICT DO NOTHING RETURNING sid)"
        )
    parts.append(_GOOD.format(born="" if births is None else _BORN))
    for i, kind in enumerate(kinds):
        parts.append(arrays(f"v{i}", ("job", *kind.columns), ("integer", *kind.types), _PASSED))
        parts.append(f"w{i} AS ({_of(kind.sql, f'v{i}')})")
    return f"WITH {', '.join(parts)} SELECT job, pg_current_xact_id()::xid FROM good WHERE through"


def _of(sql: str, name: str) -> str:
    """The SQL of a kind with its rows by their name in this statement."""
    return sql.replace(" FROM v", f" FROM {name} v").replace(" USING v", f" USING {name} v")


def alone(kind: Kind, row: Sequence[Any]) -> tuple[str, list[str]]:
    """One row of a kind as a statement of its own, with its parameters."""
    given = ", ".join(f"${n}::text::{type_}[]" for n, type_ in enumerate(kind.types, start=1))
    statement = f"WITH v ({_listed(kind.columns)}) AS (SELECT * FROM unnest({given})) {kind.sql}"
    return statement, _columns([row], kind.types)


def compose(
    wanted: Sequence[Sequence[Any]], seen: Sequence[Sequence[Any]], lines: Mapping[Kind, Sequence[Sequence[Any]]]
) -> tuple[str, list[str]]:
    """The statement and its parameters; every line of a kind begins with the number of its job."""
    births = KINDS[BIRTHS]
    kinds = tuple(kind for kind in lines if kind is not births)
    born = lines.get(births)
    values = [*_columns(wanted, ("integer", "integer")), *_columns(seen, _SEEN)]
    if born is not None:
        values += _columns(born, ("integer", *births.types))
    for kind in kinds:
        values += _columns(lines[kind], ("integer", *kind.types))
    return _text(kinds, births if born is not None else None), values


def _columns(lines: Sequence[Sequence[Any]], types: Sequence[str]) -> list[str]:
    if not lines:
        return ["{}"] * len(types)
    return list(map(literal, zip(*lines, strict=True), types))
