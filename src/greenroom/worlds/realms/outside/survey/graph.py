"""Which file needs which: imports found again as files, circles among them, and what is reached from where."""

from __future__ import annotations

import posixpath
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from greenroom.worlds.realms.outside.survey.facts import Import, Source
from greenroom.worlds.realms.outside.survey.javascript import Packages

#: Folders below which Python's names begin although they are no packages.
_ROOTS = ("", "src", "lib", "python")


@dataclass(slots=True)
class Graph:
    """Files and what they need. ``hard`` is needed before anything can run, ``edges`` is everything."""

    edges: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    hard: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    #: Files with imports of something that is made only when the repository is built.
    unknown: set[str] = field(default_factory=set)

    def add(self, source: str, target: str, line: int, *, hard: bool) -> None:
        if source != target:
            self.edges[source].setdefault(target, line)
            if hard:
                self.hard[source].setdefault(target, line)

    def needed_by(self) -> dict[str, set[str]]:
        """For each file, which files need it."""
        found: dict[str, set[str]] = defaultdict(set)
        for source, targets in self.edges.items():
            for target in targets:
                found[target].add(source)
        return found

    def reached(self, start: Iterable[str], packages: frozenset[str] = frozenset()) -> set[str]:
        """What these files need, directly or by way of others, and they themselves.

        Whoever imports a module runs the packages around it too: ``packages`` are the files of these.
        """
        found = set(start)
        waiting = list(found)
        while waiting:
            path = waiting.pop()
            for target in (*self.edges.get(path, ()), *(_around(path) & packages)):
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    def circles(self) -> list[list[str]]:
        """Files that need one another at once, each circle in order of paths, the largest first."""
        found = [sorted(one) for one in _components(self.hard) if len(one) > 1]
        return sorted(found, key=lambda one: (-len(one), one))


def _around(path: str) -> set[str]:
    folders = path.split("/")[:-1]
    return {"/".join((*folders[:n], "__init__.py")) for n in range(1, len(folders) + 1)}


def linked(sources: Sequence[Source], configs: Mapping[str, str], packages: Packages) -> Graph:
    """The graph of all sources; ``configs`` are texts of configuration by path."""
    graph = Graph()
    python = _PythonNames(sources)
    files = {source.path for source in sources}
    go = _go_packages(sources, configs)
    for source in sources:
        match source.file.language:
            case "python":
                python.link(source, graph)
            case "javascript":
                _link_js(source, packages, graph)
            case "go":
                _link_go(source, go, graph)
            case "rust":
                _link_rust(source, files, graph)
            case None:
                pass
    return graph


# Python


class _PythonNames:
    """Python modules by every name under which they can be imported."""

    def __init__(self, sources: Sequence[Source]) -> None:
        python = [source for source in sources if source.file.language == "python"]
        self._packages = {source.file.folder for source in python if source.path.endswith("__init__.py")}
        #: Name → (path, whether the name begins where names surely begin).
        self._names: dict[str, list[tuple[str, bool]]] = defaultdict(list)
        for source in sorted(python, key=lambda one: one.path):
            for name, sure in self.names_of(source.path):
                self._names[name].append((source.path, sure))
                if "." in name:
                    self._names[f"{name.rpartition('.')[0]}.*"].append((source.path, False))

    def names_of(self, path: str) -> Iterable[tuple[str, bool]]:
        """The dotted names of a file, with whether each begins at a root of sources."""
        parts = path.rpartition(".")[0].split("/")
        if parts[-1] == "__init__":
            parts = parts[:-1]
        for i in range(len(parts)):
            folder = "/".join(parts[:i])
            if i == 0 or folder not in self._packages:
                yield ".".join(parts[i:]), folder in _ROOTS or folder.endswith("/src")

    def link(self, source: Source, graph: Graph) -> None:
        for one in source.imports:
            for target, sure in self._targets(source.path, one):
                graph.add(source.path, target, one.line, hard=sure and one.at_once)
        for name in source.mentions:
            for target, _ in self._names.get(name, ()):
                graph.add(source.path, target, 0, hard=False)

    def _targets(self, path: str, one: Import) -> Iterable[tuple[str, bool]]:
        """A name taken from a package is its module of that name, where there is one: then the package itself is not
        what is needed."""
        bases = self._relative(path, one) if one.level else [one.target]
        for base in bases:
            rest = False
            for name in one.names:
                found = self._find(path, f"{base}.{name}" if base else name)
                if found is None:
                    rest = True
                else:
                    yield found
            if (rest or not one.names) and (module := self._find_longest(path, base)):
                yield module

    def _relative(self, path: str, one: Import) -> list[str]:
        folder = path.split("/")[:-1]
        if one.level - 1 > len(folder):
            return []
        base = folder[: len(folder) - (one.level - 1)]
        return [".".join([*base, *([one.target] if one.target else [])])]

    def _find_longest(self, path: str, name: str) -> tuple[str, bool] | None:
        while name:
            if found := self._find(path, name):
                return found
            name = name.rpartition(".")[0]
        return None

    def _find(self, path: str, name: str) -> tuple[str, bool] | None:
        found = self._names.get(name)
        if not found:
            return None
        near = max(found, key=lambda one: (one[1], len(posixpath.commonprefix((one[0], path))), -len(one[0])))
        if name.partition(".")[0] in sys.stdlib_module_names and not near[1]:
            return None
        return near


