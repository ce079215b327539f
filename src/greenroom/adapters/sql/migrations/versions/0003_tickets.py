"""tickets"""

from __future__ import annotations

from sqlalchemy import CheckConstraint

from greenroom.adapters.sql.migrations.ways import create, index

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    create(
        "tickets",
        "digest",
        "digest bytea, kind text, owner text?, seat text?, world text?, sid bigint?, label text, made_at bigint, "
        "ends_at bigint?",
        "Who may come in: keyed digests of tickets, and what each opens.",
        CheckConstraint("kind IN ('operator', 'player')", name="kind"),
    )
    index("tickets", "owner")
    index("tickets", "sid")
    index("attempts", "at", "ix_attempts_failed", only="status = 'failed'")
