"""What Alembic runs: the connection comes from whoever migrates, so that it shares their transaction."""

from __future__ import annotations

from alembic import context

from greenroom.adapters.sql.migrations.ways import NAMED

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=NAMED,
    transactional_ddl=True,
    render_as_batch=True,
    on_version_apply=context.config.attributes.get("on_version_apply"),
)
with context.begin_transaction():
    context.run_migrations()
