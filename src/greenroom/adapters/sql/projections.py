"""World tables in SQL: made from their declarations, rows to parameters and back.

They are projections: when a declaration changes, the table is dropped, made anew and rebuilt from the
journal. So they need no migrations of their own, and a world from elsewhere brings its tables along.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from msgspec import Raw

from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.writes import Kind, quoted, taken
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.tables import PLAIN, ColumnKind, Table, plain
from greenroom.kernel.words import Words

if TYPE_CHECKING:
    import sqlalchemy as sa

#: Names of SQLAlchemy's types and of PostgreSQL's; everything else is text.
_TYPES: Mapping[ColumnKind, tuple[str, str]] = {
    "integer": ("BigInteger", "bigint"),
    "real": ("Float", "float8"),
    "boolean": ("Boolean", "boolean"),
}
_TEXT = ("Text", "text")


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
    def definition(self) -> sa.Table:
        return _definition(self.table)

    @property
    def view(self) -> str:
        """A view with the stream's name and the words themselves, for people and their tools."""
        chosen = ", ".join(self._viewed(name) for name in self.columns)
        return (
            f"CREATE VIEW {self.name}_view AS SELECT s.name AS stream, t.version, {chosen} "
            f"FROM {self.name} t JOIN streams s ON s.sid = t.sid"
        )

    def ddl(self, dialect: sa.Dialect) -> list[str]:
        """The statements that make the table anew, without its rows."""
        from sqlalchemy.schema import CreateIndex, CreateTable

        made = self.definition
        # The values of a partial index are written into it: DDL takes no parameters.
        literal = {"literal_binds": True}
        return [
            f"DROP VIEW IF EXISTS {self.name}_view",
            f"DROP TABLE IF EXISTS {self.name}",
            str(CreateTable(made).compile(dialect=dialect)),
            *(
                str(CreateIndex(index).compile(dialect=dialect, compile_kwargs=literal))
                for index in sorted(made.indexes, key=lambda index: str(index.name))
            ),
            self.view,
            f"DELETE FROM projections WHERE name = '{self.name}'",
        ]

    # what is written

    def _types(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(_TYPES.get(self._kinds[name], _TEXT)[1] for name in names)

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


@cache  # a house is opened more often than its tables change
def _definition(table: Table) -> sa.Table:
    import sqlalchemy as sa

    made = sa.Table(
        table.name,
        sa.MetaData(),
        sa.Column("sid", sa.BigInteger, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("root", sa.Boolean, nullable=False),
        *(sa.Column(c.name, getattr(sa, _TYPES.get(c.kind, _TEXT)[0]), nullable=c.optional) for c in table.columns),
        sa.PrimaryKeyConstraint("sid", *table.key),
        *(
            sa.CheckConstraint(sa.column(c.name).in_(c.among), name=f"ck_{table.name}_{c.name}")
            for c in table.columns
            if c.among
        ),
        *(
            sa.CheckConstraint(sa.column(c.name).between(*c.between), name=f"ck_{table.name}_{c.name}_between")
            for c in table.columns
            if c.between is not None
        ),
    )
    for unique in table.unique:
        sa.Index(
            f"uq_{table.name}_{'_'.join(unique.columns)}",
            *(made.c[name] for name in unique.columns),
            unique=True,
            sqlite_where=made.c.root.is_(True),
            postgresql_where=made.c.root.is_(True),
        )
    for columns in table.indexes:
        sa.Index(f"ix_{table.name}_{'_'.join(columns)}", *(made.c[name] for name in columns))
    return made
