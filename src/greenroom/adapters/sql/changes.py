"""Row changes of many turns, brought down to one change a row, as lines of what is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.writes import Kind
from greenroom.kernel.tables import Change, Drop, Patch, Put

#: Number of the stream, whether it is a root (as the driver likes its booleans), the version that makes the change,
#: and the change.
Placed: TypeAlias = tuple[int, int, int, Change]


class Gathered(NamedTuple):
    """What is left to be done; no row of a table that was mended is named twice."""

    #: Whole rows by table.
    rows: Mapping[str, Sequence[Row]]
    #: Drops, then patches; they may come before the rows.
    others: Sequence[Placed]


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


def gathered(projections: Mapping[str, Projection], changes: Sequence[Placed]) -> Gathered:
    """The same end with fewer statements: rows that are patched again and again go down once.

    Raises:
        LookupError: a table is unknown, or a row lacks its key.
        ValueError: a row has a column that its table has not.
    """
    mended = {change.table for _, _, _, change in changes if type(change) is not Put}
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    last: dict[tuple[Any, ...], _Last] = {}
    for sid, root, version, change in changes:
        name = change.table
        if type(change) is Put and name not in mended:
            rows[name].append(projections[name].line(sid, version, root, change.values))
            continue
        place = (name, sid, *_key(projections[name], change))
        before = last.get(place)
        if before is None or type(change) is not Patch:
            last[place] = _Last(sid, root, version, change)
        elif type(before.change) is not Drop:  # what is not there is not patched
            before.values.update(change.values)
            before.version = version
    others: list[Placed] = []
    for found in last.values():
        if isinstance(found.change, Put):
            rows[found.change.table].append(found.line(projections[found.change.table]))
        else:
            others.append(found.placed())
    others.sort(key=lambda placed: isinstance(placed[3], Patch))
    return Gathered(rows, others)


class _Last:
    """What a row comes to, as changes are joined."""

    __slots__ = ("change", "root", "sid", "values", "version")

    def __init__(self, sid: int, root: int, version: int, change: Change) -> None:
        self.sid = sid
        self.root = root
        self.version = version
        self.change = change
        self.values = {} if isinstance(change, Drop) else dict(change.values)

    def line(self, projection: Projection) -> Row:
        return projection.line(self.sid, self.version, self.root, self.values)

    def placed(self) -> Placed:
        change = self.change
        if isinstance(change, Patch):
            change = Patch(change.table, change.key, self.values)
        return self.sid, self.root, self.version, change


def _key(projection: Projection, change: Change) -> Sequence[Any]:
    names = projection.table.key
    if not names:
        return ()
    own = change.values if isinstance(change, Put) else change.key
    return [projection.to_sql(name, own[name]) for name in names]
