"""What can be known of a file before it is used: whose turn it is, how old it is, whether it is sound."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from greenroom.adapters.sql.opening import revision
from greenroom.adapters.sqlite import connection as connections
from greenroom.adapters.sqlite.connection import our_errors
from greenroom.adapters.sqlite.dialect import SqliteExecutor, straight
from greenroom.kernel.errors import CorruptHistory, Locked, Malformed, ReadOnly

#: How long one and the same process may hold the lock before whoever waits for it is told: one that is suspended in the
#: middle of a commit keeps it, and nobody can take it away. While it goes from hand to hand, it is waited for.
LOCK_SECONDS = 1.5
#: The shortest and the longest pause between two tries; between them what share of the time that was waited.
_SHORTEST, _LONGEST, _SHARE = 0.0001, 0.005, 8
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"


def take(handle: int, seconds: float, *, lock: int) -> bool:
    """Take a lock, unless the write lock stays in one hand for so many seconds; whether it was to be had."""
    stamp, began, until = None, 0.0, 0.0
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            now, seen = time.monotonic(), os.pread(lock, 8, 0)
            began = began or now
            if seen != stamp:
                stamp, until = seen, now + seconds
            if now >= until:
                return False
            pause = max(_SHORTEST, min(_LONGEST, (now - began) / _SHARE))
            time.sleep(min(pause, until - now))
        else:
            return True


def stamp(lock: int) -> None:
    """Note that the write lock was taken just now, for those who wait for it."""
    os.pwrite(lock, time.monotonic_ns().to_bytes(8, "big"), 0)


def busy(path: Path) -> Locked:
    """What whoever waited in vain is told."""
    return Locked(
        f"{path}: another process has held the write lock for more than {LOCK_SECONDS:g} seconds, so nothing was "
        "written; it may be suspended: let it go on or end it, then try again"
    )


@contextmanager
def file_lock(path: Path, *, seconds: float | None = None) -> Iterator[None]:
    """The write lock of this file: one writer among all processes.

    Raises:
        Locked: it was not to be had within so many seconds; without a number it is waited for.
    """
    try:
        handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ReadOnly(f"{path}: the lock file beside it cannot be written ({error.strerror})") from error
    try:
        if seconds is None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        elif not take(handle, seconds, lock=handle):
            raise busy(path)
        stamp(handle)
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
    with our_errors(path), closing(sqlite3.connect(path, timeout=connections.BUSY_MILLISECONDS / 1000)) as connection:
        return straight(revision(SqliteExecutor(connection), _TABLES, str(path)))


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
