"""What lies beside the file and bears witness: who may touch it, how far it went, and what was on its pages.

The sums of the journal are in the file itself, over what happened. They cannot tell that the end of the file is
missing, nor that a bit has turned in words, vectors, the ledger or an index. The *anchor* says how far the house had
come; the *sums* of all pages are written when the last one closes the file, and are gone before the next commit.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

log = logging.getLogger("greenroom")

ANCHOR, SUMS, DAMAGED = ".anchor", ".sums", ".damaged"
#: How often the anchor is written at most.
ANCHOR_SECONDS = 1.0
#: Larger files are not summed when they are closed, smaller ones are checked when they are opened too.
MOST_BYTES = 2 * 1024**3
QUICK_BYTES = 32 * 1024**2
_SIZE = 8
_MOST_PAGES = 20
_FILE, _FOLDER = 0o600, 0o700
_COUNTS = (
    ("streams", "max(sid) FROM streams"),
    ("attempts", "max(rowid) FROM attempts"),
    ("steps", "max(rowid) FROM steps"),
)
#: What is made from other rows, by the beginning of its name.
_MADE = ("sqlite_autoindex", "ix_", "memory_", "memories_", "vectors")


def beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


# who may touch it


def make_private(path: Path) -> None:
    """A folder and a file that nobody else reads or locks; a home that stood open is closed."""
    if not path.parent.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=_FOLDER)  # several may open it at once
    elif path.name == "house.db":
        _tighten(path.parent, _FOLDER)
    if path.is_dir():
        return
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _FILE))
    for ending in ("", "-wal", "-shm", ".lock", ".door", ANCHOR, SUMS, DAMAGED):
        _tighten(beside(path, ending), _FILE)


def _tighten(place: Path, most: int) -> None:
    with suppress(OSError):  # it is not there, or another's: then it is not for us to say
        mode = place.stat().st_mode & 0o777
        if mode & ~most:
            place.chmod(mode & most)
            log.info("%s could be opened by others (%o); it is %o now", place, mode, mode & most)


# how far it went


class Anchor:
    """Says beside the file how far the house has come."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._place = beside(path, ANCHOR)
        self._path = path
        self._next = 0.0
        #: In what the file falls short of it; as long as it does, nothing is written over it.
        self.lost = self._short(connection)
        if self.lost:
            log.warning("%s", self.lost[0])

    def cast(self, connection: sqlite3.Connection, *, now: bool = False) -> None:
        """Write it after a commit, now or if it was not written lately."""
        if self.lost or (not now and time.monotonic() < self._next):
            return
        self._next = time.monotonic() + ANCHOR_SECONDS
        with suppress(OSError, sqlite3.Error):  # whatever was wrong with the disk, the commit stands
            _put(self._place, json.dumps(_counts(connection)).encode())

    def _short(self, connection: sqlite3.Connection) -> Sequence[str]:
        try:
            known = json.loads(self._place.read_bytes())
            found = _counts(connection)
        except (OSError, ValueError, sqlite3.Error):
            return ()
        less = [name for name, count in found.items() if count < int(known.get(name, 0))]
        if not less:
            return ()
        told = ", ".join(f"{name} {found[name]} of {known[name]}" for name in less)
        return (
            f"the end of the house is missing ({told}): was {self._path.name}-wal lost or left behind? "
            f"Restore a backup; if all is as it should be, remove {self._place.name}",
        )


def _counts(connection: sqlite3.Connection) -> dict[str, int]:
    return {name: connection.execute(f"SELECT {what}").fetchone()[0] or 0 for name, what in _COUNTS}


# what was on its pages


def forget_sums(path: Path) -> None:
    """Call it before anything is changed: from here on they would not fit."""
    beside(path, SUMS).unlink(missing_ok=True)


def write_sums(path: Path) -> None:
    """Sum the pages of a file that nobody has open; call it with the write lock held."""
    place = beside(path, SUMS)
    if place.exists() or beside(path, "-wal").exists() or not path.exists() or path.stat().st_size > MOST_BYTES:
        return
    with suppress(OSError):
        size = _page_size(path)
        _put(place, size.to_bytes(_SIZE, "big") + b"".join(_sums(path, size) if size else ()))


def note_damage(path: Path) -> None:
    """Look at a small file when it is opened, and remember what has changed: later sums would take it for right."""
    if path.exists() and path.stat().st_size <= QUICK_BYTES and (found := _changed(path)):
        log.warning("%s: %d pages are not as they were written; run 'greenroom db check'", path, len(found))
        with suppress(OSError):
            _put(beside(path, DAMAGED), json.dumps(found).encode())


def forget(path: Path) -> None:
    """Nothing that bears witness fits any more: another file takes the place of this one."""
    for ending in (ANCHOR, SUMS, DAMAGED):
        beside(path, ending).unlink(missing_ok=True)


def page_problems(path: Path, connection: sqlite3.Connection) -> Sequence[str]:
    """Pages that are not as they were when the file was closed, with what is on them."""
    found = set(_changed(path))
    with suppress(OSError, ValueError):
        found |= set(json.loads(beside(path, DAMAGED).read_bytes()))
    if not found:
        return ()
    named = _tables(connection)
    told = [f"page {page} of the file is not as it was written: {_of(named.get(page))}" for page in sorted(found)]
    more = [f"{len(told) - _MOST_PAGES} more pages are not as they were written"] if len(told) > _MOST_PAGES else []
    return [*told[:_MOST_PAGES], *more]


def _of(name: str | None) -> str:
    if name is None:
        return "a free page, or one that nothing leads to any more"
    if name.startswith(_MADE):
        return f"{name} is made from other rows and can be made anew: export and import, or restore a backup"
    return f"rows of {name} cannot be trusted; restore a backup"


def _tables(connection: sqlite3.Connection) -> dict[int, str]:
    try:
        return dict(connection.execute("SELECT pageno, name FROM dbstat"))
    except sqlite3.Error:
        return {}


def _changed(path: Path) -> list[int]:
    """Pages that differ from their sums. Where many do, another file was put in its place, which is no damage."""
    try:
        kept = beside(path, SUMS).read_bytes()
        size, known = int.from_bytes(kept[:_SIZE], "big"), kept[_SIZE:]
        found = b"".join(_sums(path, size)) if size else known
    except OSError:
        return []
    pages = range(max(len(known), len(found)) // _SIZE)
    changed = [i + 1 for i in pages if known[i * _SIZE : (i + 1) * _SIZE] != found[i * _SIZE : (i + 1) * _SIZE]]
    if len(changed) > max(len(pages) // 8, _MOST_PAGES):
        forget_sums(path)
        return []
    return changed


def _page_size(path: Path) -> int:
    with path.open("rb") as file:
        size = int.from_bytes(file.read(18)[16:], "big")
    return 65536 if size == 1 else size


def _sums(path: Path, size: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        while page := file.read(size):
            yield blake2b(page, digest_size=_SIZE).digest()


def _put(place: Path, data: bytes) -> None:
    partial = place.with_name(f"{place.name}.{os.getpid()}.partial")
    with open(os.open(partial, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, _FILE), "wb") as file:
        file.write(data)
    os.replace(partial, place)
