"""What migrations are written with; alembic's ``op`` says the rest."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from greenroom.adapters.sql.columns import declared

#: How keys, rules and indexes are named that have no name of their own.
NAMED = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: SQLite numbers rows by itself only for a column of exactly this type.
_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TYPES: dict[str, Any] = {
    "id": _ID,
    "rowid": _ID,
    "bigint": sa.BigInteger,
    "integer": sa.Integer,
    "smallint": sa.SmallInteger,
    "float8": sa.Double,
    "boolean": sa.Boolean,
    "text": sa.Text,
    "bytea": sa.LargeBinary,
}


def parts(columns: str, key: str) -> list[Any]:
    """The columns of a table and its key, as SQLAlchemy has them."""
    made: list[Any] = [
        sa.Column(name, _TYPES[type_], nullable=optional, autoincrement="auto" if type_ == "id" else False)
        for name, type_, optional in declared(columns)
    ]
    return [*made, sa.PrimaryKeyConstraint(*key.split(", "))]


def where(condition: str | None) -> dict[str, Any]:
    """What makes an index one over some of the rows."""
    return {} if condition is None else {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def create(table: str, key: str, columns: str, comment: str, *rules: Any, **options: Any) -> None:
    """Make a table of columns as they were declared then; its rules are named by the convention of the schema."""
    op.create_table(table, *parts(columns, key), *rules, comment=comment, **options)


def index(table: str, columns: str, name: str | None = None, *, only: str | None = None, unique: bool = False) -> None:
    """Make an index, named after what it is of where it has no name of its own."""
    of = columns.split(", ")
    op.create_index(name or op.f(f"ix_{table}_{'_'.join(of)}"), table, of, unique=unique, **where(only))