# JavaScript and TypeScript


def _link_js(source: Source, packages: Packages, graph: Graph) -> None:
    for one in source.imports:
        targets, sure = packages.find(source.file.folder, one.target)
        for target in targets:
            graph.add(source.path, target, one.line, hard=sure and one.at_once)
        if packages.is_unknown(source.file.folder, one.target):
            graph.unknown.add(source.path)


# Go and Rust


def _go_packages(sources: Sequence[Source], configs: Mapping[str, str]) -> dict[str, list[str]]:
    """Go's packages by the path they are imported by."""
    modules = {
        path.rpartition("/")[0]: found[1]
        for path, text in configs.items()
        if path.rpartition("/")[2] == "go.mod" and (found := re.search(r"^module\s+(\S+)", text, re.MULTILINE))
    }
    packages: dict[str, list[str]] = defaultdict(list)
    for source in sources:
        if source.file.language == "go" and not source.is_test:
            for folder, name in modules.items():
                if source.file.folder == folder or source.path.startswith(f"{folder}/" if folder else ""):
                    inner = posixpath.relpath(source.file.folder or ".", folder or ".")
                    packages[name if inner == "." else f"{name}/{inner}"].append(source.path)
    return packages


def _link_go(source: Source, packages: Mapping[str, list[str]], graph: Graph) -> None:
    for one in source.imports:
        for target in packages.get(one.target, ()):
            graph.add(source.path, target, one.line, hard=False)  # Go itself refuses circles


def _link_rust(source: Source, files: set[str], graph: Graph) -> None:
    folder, stem = source.file.folder, source.path.rpartition("/")[2].removesuffix(".rs")
    home = folder if stem in ("main", "lib", "mod") else f"{folder}/{stem}".lstrip("/")
    for one in source.imports:
        if one.target.startswith("mod "):
            name = f"{home}/{one.target[4:]}".lstrip("/")
            for target in (f"{name}.rs", f"{name}/mod.rs"):
                if target in files:
                    graph.add(source.path, target, one.line, hard=False)
        elif one.target.startswith("crate::") and "src" in f"/{folder}/".split("/"):
            _link_crate(source, one, files, graph)


def _link_crate(source: Source, one: Import, files: set[str], graph: Graph) -> None:
    parts = source.path.split("/")
    root = "/".join(parts[: len(parts) - parts[::-1].index("src")])
    inner = one.target.split("::")[1:]
    for n in range(len(inner), 0, -1):
        name = "/".join((root, *inner[:n]))
        if target := next((path for path in (f"{name}.rs", f"{name}/mod.rs") if path in files), None):
            graph.add(source.path, target, one.line, hard=False)
            return


# circles


def _components(edges: Mapping[str, Mapping[str, int]]) -> list[list[str]]:
    """Strongly connected components (Tarjan), without recursion."""
    search = _Search(edges)
    for start in sorted(edges):
        if start not in search.index:
            search.run(start)
    return search.found


@dataclass(slots=True)
class _Search:
    edges: Mapping[str, Mapping[str, int]]
    index: dict[str, int] = field(default_factory=dict)
    low: dict[str, int] = field(default_factory=dict)
    stack: list[str] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    found: list[list[str]] = field(default_factory=list)

    def run(self, start: str) -> None:
        work = [(start, iter(sorted(self._enter(start))))]
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in self.index:
                    work.append((target, iter(sorted(self._enter(target)))))
                    break
                if target in self.held:
                    self.low[node] = min(self.low[node], self.index[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    self.low[above] = min(self.low[above], self.low[node])
                self._leave(node)

    def _enter(self, node: str) -> Mapping[str, int]:
        self.index[node] = self.low[node] = len(self.index)
        self.stack.append(node)
        self.held.add(node)
        return self.edges.get(node, {})

    def _leave(self, node: str) -> None:
        if self.low[node] == self.index[node]:
            at = self.stack.index(node)
            self.found.append(self.stack[at:])
            self.held.difference_update(self.stack[at:])
            del self.stack[at:]


__all__ = ["Graph", "linked"]
