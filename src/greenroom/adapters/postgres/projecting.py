"""Changes of world tables as lines of a round, or as statements one after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from greenroom.adapters.postgres.statement import Kind, alone, drop_kind, patch_kind, put_kind
from greenroom.adapters.sql.changes import Placed, gathered
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.rows import Row
from greenroom.kernel.tables import Drop, Patch, Put


class Projector:
    """Knows the SQL of every world table."""

    def __init__(self, projections: Mapping[str, Projection]) -> None:
        self._projections = projections
        self._puts = {name: put_kind(projection) for name, projection in projections.items()}
        self._drops = {name: drop_kind(projection) for name, projection in projections.items()}
        self._patches: dict[tuple[str, tuple[str, ...]], Kind] = {}

    def lines(self, changes: Sequence[Placed]) -> Iterator[tuple[Kind, Sequence[Row]]]:
        """One line for each row that changes.

        Raises:
            LookupError: a table is unknown, or a row lacks its key.
            ValueError: a row has a column that its table has not.
        """
        if not changes:
            return
        rows, others = gathered(self._projections, changes)
        for table, lines in rows.items():
            yield self._puts[table], self._last(table, lines)
        for placed in others:
            yield self._other(placed)

    def _last(self, table: str, lines: Sequence[Row]) -> Sequence[Row]:
        """A row put twice goes down once, as it was last: one statement may not write it twice."""
        if len(lines) < 2:
            return lines
        projection = self._projections[table]
        places = [3 + projection.columns.index(name) for name in projection.table.key]
        return list({(line[0], *(line[place] for place in places)): line for line in lines}.values())

    def _other(self, placed: Placed) -> tuple[Kind, Sequence[Row]]:
        sid, _, version, change = placed
        assert not isinstance(change, Put)
        projection = self._projections[change.table]
        key = [projection.to_sql(name, change.key[name]) for name in projection.table.key]
        if isinstance(change, Drop):
            return self._drops[change.table], [(sid, *key)]
        kind = self._patch(projection, change)
        names = sorted(change.values)
        return kind, [(sid, *key, version, *(projection.to_sql(name, change.values[name]) for name in names))]

    def _patch(self, projection: Projection, change: Patch) -> Kind:
        names = tuple(sorted(change.values))
        if not projection.names.issuperset(names):
            raise ValueError(f"{projection.name} has no such column")
        place = (projection.name, names)
        if place not in self._patches:
            self._patches[place] = patch_kind(projection, names)
        return self._patches[place]

    def one_by_one(self, changes: Sequence[Placed]) -> Iterator[tuple[str, list[str]]]:
        """Every change as a statement of its own, in order."""
        for placed in changes:
            sid, root, version, change = placed
            if isinstance(change, Put):
                line: Row = self._projections[change.table].line(sid, version, root, change.values)
                kind: Kind = self._puts[change.table]
            else:
                kind, (line,) = self._other(placed)
            yield alone(kind, line)
