"""What can be known of a file before it is used: whose turn it is, how old it is, whether it is sound."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from greenroom.adapters.sql.migrations import HEAD
from greenroom.adapters.sqlite import connection as connections
from greenroom.adapters.sqlite.connection import our_errors
from greenroom.kernel.errors import CorruptHistory, Malformed, NewerSchema, ReadOnly


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """The pen of this file: one writer among all processes."""
    try:
        handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ReadOnly(f"{path}: the lock file beside it cannot be written ({error.strerror})") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def schema_version(path: Path) -> str | None:
    """The revision the file is at; None for a file that is new or empty.

    Raises:
        NewerSchema: this Greenroom does not know that revision.
        CorruptHistory: the file is a database of something else.
        Malformed: it is a folder.
    """
    if path.is_dir():
        raise Malformed(f"{path}: this is a folder; name a file in it, or another place")
    if not path.exists() or path.stat().st_size == 0:
        return None
    with our_errors(path):
        connection = sqlite3.connect(path, timeout=connections.BUSY_MILLISECONDS / 1000)
        try:
            found = _revision(connection, path)
        finally:
            connection.close()
    if found is not None and found > HEAD:
        raise NewerSchema(
            f"{path}: written by a newer Greenroom (schema {found}; this one knows up to {HEAD}): upgrade Greenroom"
        )
    return found


def _revision(connection: sqlite3.Connection, path: Path) -> str | None:
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not names:
        return None
    if "schema_versions" not in names:
        raise CorruptHistory(f"{path}: this is a database, but not a Greenroom house; choose another path")
    (found,) = connection.execute("SELECT max(version) FROM schema_versions").fetchone()
    return None if found is None else str(found)


def reading(path: Path) -> closing[sqlite3.Connection]:
    """A file of SQLite, whatever it is called, opened for nothing but reading."""
    return closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True))


def check_file(path: Path) -> None:
    """Refuse a file whose pages or indexes are damaged.

    Raises:
        CorruptHistory: says what SQLite found.
    """
    with our_errors(path), reading(path) as connection:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
    if found != ["ok"]:
        raise CorruptHistory(f"{path}: the file is damaged: {'; '.join(found)}")
