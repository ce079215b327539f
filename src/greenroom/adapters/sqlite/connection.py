"""Connections to the file: every one in WAL mode with full sync, or refused; errors in our own words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from greenroom.kernel.errors import BackendError, CorruptHistory, DiskFull, GreenroomError, Locked, ReadOnly

#: How long SQLite itself waits for a program that does not know our lock file.
BUSY_MILLISECONDS = 5_000
#: The write-ahead log is cut back to this once readers let go of it.
WAL_BYTES = 32 * 1024 * 1024
#: Pages in the log before a commit moves them into the file. Busy pages are in it many times and moved once, so four
#: times SQLite's default costs a quarter as much, and a crash leaves 16 MB to be read.
WAL_PAGES = 4_000

_FULL_SYNC = 2

_SENTENCES: tuple[tuple[int, type[GreenroomError], str], ...] = (
    (sqlite3.SQLITE_FULL, DiskFull, "the disk is full; free some space and try again – nothing acknowledged was lost"),
    (
        sqlite3.SQLITE_READONLY,
        ReadOnly,
        "the database may not be written; check the permissions of the file and its folder",
    ),
    (
        sqlite3.SQLITE_CANTOPEN,
        ReadOnly,
        "the database cannot be opened; check that the folder exists and may be written",
    ),
    (sqlite3.SQLITE_PERM, ReadOnly, "the database may not be opened; check the permissions of the file"),
    (sqlite3.SQLITE_BUSY, Locked, "another program holds the database; close it or wait, then try again"),
    (sqlite3.SQLITE_LOCKED, Locked, "another program holds the database; close it or wait, then try again"),
    (
        sqlite3.SQLITE_CORRUPT,
        CorruptHistory,
        "the database file is damaged; restore a backup with 'greenroom db restore'",
    ),
    (sqlite3.SQLITE_NOTADB, CorruptHistory, "the file is not a database; restore a backup or choose another path"),
    (sqlite3.SQLITE_IOERR, DiskFull, "the disk cannot be written (full, or failing); nothing acknowledged was lost"),
)


@contextmanager
def our_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours, naming the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise ours(error, path) from error
    except UnicodeDecodeError as error:  # what is stored as text is none any more
        raise CorruptHistory(
            f"{path}: a text in the file is damaged; restore a backup with 'greenroom db restore'"
        ) from error


def ours(error: sqlite3.Error, path: Path) -> GreenroomError:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        for known, kind, sentence in _SENTENCES:
            if code & 0xFF == known:
                return kind(f"{path}: {sentence}")
    return BackendError(f"{path}: {error}")


def connect(path: Path, *, writes: bool) -> sqlite3.Connection:
    """A connection as this house uses it.

    Raises:
        BackendError: the file cannot be opened, or will not keep what is written to it.
    """
    with our_errors(path):
        connection = sqlite3.connect(
            path,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=1024,
            timeout=BUSY_MILLISECONDS / 1000,
        )
        try:
            _set_up(connection, path, writes=writes)
        except BaseException:
            connection.close()
            raise
    return connection


def _set_up(connection: sqlite3.Connection, path: Path, *, writes: bool) -> None:
    if writes:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -32000")
    connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
    if not writes:
        connection.execute("PRAGMA query_only = ON")
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    (sync,) = connection.execute("PRAGMA synchronous").fetchone()
    if mode != "wal" or sync != _FULL_SYNC:
        raise BackendError(
            f"{path}: the file would not keep what is written (journal {mode}, sync {sync}); put it on a local disk"
        )
