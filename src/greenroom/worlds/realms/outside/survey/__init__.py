"""A survey of a repository: from its files to a map, quests and findings. The same files give the same survey."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from greenroom.worlds.realms.outside import git
from greenroom.worlds.realms.outside.jail import SURVEY_BYTES
from greenroom.worlds.realms.outside.survey.coarse import read_coarse
from greenroom.worlds.realms.outside.survey.facts import Source, mentions_in
from greenroom.worlds.realms.outside.survey.graph import Graph, linked
from greenroom.worlds.realms.outside.survey.javascript import Packages, is_compiled
from greenroom.worlds.realms.outside.survey.judging import Evidence, SurveyFinding, by_rule, judged
from greenroom.worlds.realms.outside.survey.maps import mapped
from greenroom.worlds.realms.outside.survey.python import read_python
from greenroom.worlds.realms.outside.survey.quests import quests
from greenroom.worlds.realms.outside.survey.tree import File, Tree, kind_of, walk

#: Findings that a survey gives whole; all of them are counted.
MOST_FINDINGS = 2_000
#: Files with marks whose lines git is asked about.
MOST_BLAMED = 100

#: Pages name scripts.
_PAGES = (".html", ".htm", ".vue", ".svelte", ".astro")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What was found. ``told`` gives it as plain data."""

    tree: Tree
    sources: tuple[Source, ...]
    graph: Graph
    entries: Mapping[str, str]
    findings: tuple[SurveyFinding, ...]
    commit: git.Commit | None
    rooms: tuple[Any, ...]
    doors: tuple[Mapping[str, Any], ...]
    quests: tuple[Mapping[str, Any], ...]
    #: Sentences about what could not be looked at.
    notes: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The same for the same files: their paths, sizes and what was found in them."""
        sum_ = sha256()
        for file in self.tree.files:
            sum_.update(f"{file.path}\0{file.size}\n".encode())
        for finding in self.findings:
            sum_.update(finding.key.encode())
        return sum_.hexdigest()[:16]


def survey(root: Path, progress: Progress = lambda done, total: None) -> Survey:
    """Look at everything below a root."""
    tree = walk(root)
    sources, texts, notes = _read(root, tree.files, progress)
    packages = Packages((source.path for source in sources if source.file.language == "javascript"), texts)
    graph = linked(sources, texts, packages)
    commit = git.commit(root)
    entries = _entries(sources, packages)
    times, unknown = _times(root, sources, commit)
    paths = [file.path for file in tree.files]
    there = frozenset(paths)
    configs = [text for path, text in texts.items() if kind_of(path)[0] == "config"]
    evidence = Evidence(
        sources=[source for source in sources if not is_compiled(source.path, there)],
        configs=frozenset[str]().union(*(mentions_in(text) for text in configs)),
        tests_elsewhere=any(file.kind == "test" and file.language is None for file in tree.files),
        examples_run=any("doctest" in text for text in configs),
        distributed=tuple(sorted(_distributed(sources, texts))),
        graph=graph,
        entries=entries,
        mentions=frozenset[str]().union(*(mentions_in(text) for text in texts.values())),
        paths=there,
        docs={path: text for path, text in texts.items() if path.lower().endswith((".md", ".markdown"))},
        exists=lambda path: os.path.lexists(root / path),
        times=times,
        newest=None if commit is None else commit.at,
    )
    rooms, doors = mapped(tree.files, graph)
    passed = [f"{count} {why} passed over" for why, count in sorted(tree.passed_over.items())]
    return Survey(
        tree=tree,
        sources=tuple(sources),
        graph=graph,
        entries=entries,
        findings=tuple(judged(evidence)),
        commit=commit,
        rooms=tuple(rooms),
        doors=tuple(doors),
        quests=tuple(quests(texts, sources, paths)),
        notes=(*notes, *unknown, *passed),
    )


def _read(root: Path, files: list[File], progress: Progress) -> tuple[list[Source], dict[str, str], list[str]]:
    """Sources as they say themselves, and the texts of documents and configuration by path."""
    sources: list[Source] = []
    texts: dict[str, str] = {}
    unread: Counter[str] = Counter()
    for n, file in enumerate(files):
        if n % 500 == 0:
            progress(n, len(files))
        if file.language is None and file.kind not in ("doc", "config") and not file.path.endswith(_PAGES):
            continue
        text = _text(root, file, unread)
        if text is None:
            continue
        if file.language == "python":
            sources.append(read_python(file, text))
        elif file.language is not None:
            sources.append(read_coarse(file, text))
        else:
            texts[file.path] = text
    progress(len(files), len(files))
    return sources, texts, [f"{count} {why}" for why, count in sorted(unread.items())]


def _text(root: Path, file: File, unread: Counter[str]) -> str | None:
    if file.size > SURVEY_BYTES:
        unread["files are too large to be looked into"] += 1
        return None
    try:
        fd = os.open(root / file.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(fd, "rb") as opened:
            data = opened.read(SURVEY_BYTES + 1)
    except OSError:
        unread["files could not be read"] += 1
        return None
    if b"\0" in data:
        unread["files are called text and are not"] += 1
        return None
    return data[:SURVEY_BYTES].decode(errors="replace").replace("\r\n", "\n")


def _entries(sources: list[Source], packages: Packages) -> dict[str, str]:
    """Files that are programs, or that a package begins with, each with why."""
    found: dict[str, str] = {}
    for source in sources:
        name = source.path.rpartition("/")[2]
        if source.is_test:
            continue
        if source.entry is not None:
            found[source.path] = f"runs by itself, line {source.entry}"
        elif name in ("__main__.py", "main.rs", "lib.rs"):
            found[source.path] = "a program or library begins here"
    for path in sorted(set[str]().union(*packages.entries.values())):
        found.setdefault(path, "package.json begins with it")
    return dict(sorted(found.items()))


def _distributed(sources: list[Source], texts: Mapping[str, str]) -> set[str]:
    """Folders from which a Python package is made, as what its paths begin with."""
    said = {"pyproject.toml": "[build-system]", "setup.cfg": "[metadata]"}
    folders = {
        posixpath.dirname(path) for path, text in texts.items() if said.get(posixpath.basename(path), "\n\0") in text
    }
    folders |= {source.file.folder for source in sources if posixpath.basename(source.path) == "setup.py"}
    return {f"{folder}/" if folder else "" for folder in folders}


def _times(
    root: Path, sources: list[Source], commit: git.Commit | None
) -> tuple[dict[str, dict[int, int]], tuple[str, ...]]:
    marked = [source.path for source in sources if source.marks]
    if commit is None:
        return {}, ("there is no git history here: notes have no age",) if marked else ()
    times = {path: git.line_times(root, path) for path in marked[:MOST_BLAMED]}
    rest = len(marked) - MOST_BLAMED
    return times, (f"the age of the notes in {rest} more files was not looked up",) if rest > 0 else ()


def realm_id(path: str | Path) -> str:
    """The first twelve hexadecimal digits of the SHA-256 of a path."""
    return sha256(str(path).encode()).hexdigest()[:12]


def told(found: Survey) -> dict[str, Any]:
    """A survey as plain data of bounded size."""
    commit = found.commit
    kinds = Counter(file.kind for file in found.tree.files)
    languages = Counter(source.file.language for source in found.sources)
    return {
        "digest": found.digest,
        "commit": None if commit is None else {"head": commit.head, "root": commit.root, "count": commit.count},
        "counts": {
            "files": len(found.tree.files),
            "modules": len(found.sources),
            "lines": sum(source.lines for source in found.sources),
            "imports": sum(len(targets) for targets in found.graph.edges.values()),
            "kinds": dict(sorted(kinds.items())),
            "languages": dict(sorted((str(name), count) for name, count in languages.items())),
        },
        "rules": by_rule(found.findings),
        "findings": [finding_told(finding) for finding in found.findings[:MOST_FINDINGS]],
        "entries": [{"path": path, "why": why} for path, why in list(found.entries.items())[:50]],
        "rooms": [room_told(room) for room in found.rooms],
        "doors": list(found.doors),
        "quests": list(found.quests),
        "notes": list(found.notes),
    }


def finding_told(finding: SurveyFinding) -> dict[str, Any]:
    return {
        "key": finding.key,
        "rule": finding.rule,
        "severity": finding.severity,
        "path": finding.path,
        "line": finding.line,
        "text": finding.text,
    }


def room_told(room: Any) -> dict[str, Any]:
    names = ("path", "x", "y", "width", "height", "files", "kinds", "objects")
    return {name: getattr(room, name) for name in names}


__all__ = ["MOST_FINDINGS", "Survey", "finding_told", "realm_id", "survey", "told"]
