"""What migrations are written with; alembic's ``op`` says the rest."""

from __future__ import annotations

from typing import Any

from alembic import op

from greenroom.adapters.sql.schema import parts, where


def create(table: str, key: str, columns: str, comment: str, *rules: Any, **options: Any) -> None:
    """Make a table of columns as they were declared then; its rules are named by the convention of the schema."""
    op.create_table(table, *parts(columns, key), *rules, comment=comment, **options)


def index(table: str, columns: str, name: str | None = None, *, only: str | None = None, unique: bool = False) -> None:
    """Make an index, named after what it is of where it has no name of its own."""
    of = columns.split(", ")
    op.create_index(name or op.f(f"ix_{table}_{'_'.join(of)}"), table, of, unique=unique, **where(only))
