"""JavaScript's and TypeScript's imports: how they stand in a text, and which file of the repository each one means."""

from __future__ import annotations

import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from greenroom.worlds.realms.outside.survey.facts import Import

_ENDINGS = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts")
_INDEX = tuple(f"/index{ending}" for ending in _ENDINGS[1:])
#: Keys of a package.json that name what a package begins with, and what runs in it.
_ENTRY_KEYS = (
    *("main", "module", "browser", "bin", "exports", "types", "typings", "files", "scripts", "unpkg", "jsdelivr"),
    "source",
)
#: Folders into which sources are compiled, beside ``src``.
_COMPILED = frozenset(["lib", "esm", "cjs", "es", "umd"])
_WRITTEN = re.compile(r"(?:\.d)?\.(?:js|mjs|cjs|jsx|ts|mts|cts)$")

_IMPORT = re.compile(
    r"""(?:^|[;\s])(?:import|export)\b([^'"`;=()]*?)\bfrom\s*['"]([^'"\n]+)['"]"""
    r"""|^\s*import\s*['"]([^'"\n]+)['"]"""
    r"""|\b(?:require(?:\.resolve)?|import)\(\s*['"]([^'"\n]+)['"]\s*\)"""
    r"""|\b(?:require(?:\.context)?|import|import\.meta\.glob)\(\s*['"`](\.[^'"`\n$*]*/)""",
    re.MULTILINE,
)
_COMMENTED = re.compile(r"^[ \t]*(?://|/?\*).*$", re.MULTILINE)
_NAMED = re.compile(r"(?:^|[\s,{])(?:[\w$]+\s+as\s+)?([\w$]+)\s*(?=[,}\s]|$)")
#: Where a name of TypeScript is more than a type: it is made, called, extended, or handed on.
_VALUES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:new|instanceof|return|await|yield|throw|extends)\s+([\w$]+)",
        r"(?<![\w$.])([\w$]+)(?:\.[\w$]+){0,8}(?:<[^<>()\n]{0,200}>)?\(",
        r"(?:=>?|\(|&&|\|\||\?\?|\.\.\.)\s*([\w$]+)(?:\.[\w$]+){0,8}\s*(?=[;,)\]}\n])",
    )
)
_TYPES_ONLY = re.compile(r"^[ \t]*(?:export\s+)?(?:declare\s+)?(?:type|interface)\b[^\n]*$", re.MULTILINE)


def js_imports(path: str, text: str) -> Iterator[Import]:
    """Every import of a text. A folder whose files are found by the running program ends with ``/*``."""
    typed = path.endswith((".ts", ".tsx", ".mts", ".cts"))
    values = _used_as_values(text) if typed else frozenset[str]()
    for found in _IMPORT.finditer(text):
        named, target = found[1], found[2] or found[3] or found[4] or f"{found[5]}*"
        group = next(n for n in (2, 3, 4, 5) if found[n])
        before = text[text.rfind("\n", 0, found.end() - 1) + 1 : found.end()]
        if not before.lstrip().startswith(("//", "*")):
            # A call may stand anywhere, and types are gone when the program runs: only a plain import counts at once.
            plain = group == 3 or (group == 2 and _is_plain(found[0], named, values if typed else None))
            yield Import(target, text.count("\n", 0, found.start(group)) + 1, at_once=plain)


def _is_plain(statement: str, named: str, values: frozenset[str] | None) -> bool:
    if named.lstrip().startswith("type ") or named.lstrip().startswith("type{"):
        return False
    if values is None or statement.lstrip("; \t\n").startswith("export"):
        return True
    names = {name for part in named.replace("*", " ").split(",") if " type " not in f" {part.strip(' {')} "
             for name in _NAMED.findall(part)[-1:]}  # fmt: skip
    return not names.isdisjoint(values)


def _used_as_values(text: str) -> frozenset[str]:
    bare = _TYPES_ONLY.sub("", _COMMENTED.sub("", text))
    return frozenset(name for pattern in _VALUES for name in pattern.findall(bare))


