"""Makes a world to begin with: the folder ``template`` with the names of a new world put in.

The template is a real package that is linted, type-checked and played here; its own name stands for the new one.
"""

from __future__ import annotations

import keyword
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

from greenroom.kernel.errors import Conflict, Malformed, Unknown
from greenroom.plugins import found

#: How the new world is called in the template: in code, in prose and in names of variables.
STANDS_FOR = ("a_new_world", "A New World", "A_NEW_WORLD")
#: What stands there for the versions of Greenroom that it works with.
BOUND = "@BOUND@"
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Made:
    folder: Path
    #: Relative to the folder.
    files: tuple[Path, ...]


def build(name: str, where: Path) -> Made:
    """Make the world ``name`` in a folder of that name inside ``where``; whole, or nothing is left.

    Raises:
        Malformed: it cannot be the name of a world.
        Unknown: there is no folder ``where``.
        Conflict: there is a folder or file of that name already.
    """
    check(name)
    if not where.is_dir():
        raise Unknown(f"{where}: there is no such folder")
    folder = where / name
    try:
        folder.mkdir()
    except FileExistsError:
        raise Conflict(f"{folder} is there already; choose another name or another folder") from None
    try:
        return Made(folder, tuple(sorted(_written(name, folder))))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def check(name: str) -> None:
    """Refuse what cannot be the name of a package, of a world and of its tables.

    Raises:
        Malformed: says why.
    """
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise Malformed(
            f"{name!r} cannot be the name of a world: small letters, digits and single underscores, a letter first, "
            f"at most {_LONGEST}"
        )
    # A package of that name would stand in the way of the one that is meant.
    is_package = keyword.iskeyword(name) or name in sys.stdlib_module_names or find_spec(name) is not None
    if is_package or name in {"tests", *STANDS_FOR, *_taken()}:
        raise Malformed(f"{name!r} is the name of something else here; choose another")


def _taken() -> Iterator[str]:
    """Names of plug-ins, of commands, and what addresses begin with: the new world will have all three."""
    from greenroom.entrypoints.cli import app

    yield from (one.name for one in found())
    yield from (one.name or "" for one in app.registered_commands)
    yield from (one.name or "" for one in app.registered_groups)
    with suppress(ModuleNotFoundError):  # the server may not be installed
        from greenroom.entrypoints.http.app import own_routes
        from greenroom.entrypoints.http.worlds import taken

        yield from taken(found(), own_routes())


def _written(name: str, folder: Path) -> Iterator[Path]:
    with as_file(files(__name__) / "template") as template:
        for source in sorted(template.rglob("*")):
            if source.is_file() and source.suffix != ".pyc":
                target = Path(_named(source.relative_to(template).as_posix(), name).removesuffix(".in"))
                (folder / target).parent.mkdir(parents=True, exist_ok=True)
                (folder / target).write_text(_named(source.read_text(encoding="utf-8"), name), encoding="utf-8")
                yield target


def _named(text: str, name: str) -> str:
    names = (name, name.replace("_", " ").title(), name.upper())
    for standing, new in zip(STANDS_FOR, names, strict=True):
        text = text.replace(standing, new)
    return text.replace(BOUND, _bound())


def _bound() -> str:
    """This minor version of Greenroom and its corrections: the next one may ask something of worlds."""
    major, minor = version("greenroom").split(".")[:2]
    return f">={major}.{minor},<{major}.{int(minor) + 1}"


__all__ = ["Made", "build", "check"]
