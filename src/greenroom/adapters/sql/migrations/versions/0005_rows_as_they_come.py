"""rows as they come"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

# Kept in the order of their keys, the rows of many streams each went to a page of their own, and pages were split again
# and again: a commit of 32 turns wrote 220 pages. As they come, they fill the last page. PostgreSQL always did so.
_TABLES = {"attempts": "sid, n", "steps": "sid, version"}


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    for table, order in _TABLES.items():
        made = sa.text("SELECT sql FROM sqlite_master WHERE tbl_name = :table AND type = :type AND sql IS NOT NULL")
        definition = connection.execute(made, {"table": table, "type": "table"}).scalar_one()
        indexes = connection.execute(made, {"table": table, "type": "index"}).scalars().all()
        op.execute(f"ALTER TABLE {table} RENAME TO {table}_before")
        op.execute(definition.replace("WITHOUT ROWID", ""))
        op.execute(f"INSERT INTO {table} SELECT * FROM {table}_before ORDER BY {order}")
        op.execute(f"DROP TABLE {table}_before")
        for index in indexes:
            op.execute(index)
