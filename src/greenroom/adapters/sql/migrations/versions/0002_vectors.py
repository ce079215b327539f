"""vectors"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from greenroom.adapters.sql.migrations.ways import create

revision = "0002"
down_revision = "0001"

# Whoever deletes memories, by whatever way, takes their vectors along and tells every process that recalls.
_GONE = """
CREATE TRIGGER memories_gone AFTER DELETE ON memories BEGIN
    DELETE FROM vectors WHERE mid = OLD.mid;
    UPDATE house SET value = randomblob(8) WHERE key = 'memories gone';
END
"""


def upgrade() -> None:
    create(
        "vectors",
        "mid",
        "mid rowid, model text, vector bytea",
        "What a model makes of a memory's words, float32; made when it is first wanted, gone with the memory.",
    )
    op.get_bind().execute(
        sa.text("INSERT INTO house (key, value) VALUES ('memories gone', :value)"), {"value": b"\x00"}
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(_GONE)
