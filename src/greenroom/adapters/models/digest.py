"""Which code and content an ask came from: a short digest of the files of a world."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

#: The folders of a world that its asks come from.
_RULES, _CONTENT = "rules", "content"
_KINDS = (".py", ".yaml", ".yml", ".json", ".md", ".txt")


def digests(modules: Mapping[str, str]) -> Callable[[str], str]:
    """A function from the name of a world to its digest, taken when it is first wanted; "" for a world unknown.

    Args:
        modules: for each world the name of a module of its package, or of the one module it is.
    """

    @cache
    def digest(world: str) -> str:
        return digest_of(modules[world]) if world in modules else ""

    return digest


def digest_of(module: str) -> str:
    """Digest of all code and content in the package of a module; of the module alone if it is in none.

    Of a world in the usual shape: its rules, with the prompts, and its content; neither its faces nor what is outside.
    """
    found = hashlib.sha256()
    for name, path in sorted(_files(module)):
        found.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]


def _files(module: str) -> Iterator[tuple[str, Path]]:
    package, _, _ = module.rpartition(".")
    spec = _spec(package) if package else None
    if spec is None or not spec.submodule_search_locations:
        own = _spec(module)
        if own is not None and own.origin is not None and Path(own.origin).is_file():
            yield module, Path(own.origin)
        return
    for folder in map(Path, spec.submodule_search_locations):
        whole = folder.parent if folder.name == _RULES else folder
        for part in (whole / _RULES, whole / _CONTENT) if folder.name == _RULES else (whole,):
            for path in part.rglob("*"):
                if path.suffix in _KINDS and path.is_file():
                    yield path.relative_to(whole).as_posix(), path


def _spec(module: str) -> ModuleSpec | None:
    try:
        return find_spec(module)
    except (ImportError, ValueError):
        return None
