"""World tables in SQL: made from their declarations, rows to parameters and back.

They are projections: when a declaration changes, the table is dropped, made anew and rebuilt from the
journal. So they need no migrations of their own, and a world from elsewhere brings its tables along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from operator import itemgetter
from typing import Any

from msgspec import Raw

from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.writes import Kind, quoted, taken
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.tables import PLAIN, ColumnKind, Table, plain
from greenroom.kernel.words import Words

#: PostgreSQL's types of columns, which SQLite takes too; everything else is text.
_TYPES: Mapping[ColumnKind, str] = {"integer": "bigint", "real": "float8", "boolean": "boolean"}


def _literal(text: str) -> str:
    """A text within a statement: rules take no parameters."""
    return "'" + text.replace("'", "''") + "'"


def _json_text(value: Any) -> str | None:
    if value is None:
        return None
    return str(value if type(value) is Raw else canonical(plain(value)), "utf-8")


def _truth(value: Any) -> bool | None:
    return value if value is None or type(value) is bool else bool(plain(value))


def _id(value: Any) -> Any:
    return value.id if type(value) is Words else plain(value)


#: Parameters of columns whose values are not kept as they are.
_TO_SQL: Mapping[ColumnKind, Callable[[Any], Any]] = {
    "json": _json_text,
    "boolean": _truth,
    "words": _id,
    "moment": plain,
    "date": plain,
}


class Projection:
    """One world table as a SQL back-end sees it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.name = table.name
        self.columns = tuple(column.name for column in table.columns)
        self.names = frozenset(self.columns)
        self._kinds = {column.name: column.kind for column in table.columns}
        self._blank: dict[str, Any] = dict.fromkeys(self.columns)
        self._count = len(self.columns)
        self._patches: dict[tuple[str, ...], Kind] = {}
        self._pick = itemgetter(*self.columns, self.columns[0])  # with one name alone it would give no tuple
        #: Where in a line of parameters the columns stand that are not kept as they are, and what becomes of them.
        self._changed = tuple(
            (3 + i, _TO_SQL[column.kind]) for i, column in enumerate(table.columns) if column.kind in _TO_SQL
        )

    @cached_property
    def digest(self) -> bytes:
        """Tells one declaration from another; the first number is the form of the SQL made from it."""
        return sha256(canonical((1, self.table))).digest()

    @property
    def view(self) -> str:
        """A view with the stream's name and the words themselves, for people and their tools."""
        chosen = ", ".join(self._viewed(name) for name in self.columns)
        return (
            f"CREATE VIEW {self.name}_view AS SELECT s.name AS stream, t.version, {chosen} "
            f"FROM {self.name} t JOIN streams s ON s.sid = t.sid"
        )

    @property
    def ddl(self) -> list[str]:
        """The statements that make the table anew, without its rows."""
        return [
            f"DROP VIEW IF EXISTS {self.name}_view",
            f"DROP TABLE IF EXISTS {self.name}",
            f"CREATE TABLE {self.name} ({', '.join(self._declared())})",
            *(f"{self._index('UNIQUE INDEX uq', unique.columns)} WHERE root" for unique in self.table.unique),
            *(self._index("INDEX ix", columns) for columns in self.table.indexes),
            self.view,
            f"DELETE FROM projections WHERE name = '{self.name}'",
        ]

    def _index(self, kind: str, columns: Sequence[str]) -> str:
        return f"CREATE {kind}_{self.name}_{'_'.join(columns)} ON {self.name} ({quoted(columns)})"

    def _declared(self) -> Iterator[str]:
        """Columns, key and rules of the table."""
        yield from ("sid bigint NOT NULL", "version bigint NOT NULL", "root boolean NOT NULL")
        for column in self.table.columns:
            type_, empty = _TYPES.get(column.kind, "text"), "" if column.optional else " NOT NULL"
            yield f'"{column.name}" {type_}{empty}'
        yield f"PRIMARY KEY ({quoted(('sid', *self.table.key))})"
        for column in self.table.columns:
            rule = f'CONSTRAINT ck_{self.name}_{column.name}{{}} CHECK ("{column.name}" {{}})'
            if column.among:
                yield rule.format("", f"IN ({', '.join(map(_literal, column.among))})")
            if column.between is not None:
                yield rule.format("_between", "BETWEEN {} AND {}".format(*column.between))

    # what is written

    def _types(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(_TYPES.get(self._kinds[name], "text") for name in names)

    @cached_property
    def whole(self) -> Kind:
        """Rows as they are put."""
        key = ("sid", *self.table.key)
        changed = [name for name in ("version", *self.columns) if name not in key]
        columns = ("sid", "version", "root", *self.columns)
        types = ("bigint", "bigint", "boolean", *self._types(self.columns))
        conflict = f"ON CONFLICT ({quoted(key)}) DO UPDATE SET {taken(changed, 'excluded')}"
        return Kind(self.name, columns, types, conflict=conflict)

    @cached_property
    def drop(self) -> Kind:
        key = self.table.key
        return Kind(self.name, ("sid", *key), ("bigint", *self._types(key)), drops=("=",) * (len(key) + 1))

    def patch(self, names: tuple[str, ...]) -> Kind:
        """Some columns of rows that may be there.

        Raises:
            ValueError: the table has no such column.
        """
        if names not in self._patches:
            self._patches[names] = self._patch(names)
        return self._patches[names]

    def _patch(self, names: tuple[str, ...]) -> Kind:
        if not self.names.issuperset(names):
            raise ValueError(f"{self.name} has no such column")
        key = self.table.key
        same = "".join(f' AND t."{name}" = v."key {name}"' for name in key)
        update = f"UPDATE {self.name} AS t SET {taken(('version', *names), 'v')} FROM v WHERE t.sid = v.sid{same}"
        columns = ("sid", *(f"key {name}" for name in key), "version", *names)
        return Kind(self.name, columns, ("bigint", *self._types(key), "bigint", *self._types(names)), update=update)

    def last(self, lines: Sequence[Row]) -> Sequence[Row]:
        """A row put twice goes down once, as it was last: one statement may not write it twice."""
        if len(lines) < 2:
            return lines
        places = [3 + self.columns.index(name) for name in self.table.key]
        return list({(line[0], *(line[place] for place in places)): line for line in lines}.values())

    def _viewed(self, name: str) -> str:
        if self._kinds[name] == "words":
            return f'(SELECT m.text FROM memories m WHERE m.id = t."{name}") AS "{name}"'
        return f't."{name}"'

    def line(self, sid: int, version: int, root: int, values: Mapping[str, Any]) -> list[Any]:
        """A whole row as parameters; columns not named are empty.

        Raises:
            ValueError, LookupError: there is a column that the table has not.
        """
        whole = values
        if len(values) != self._count and len(whole := {**self._blank, **values}) > self._count:
            raise ValueError(f"{self.name} has no such column")
        line = [sid, version, root, *self._pick(whole)]
        line.pop()
        for i, to_sql in self._changed:
            line[i] = to_sql(line[i])
        if not PLAIN.issuperset(map(type, line)):
            line[3:] = map(plain, line[3:])
        return line

    def to_sql(self, name: str, value: Any) -> Any:
        return _TO_SQL.get(self._kinds[name], plain)(value)

    def from_sql(self, row: Sequence[Any]) -> dict[str, Any]:
        """A row read as (version, *columns)."""
        values = {name: self._from_sql(name, value) for name, value in zip(self.columns, row[1:], strict=True)}
        return {**values, "version": row[0]}

    def _from_sql(self, name: str, value: Any) -> Any:
        if value is None:
            return None
        match self._kinds[name]:
            case "json":
                return parse(value)
            case "boolean":
                return bool(value)
            case "real":
                return float(value)
            case _:
                return value