def is_compiled(path: str, files: Iterable[str]) -> bool:
    """Whether a file was made from a TypeScript file that is also there."""
    bare = _WRITTEN.sub("", path)
    if path.endswith((".ts", ".mts", ".cts")) and not path.endswith((".d.ts", ".d.mts", ".d.cts")):
        return False
    first, _, rest = bare.partition("/")
    sources = [bare, f"src/{bare}", *([f"src/{rest}"] if first in _COMPILED else [])]
    return any(f"{source}{ending}" in files for source in sources for ending in (".ts", ".tsx"))


class Packages:
    """The files of a repository as JavaScript finds them: beside one another, by a package's name, or by an alias."""

    def __init__(self, files: Iterable[str], configs: Mapping[str, str]) -> None:
        self._files = frozenset(files)
        self._folders: dict[str, list[str]] = defaultdict(list)
        self._ends: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self._files):
            self._folders[posixpath.dirname(path)].append(path)
            parts = _WRITTEN.sub("", path).split("/")
            for n in range(len(parts) - 1):
                self._ends["/".join(parts[n:])].append(path)
        #: What each package begins with by its folder, and its folder by its name.
        self.entries: dict[str, set[str]] = {}
        self._names: dict[str, str] = {}
        self._exports: dict[str, dict[str, set[str]]] = {}
        for path, text in sorted(configs.items()):
            if posixpath.basename(path) == "package.json":
                self._read(posixpath.dirname(path), text)

    def _read(self, folder: str, text: str) -> None:
        try:
            package = json.loads(text)
        except ValueError:
            return
        if not isinstance(package, dict):
            return
        said = _strings({key: package.get(key) for key in _ENTRY_KEYS})
        self.entries[folder] = {*self._inside(folder, said), *self.beside(posixpath.join(folder, "index"))}
        if isinstance(package.get("name"), str):
            self._names[package["name"]] = folder
        exports = package.get("exports")
        if isinstance(exports, dict):
            self._exports[folder] = {
                key.removeprefix("./"): self._inside(folder, _strings(value)) for key, value in exports.items()
            }

    def _inside(self, folder: str, names: Iterable[str]) -> set[str]:
        return {found for name in names for found in self.beside(posixpath.normpath(posixpath.join(folder, name)))}

    def beside(self, wanted: str) -> list[str]:
        """The file of a path that may lack its ending, or be a folder, or be named as what is made from it."""
        bare = re.sub(r"\.(?:js|mjs|cjs|jsx)$", "", wanted)
        for base in dict.fromkeys((wanted, bare)):
            for ending in (*_ENDINGS, *_INDEX):
                if (path := "index" + ending.removeprefix("/index") if base == "." else base + ending) in self._files:
                    return [path]
        return []

    def find(self, folder: str, target: str) -> tuple[list[str], bool]:
        """The files that an import in a folder means, and whether it is surely these."""
        if not target.startswith("."):
            return sorted(self._by_name(target)), False
        wanted = posixpath.normpath(posixpath.join(folder, target))
        if target.endswith("/*"):
            return self._folders.get(posixpath.dirname(wanted), []), False
        if found := self.beside(wanted):
            return found, True
        return sorted(self.entries.get("" if wanted == "." else wanted, ())), False

    def _by_name(self, target: str) -> set[str]:
        name = next((name for name in (target, *_above(target)) if name in self._names), None)
        if name is None:
            return set(self._ends.get(_WRITTEN.sub("", target.lstrip("@~#/")), ()))
        folder, rest = self._names[name], target[len(name) + 1 :]
        if not rest:
            return self.entries.get(folder, set())
        named = self._exports.get(folder, {}).get(rest, set())
        return named | set(self.beside(posixpath.join(folder, rest)))

    def is_unknown(self, folder: str, target: str) -> bool:
        """Whether an import means something of this repository that is not there, as before it is built."""
        own = any(name in self._names for name in (target, *_above(target)))
        beside = target.startswith(".") and not posixpath.splitext(target)[1].strip(".jtscm")
        return (own or beside) and not target.endswith("/*") and not self.find(folder, target)[0]


def _above(target: str) -> Iterator[str]:
    while "/" in target:
        target = posixpath.dirname(target)
        yield target


def _strings(value: object) -> list[str]:
    match value:
        case str():
            return [word for word in value.split() if "." in word or "/" in word]
        case dict():
            return [text for one in value.values() for text in _strings(one)]
        case list():
            return [text for one in value for text in _strings(one)]
        case _:
            return []


__all__ = ["Packages", "is_compiled", "js_imports"]
