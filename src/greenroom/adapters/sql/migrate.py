"""Brings a database to the schema of this Greenroom, and records that it did."""

from __future__ import annotations

import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from greenroom.adapters.sql import migrations


def config(connection: Connection) -> Config:
    made = Config()
    made.set_main_option("script_location", str(Path(migrations.__file__).parent))
    made.attributes["connection"] = connection
    made.attributes["on_version_apply"] = _record
    return made


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the missing migrations inside the caller's transaction."""
    command.upgrade(config(connection), to)


def _record(*, ctx: Any, step: Any, heads: Any, run_args: Any) -> None:
    ctx.connection.execute(
        text("INSERT INTO schema_versions (version, at, greenroom) VALUES (:version, :at, :greenroom)"),
        {"version": step.up_revision_id, "at": time.time_ns() // 1000, "greenroom": version("greenroom")},
    )
