"""The files that stay with a repository, ``.agent-rpg/…``: their names and fields, read with care, written whole."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from greenroom.worlds.realms.rules.memory import Damaged, board_from, knowledge_from

FOLDER = ".agent-rpg"
#: Bytes of one such file that are read.
MOST = 16 * 1024 * 1024


# writing


def write(path: Path, data: Any) -> None:
    """Write a file whole: under another name, synced, then renamed. Whoever reads sees the old one or the new one."""
    write_bytes(path, (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode())


def write_bytes(path: Path, data: bytes) -> None:
    """The same for bytes; nothing is written where they stand already. A link in the place of a folder is not followed.

    Raises:
        OSError: there is no room, or no right to write.
    """
    make_folder(path.parent)
    with suppress(OSError):
        if not path.is_symlink() and path.read_bytes() == data:
            return
    new = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(fd)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    _sync(path.parent)


def make_folder(place: Path) -> None:
    """Make a folder below ours, where there is none.

    Raises:
        OSError: there is a link in its place, or above it up to ours.
    """
    for folder in (place, *place.parents):
        if folder.is_symlink():
            raise OSError(f"{folder} is a link; nothing is written through it")
        if folder.name == FOLDER:
            break
    place.mkdir(parents=True, exist_ok=True)


def _sync(folder: Path) -> None:
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def exclude(root: Path) -> None:
    """Keep these files out of the repository's commits, by its local list of what git passes over."""
    git = root / ".git"
    if git.is_file():  # a second working tree: its list is shared with the first, and lies outside this folder
        write_bytes(root / FOLDER / ".gitignore", b"*\n")
        return
    if not git.is_dir() or git.is_symlink() or (git / "info").is_symlink():
        return
    listed = git / "info" / "exclude"
    with suppress(OSError):
        text = listed.read_text() if listed.is_file() and not listed.is_symlink() else ""
        if f"{FOLDER}/" not in text.split():
            listed.parent.mkdir(exist_ok=True)
            with listed.open("a") as file:
                file.write(("" if not text or text.endswith("\n") else "\n") + f"{FOLDER}/\n")


# reading


def load(path: Path) -> Any:
    """The JSON in a file.

    Raises:
        FileNotFoundError: there is none.
        Damaged: it cannot be read as JSON.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Damaged(f"it cannot be opened: {error.strerror}") from None
    with os.fdopen(fd, "rb") as file:
        data = file.read(MOST + 1)
    if len(data) > MOST:
        raise Damaged(f"it has more than {MOST} bytes")
    try:
        return json.loads(data.decode())
    except (ValueError, RecursionError):
        raise Damaged("it is not JSON") from None


def set_aside(path: Path) -> str:
    """Give a damaged file another name, one that no other has, so that nothing in it is lost."""
    for n in range(1, 1000):
        aside = path.with_name(f"{path.name}.damaged-{n}")
        if not aside.exists():
            os.rename(path, aside)
            return aside.name
    raise OSError(f"{path.parent} is full of damaged files")


def left_here(root: Path) -> tuple[dict[str, Any], list[str]]:
    """What earlier visitors left in a repository, checked, and sentences about what was damaged and set aside."""
    base = root / FOLDER
    said: list[str] = []
    if base.is_symlink() or not base.is_dir():
        return {"vaults": [], "board": []}, said
    vaults = []
    for path in sorted((base / "knowledge").glob("*.json"))[:200]:
        found = _checked(path, knowledge_from, said)
        if found is not None:
            vaults.append(found)
    board = _checked(base / "findings" / "board.json", board_from, said) or []
    return {"vaults": vaults, "board": board[-1_000:]}, said


def _checked(path: Path, read: Callable[[Any], Any], said: list[str]) -> Any:
    try:
        return read(load(path))
    except FileNotFoundError:
        return None
    except Damaged as damage:
        try:
            name = set_aside(path)
        except OSError as error:
            said.append(f"{FOLDER}/{path.parent.name}/{path.name} is damaged ({damage}) and cannot be moved: {error}")
            return None
        said.append(f"{FOLDER}/{path.parent.name}/{path.name} is damaged: {damage}. It was set aside as {name}.")
        return None


__all__ = [
    "FOLDER",
    "exclude",
    "left_here",
    "load",
    "make_folder",
    "set_aside",
    "write",
    "write_bytes",
]
