"""Opening a file: made if it is missing, brought up to date if it is old, refused if it is newer."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from greenroom.adapters.sql.migrations import HEAD
from greenroom.adapters.sql.opening import Opened, fitted, found, migrating
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sqlite.backup import BACKUPS, back_up
from greenroom.adapters.sqlite.connection import connect, our_errors
from greenroom.adapters.sqlite.dialect import SqliteExecutor, straight
from greenroom.adapters.sqlite.file import file_lock, reading, schema_version
from greenroom.adapters.sqlite.witness import forget_sums, make_private, note_damage
from greenroom.kernel.errors import BackendError, ReadOnly


def prepare(path: Path, projections: Sequence[Projection]) -> Opened:
    """Make the file ready for this Greenroom and these worlds.

    Raises:
        NewerSchema: a newer Greenroom wrote it; nothing was changed.
        CorruptHistory: it is damaged, or no house at all; nothing was changed.
        BackendError: the file cannot be opened or written, or not be brought up to date.
    """
    _make_folder(path)
    with our_errors(path):
        if (opened := _as_it_is(path, projections)) is not None:
            return opened
    with file_lock(path), our_errors(path):
        current = schema_version(path)
        note_damage(path)
        forget_sums(path)
        if current != HEAD:
            _migrate(path, current)
        with closing(connect(path, writes=True)) as connection:
            return straight(fitted(SqliteExecutor(connection), projections))


def _as_it_is(path: Path, projections: Sequence[Projection]) -> Opened | None:
    """A file that needs nothing done to it, read without the write lock: somebody suspended may hold that."""
    if schema_version(path) != HEAD:
        return None
    note_damage(path)
    with reading(path) as connection:
        opened = straight(found(SqliteExecutor(connection), projections))
    if not opened.secret or opened.stale:
        return None
    connect(path, writes=True).close()  # whoever may not write is told so now
    return opened


def _make_folder(path: Path) -> None:
    try:
        make_private(path)
    except OSError as error:
        raise ReadOnly(f"{path.parent}: the folder cannot be made ({error.strerror})") from error


def _migrate(path: Path, current: str | None) -> None:
    import sqlalchemy as sa

    from greenroom.adapters.sql.migrate import upgrade

    kept = "" if current is None else f"; a copy is {back_up(path, path.parent / BACKUPS, label=f'before-{HEAD}')}"
    connect(path, writes=True).close()
    engine = sa.create_engine("sqlite://", creator=lambda: connect(path, writes=True), poolclass=sa.pool.NullPool)
    try:
        with migrating(str(path), current, kept), engine.connect() as connection, connection.begin():
            # The driver would end the transaction before DDL by itself; begun by hand it stays one.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            upgrade(connection)
    except BackendError as error:
        if isinstance(error.__cause__, sa.exc.DBAPIError) and isinstance(error.__cause__.orig, sqlite3.Error):
            raise error.__cause__.orig from error.__cause__
        raise
    finally:
        engine.dispose()
