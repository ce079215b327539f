"""Backups by SQLite's own backup interface: consistent while the house works, checked before they count."""

from __future__ import annotations

import os
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from greenroom.adapters.sqlite.connection import our_errors
from greenroom.adapters.sqlite.file import check_file, file_lock, schema_version
from greenroom.adapters.sqlite.witness import forget, forget_sums
from greenroom.kernel.errors import BackendError, CorruptHistory, Locked, Unknown

#: The folder beside the database.
BACKUPS = "backups"


def back_up(path: Path, folder: Path, *, label: str = "") -> Path:
    """Copy the file into a folder under a name nobody has, check the copy, and return its path.

    Raises:
        Unknown: there is no such file.
        CorruptHistory: the file, and so the copy, is damaged; nothing is left behind.
        BackendError: it could not be written; nothing is left behind.
    """
    if not path.exists():
        raise Unknown(f"there is no database at {path}")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        target = _free_name(folder, path.stem, label)
        _copy_sound(path, target)
    except OSError as error:
        raise BackendError(f"{folder}: the backup could not be written ({error.strerror})") from error
    return target


def restore(backup: Path, path: Path) -> Path | None:
    """Put a backup in the place of the file; the old file is kept among the backups and its path returned.

    Raises:
        Unknown: there is no such backup.
        CorruptHistory: the backup is damaged, or no backup of a house; nothing was changed.
        NewerSchema: a newer Greenroom wrote it; nothing was changed.
        Locked: the house is open somewhere; nothing was changed.
    """
    _check_backup(backup)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with file_lock(path):
            aside = _put_aside(path) if path.exists() else None
            _copy_sound(backup, path)
            for log in _logs_of(path):
                log.unlink(missing_ok=True)
            forget(path)
            path.chmod(0o600)
    except OSError as error:
        raise BackendError(f"{path}: the backup could not be put in place ({error.strerror})") from error
    return aside


def _check_backup(backup: Path) -> None:
    if not backup.exists():
        raise Unknown(f"there is no backup at {backup}")
    check_file(backup)
    if schema_version(backup) is None:
        raise CorruptHistory(f"{backup}: this is no backup of a house; it is empty")


def _put_aside(path: Path) -> Path:
    """Keep the file that is to be replaced, damaged or not, once nobody uses it."""
    folder = path.parent / BACKUPS
    try:
        _only_user(path)
        return back_up(path, folder, label="before-restore")
    except CorruptHistory:
        # A damaged file is kept as it is: somebody may want to dig in it.
        folder.mkdir(parents=True, exist_ok=True)
        target = _free_name(folder, path.stem, "damaged")
        shutil.copyfile(path, target)
        for log in _logs_of(path):
            if log.exists():
                shutil.copyfile(log, f"{target}{log.name.removeprefix(path.name)}")
        return target


def _only_user(path: Path) -> None:
    """Refuse while anybody else has the file open: only then can it leave WAL mode.

    A house that keeps running would go on from states of the old file.
    """
    forget_sums(path)
    connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        with our_errors(path):
            try:
                connection.execute("PRAGMA journal_mode = DELETE")
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise Locked(f"{path}: the house is open somewhere; stop it, then restore") from error
                raise
    finally:
        connection.close()


def _copy_sound(source: Path, target: Path) -> None:
    """Copy a database to a place in one move: whole and checked, or not at all."""
    partial = target.with_name(f"{target.name}.partial")
    try:
        with our_errors(source):
            _copy(source, partial)
        check_file(partial)
        partial.chmod(0o600)
        os.replace(partial, target)
        _sync(target.parent)
    finally:
        partial.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    read, copy = sqlite3.connect(source), sqlite3.connect(target)
    try:
        # All in one step: in WAL mode it holds nobody up, and in parts it would start again at every write.
        read.backup(copy, pages=-1)
        # A backup is one file: no log beside it that could be left behind.
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
        read.close()
    with target.open("rb") as written:
        os.fsync(written.fileno())


def _free_name(folder: Path, stem: str, label: str) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    base = "-".join(part for part in (stem, stamp, label) if part)
    for n in range(10_000):
        target = folder / (f"{base}.db" if n == 0 else f"{base}-{n}.db")
        if not target.exists():
            return target
    raise BackendError(f"{folder}: no free name for a backup")


def _logs_of(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
