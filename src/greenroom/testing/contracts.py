"""The contracts of a world's package: what its rules, its outside and its faces may import.

>>> assert contracts.check("harbour") == []

The modules are read and not run. The shipped worlds keep the same contracts.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec, resolve_name
from pathlib import Path

#: What rules may import beside the kernel, recall, text, themselves and the pure part of the standard library.
PURE = ("msgspec", "pydantic", "typing_extensions")
#: Parts of the standard library that reach outside, know the time or roll dice.
IMPURE = frozenset(
    {
        "asyncio", "concurrent", "ctypes", "fileinput", "ftplib", "getpass", "glob", "http", "imaplib", "importlib",
        "io", "logging", "mmap", "multiprocessing", "os", "pathlib", "pickle", "platform", "poplib", "random", "runpy",
        "sched", "secrets", "select", "selectors", "shelve", "shutil", "signal", "smtplib", "socket", "socketserver",
        "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "webbrowser", "xmlrpc",
    }
)  # fmt: skip
#: The same by name, where the rest of their module is pure.
IMPURE_NAMES = frozenset(
    {
        "date.today", "datetime.now", "datetime.today", "datetime.utcnow", "uuid.getnode", "uuid.uuid1", "uuid.uuid4",
    }
)  # fmt: skip
IMPURE_CALLS = frozenset({"__import__", "input", "open", "print"})

_RULES = (
    "rules may import greenroom.kernel, greenroom.recall, greenroom.text, themselves, msgspec, pydantic and the pure "
    "part of the standard library"
)
_RULES_MAY = ("greenroom.kernel", "greenroom.recall", "greenroom.text")
_OUTSIDE = "what is outside may import the rules, greenroom.kernel, greenroom.ports and greenroom.adapters"
_FACES = "faces may import the rules, what is outside, greenroom.kit, greenroom.services and greenroom.kernel"
_OTHERS = "a world may import nothing that puts a house together"
_OWN = ("rules", "outside", "faces")
#: By part: what of Greenroom it may not import, which other parts of its own package, and what it may instead.
_FORBIDDEN = {
    "outside": (("bootstrap", "entrypoints", "kit", "services", "settings", "testing"), ("faces",), _OUTSIDE),
    "faces": (("adapters", "bootstrap", "entrypoints", "settings", "testing"), (), _FACES),
    "": (("bootstrap", "entrypoints", "settings", "testing"), (), _OTHERS),
}


@dataclass(frozen=True, slots=True)
class _Module:
    """One module of the package that is checked."""

    package: str
    name: str
    #: ``rules``, ``outside``, ``faces``, or nothing for whatever else there is.
    part: str
    tree: ast.Module
    is_package: bool

    def at(self, node: ast.AST, said: str) -> str:
        return f"{self.name}, line {getattr(node, 'lineno', 0)}: {said}"

    def own_part(self, imported: str) -> str | None:
        """The part of its own package that an import is of; None if it is of another package."""
        if imported != self.package and not imported.startswith(f"{self.package}."):
            return None
        first = imported.removeprefix(self.package).removeprefix(".").partition(".")[0]
        return first if first in _OWN else ""


def check(package: str) -> list[str]:
    """What breaks the contracts in a package, a sentence for each place; nothing if all is well.

    Raises:
        ModuleNotFoundError: there is no such package.
    """
    return [fault for module in _modules(package) for fault in _faults(module)]


def _modules(package: str) -> Iterator[_Module]:
    found = find_spec(package)
    if found is None or found.submodule_search_locations is None:
        raise ModuleNotFoundError(f"there is no package {package}", name=package)
    for folder in map(Path, found.submodule_search_locations):
        for file in sorted(folder.rglob("*.py")):
            inside = file.relative_to(folder).with_suffix("").parts
            is_package = inside[-1] == "__init__"
            names = inside[:-1] if is_package else inside
            part = names[0] if names and names[0] in _OWN else ""
            tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
            yield _Module(package, ".".join((package, *names)), part, tree, is_package)


def _faults(module: _Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        for imported in _imported(module, node):
            reason = _pure(module, imported) if module.part == "rules" else _allowed(module, imported)
            if reason:
                yield module.at(node, f"it imports {imported}; {reason}")
        if module.part == "rules" and (reason := _impure(node)):
            yield module.at(node, reason)
        if module.part == "faces" and isinstance(node, ast.Attribute) and node.attr == "backend":
            yield module.at(node, "it uses a back-end; faces ask the house itself")


def _imported(module: _Module, node: ast.AST) -> Iterator[str]:
    """Full names of what a statement imports: modules, or things in them."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        here = module.name if module.is_package else module.name.rpartition(".")[0]
        source = resolve_name("." * node.level + (node.module or ""), here) if node.level else node.module
        yield from (f"{source}.{alias.name}" for alias in node.names)


def _pure(module: _Module, imported: str) -> str:
    """Why rules may not import this; nothing if they may."""
    own, top = module.own_part(imported), imported.partition(".")[0]
    if own is not None:
        allowed = own == "rules"
    elif top == "greenroom":
        allowed = imported.startswith(_RULES_MAY)
    else:
        pure = top in PURE or (top in sys.stdlib_module_names and top not in IMPURE)
        allowed = pure and imported not in IMPURE_NAMES
    return "" if allowed else _RULES


def _allowed(module: _Module, imported: str) -> str:
    """Why another part may not import this; nothing if it may."""
    parts, own_parts, instead = _FORBIDDEN[module.part]
    own = module.own_part(imported)
    if own is not None:
        return instead if own in own_parts else ""
    top, _, rest = imported.partition(".")
    part = rest.partition(".")[0]
    if top != "greenroom":
        return ""
    if part == "worlds":
        return "worlds do not import one another"
    return instead if part in parts or (module.part == "outside" and part in _FRONT) else ""


#: What ``import greenroom`` and ``from greenroom import open`` are for: whoever opens a house.
_FRONT = ("", "open")


def _impure(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
        owner = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
        if f"{owner}.{node.attr}" in IMPURE_NAMES:
            return f"it uses {owner}.{node.attr}; rules read no clock and roll no dice: the time comes with the command"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
        return f"it calls {node.func.id}; rules do no I/O: they ask with yield"
    return ""


__all__ = ["check"]
