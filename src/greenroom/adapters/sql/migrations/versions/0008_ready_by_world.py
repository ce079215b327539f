"""ready by world"""

from __future__ import annotations

from greenroom.adapters.sql.migrations.ways import index

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    index("streams", "world, ready_at", "ix_streams_ready_by_world", only="ready_at IS NOT NULL")
