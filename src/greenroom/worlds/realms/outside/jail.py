"""Files behind a root: the only way in which anything of a linked repository is read or written.

Every step of a path is opened from the folder before it and never through a link, so that nothing that changes
meanwhile leads out. What a file says is data: it is given to whoever asked, and nobody here does what it says.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from greenroom.worlds.realms.rules.memory import is_plain

#: Bytes and lines that one reading gives at most.
READ_BYTES = 64 * 1024
READ_LINES = 400
#: Bytes of one file that the survey looks at.
SURVEY_BYTES = 1024 * 1024

#: Names under which keys and passwords are kept; no agent is given them, whatever it is told to do.
PRIVATE = (
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p12", "*.pfx", "*.keystore", "*.jks",
    "*.kdbx", "credentials", "credentials.json", "secrets.json", "secrets.yaml", "secrets.yml",
)  # fmt: skip

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Outside(Exception):
    """A path that is not given, in a sentence that may be told to whoever asked for it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file says, or the beginning of it."""

    text: str
    #: Whether there is more than is given.
    cut: bool
    size: int


def is_private(name: str) -> bool:
    """Whether files of this name hold keys or passwords."""
    return any(fnmatchcase(name.lower(), pattern) for pattern in PRIVATE)


def steps(path: str) -> tuple[str, ...]:
    """The steps of a path below a root.

    Raises:
        Outside: it is absolute, leads upwards, is hidden, private, or no name at all.
    """
    if path.startswith(("/", "~")) or "\\" in path or (len(path) > 1 and path[1] == ":"):
        raise Outside("paths begin at the root of the repository; an absolute one is not opened")
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    if ".." in parts:
        raise Outside("a path may not lead upwards with '..'")
    if not all(map(is_plain, parts)):
        raise Outside("a name with control characters is not opened")
    if any(part.startswith(".") for part in parts):
        raise Outside("hidden files and folders, such as .git and .env, are not opened")
    if parts and is_private(parts[-1]):
        raise Outside("files that hold keys or passwords are not opened")
    return parts


class Jail:
    """One root, and what lies below it."""

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root)

    def read(self, path: str, *, limit: int = READ_BYTES) -> bytes:
        """At most ``limit`` bytes of a file, and one more where there are more.

        Raises:
            Outside: it is not there, or not to be read.
        """
        with self._file(path) as (fd, _):
            return _read(fd, limit + 1)

    def text(self, path: str, line: int = 1) -> Reading:
        """A piece of a file as text, from a line on: so many bytes and lines, and whether there are more.

        Raises:
            Outside: it is not there, not to be read, or not text.
        """
        with self._file(path) as (fd, size):
            data = _read(fd, READ_BYTES + 1 if line == 1 else SURVEY_BYTES)
        if b"\0" in data:
            raise Outside(f"it is not text: {size} bytes of data")
        if line > 1:
            data = b"".join(data.splitlines(keepends=True)[line - 1 :])
        lines = data[:READ_BYTES].decode(errors="replace").splitlines()
        cut = len(data) > READ_BYTES or len(lines) > READ_LINES
        return Reading("\n".join(lines[:READ_LINES]), cut, size)

    def names(self, path: str, *, limit: int = READ_LINES) -> tuple[list[str], int]:
        """The names in a folder, folders with a slash behind them, in order; and how many were left out.

        Raises:
            Outside: there is no such folder.
        """
        with self._folder(steps(path)) as fd, os.scandir(fd) as found:
            shown = sorted(_shown(entry) for entry in found if _is_open(entry))
        return shown[:limit], max(0, len(shown) - limit)

    def replace(self, path: str, old: bytes, new: bytes) -> None:
        """Put new bytes in the place of a file that holds these old ones, whole or not at all; twice is once.

        Raises:
            Outside: it is not there, not to be written, or holds something else.
        """
        parts = steps(path)
        with self._file(path) as (fd, size):
            found, mode = _read(fd, size + 1), stat.S_IMODE(os.fstat(fd).st_mode)
        if found == new:
            return
        if found != old:
            raise Outside("the file has changed since the edit was proposed; ask for a new proposal")
        with self._folder(parts[:-1]) as folder:
            _put(folder, parts[-1], new, mode)

    @contextmanager
    def _folder(self, parts: tuple[str, ...]) -> Iterator[int]:
        fd = _opened(str(self.root), _FOLDER & ~os.O_NOFOLLOW, None)
        try:
            for part in parts:
                inner = _opened(part, _FOLDER, fd)
                os.close(fd)
                fd = inner
                if _has_repository(fd):
                    raise Outside("a repository inside the repository is a realm of its own; link it by itself")
            yield fd
        finally:
            os.close(fd)

    @contextmanager
    def _file(self, path: str) -> Iterator[tuple[int, int]]:
        parts = steps(path)
        if not parts:
            raise Outside("this is the root, a folder; name a file")
        with self._folder(parts[:-1]) as folder:
            fd = _opened(parts[-1], _FILE, folder)
        try:
            found = os.fstat(fd)
            if not stat.S_ISREG(found.st_mode):
                raise Outside("only ordinary files are read; this is a folder, a device or a pipe")
            yield fd, found.st_size
        finally:
            os.close(fd)


def _opened(name: str, flags: int, folder: int | None) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    except OSError as error:
        raise Outside(_told(error)) from None


def _told(error: OSError) -> str:
    match error.errno:
        case errno.ENOENT:
            return "there is no such file or folder"
        case errno.ELOOP | errno.ENOTDIR:
            return "it is a link, or leads through something that is no folder; links are not followed"
        case errno.EACCES | errno.EPERM:
            return "it may not be read"
        case errno.ENXIO | errno.ENODEV:
            return "only ordinary files are read; this is a folder, a device or a pipe"
        case _:
            return f"it cannot be opened: {os.strerror(error.errno or 0)}"


def _has_repository(fd: int) -> bool:
    try:
        os.stat(".git", dir_fd=fd, follow_symlinks=False)
    except OSError:
        return False
    return True


def _read(fd: int, limit: int) -> bytes:
    found = bytearray()
    while len(found) < limit and (more := os.read(fd, min(limit - len(found), 1 << 20))):
        found += more
    return bytes(found)


def _is_open(entry: os.DirEntry[str]) -> bool:
    hidden = entry.name.startswith(".") or entry.is_symlink() or is_private(entry.name)
    return not hidden and is_plain(entry.name)


def _shown(entry: os.DirEntry[str]) -> str:
    return f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name


def _put(folder: int, name: str, data: bytes, mode: int) -> None:
    """A new file under a name of its own, synced, and then renamed: whoever looks sees the old one or the new one."""
    new = f".{name[:100]}.{secrets.token_hex(6)}"
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=folder)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(fd, mode)
            os.fsync(fd)
        os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(new, dir_fd=folder)
        raise


__all__ = ["READ_BYTES", "READ_LINES", "SURVEY_BYTES", "Jail", "Outside", "Reading", "is_plain", "is_private", "steps"]
