"""Row changes of many turns, brought down to one change a row, as lines of what is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec.structs import replace

from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.writes import Kind
from greenroom.kernel.tables import Change, Drop, Patch, Put

#: Number of the stream, whether it is a root, the version that makes the change, and the change.
Placed: TypeAlias = tuple[int, bool, int, Change]


def changed(projections: Mapping[str, Projection], changes: Sequence[Placed]) -> Iterator[tuple[Kind, Sequence[Row]]]:
    """One line for each row that changes.

    Raises:
        LookupError: a table is unknown, or a row lacks its key.
        ValueError: a row has a column that its table has not.
    """
    if changes:
        whole, others = gathered(projections, changes)
        for placed in others:
            kind, line = line_of(projections, placed)
            yield kind, (line,)
        for table, lines in whole.items():
            yield projections[table].whole, projections[table].last(lines)


def line_of(projections: Mapping[str, Projection], placed: Placed) -> tuple[Kind, Row]:
    """One change as a line of its own."""
    sid, root, version, change = placed
    projection = projections[change.table]
    if isinstance(change, Put):
        return projection.whole, projection.line(sid, version, root, change.values)
    key = [sid, *_key(projection, change)]
    if isinstance(change, Drop):
        return projection.drop, key
    names = tuple(sorted(change.values))
    values = (projection.to_sql(name, change.values[name]) for name in names)
    return projection.patch(names), [*key, version, *values]


def gathered(
    projections: Mapping[str, Projection], changes: Sequence[Placed]
) -> tuple[Mapping[str, Sequence[Row]], Sequence[Placed]]:
    """The same end with fewer statements: rows that are changed again and again go down once.

    Whole rows by table; and drops and patches, in this order, which may come before the rows.

    Raises:
        LookupError: a table is unknown, or a row lacks its key.
        ValueError: a row has a column that its table has not.
    """
    mended = {change.table for _, _, _, change in changes if type(change) is not Put}
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    last: dict[tuple[Any, ...], Placed] = {}
    for placed in changes:
        sid, root, version, change = placed
        name = change.table
        if type(change) is Put and name not in mended:
            rows[name].append(projections[name].line(sid, version, root, change.values))
        else:
            place = (name, sid, *_key(projections[name], change))
            last[place] = _joined(last.get(place), placed)
    others: list[Placed] = []
    for sid, root, version, change in last.values():
        if isinstance(change, Put):
            rows[change.table].append(projections[change.table].line(sid, version, root, change.values))
        else:
            others.append((sid, root, version, change))
    others.sort(key=lambda placed: isinstance(placed[3], Patch))
    return rows, others


def _joined(before: Placed | None, placed: Placed) -> Placed:
    """What a row comes to by one more change."""
    sid, root, version, change = placed
    if before is None or not isinstance(change, Patch):
        return placed
    if isinstance(before[3], Drop):
        return before  # what is not there is not patched
    return sid, root, version, replace(before[3], values={**before[3].values, **change.values})


def _key(projection: Projection, change: Change) -> Sequence[Any]:
    names = projection.table.key
    if not names:
        return ()
    own = change.values if isinstance(change, Put) else change.key
    return [projection.to_sql(name, own[name]) for name in names]
