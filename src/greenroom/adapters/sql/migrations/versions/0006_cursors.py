"""cursors"""

from __future__ import annotations

from greenroom.adapters.sql.migrations.ways import create, index

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    create(
        "cursors",
        "name",
        "name text, worlds text, token bigint, holder text?, busy_until bigint, tries integer, error text?, "
        "rebuilding boolean",
        "Followers: which worlds each follows, who tells it, and what it said when it last failed.",
    )
    create(
        "followed",
        "follower, sid",
        "follower text, sid bigint, told bigint, version bigint",
        "How far each follower was told of each stream, and how far the stream is.",
    )
    index("followed", "follower, sid", "ix_followed_behind", only="told < version")
    create(
        "forgotten",
        "id",
        "id id, follower text, stream text",
        "Names of removed streams whose copies have still to go; each goes when its follower was told.",
    )
    index("forgotten", "follower, id")
