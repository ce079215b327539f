"""search"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

# PostgreSQL keeps vectors as its own type; the column of 0002 was never filled there. SQLite keeps its trigger of 0002
# and nothing changes for it. The indexes for very large scopes are made when there is one: they cost every turn some.
_POSTGRESQL = (
    "CREATE EXTENSION IF NOT EXISTS vector",
    "ALTER TABLE vectors DROP COLUMN vector",
    "ALTER TABLE vectors ADD COLUMN vector vector NOT NULL",
    # Names and ids stand in the same order on every server, whatever language it was set up in.
    'ALTER TABLE streams ALTER COLUMN name TYPE text COLLATE "C"',
    'ALTER TABLE letters ALTER COLUMN key TYPE text COLLATE "C"',
    'ALTER TABLE memories ALTER COLUMN id TYPE text COLLATE "C"',
    """
    CREATE FUNCTION memories_gone() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT 1 FROM gone) THEN
            DELETE FROM vectors v USING gone WHERE v.mid = gone.mid;
            UPDATE house SET value = uuid_send(gen_random_uuid()) WHERE key = 'memories gone';
        END IF;
        RETURN NULL;
    END $$
    """,
    "CREATE TRIGGER memories_gone AFTER DELETE ON memories REFERENCING OLD TABLE AS gone "
    "FOR EACH STATEMENT EXECUTE FUNCTION memories_gone()",
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for statement in _POSTGRESQL:
            op.execute(sa.text(statement))
