"""The files of a repository: what is looked at, what is passed over, and what kind each file is of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from greenroom.worlds.realms.outside.jail import is_plain, is_private

Kind: TypeAlias = Literal["code", "test", "config", "doc", "other"]
Language: TypeAlias = Literal["python", "javascript", "go", "rust"]

#: Files of a repository that are looked at; what comes after is counted.
MOST_FILES = 200_000

DEPENDENCIES = frozenset(
    [
        "node_modules",
        "bower_components",
        "vendor",
        "venv",
        "env",
        "site-packages",
        "__pycache__",
        "dist",
        "build",
        "target",
        "out",
        "coverage",
        "htmlcov",
        "bazel-bin",
        "bazel-out",
        "eggs",
        "wheelhouse",
        "third_party",
    ]
)
LANGUAGES: dict[str, Language] = {
    ".py": "python", ".pyi": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".jsx": "javascript", ".ts": "javascript", ".tsx": "javascript", ".mts": "javascript", ".cts": "javascript",
    ".go": "go", ".rs": "rust",
}  # fmt: skip
_OTHER_CODE = frozenset(
    [
        ".c",
        ".h",
        ".cc",
        ".cpp",
        ".hpp",
        ".java",
        ".kt",
        ".rb",
        ".php",
        ".cs",
        ".swift",
        ".scala",
        ".sh",
        ".bash",
        ".sql",
        ".lua",
        ".pl",
        ".r",
        ".jl",
        ".vue",
        ".svelte",
        ".ex",
    ]
)
_CONFIG = frozenset(
    [
        ".toml",
        ".yaml",
        ".yml",
        ".json",
        ".ini",
        ".cfg",
        ".conf",
        ".xml",
        ".lock",
        ".mod",
        ".sum",
        ".properties",
        ".gradle",
        ".plist",
    ]
)
_CONFIG_NAMES = frozenset(("makefile", "dockerfile", "procfile", "justfile", "gemfile", "rakefile"))
_DOCS = frozenset((".md", ".mdx", ".rst", ".txt", ".adoc", ".markdown"))
_TEST_FOLDERS = frozenset(("test", "tests", "__tests__", "spec", "specs", "e2e"))


@dataclass(frozen=True, slots=True)
class File:
    """One file, by its path from the root."""

    path: str
    size: int
    kind: Kind
    language: Language | None

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]


@dataclass(slots=True)
class Tree:
    """All files in the order of their paths, and how many of what were passed over."""

    files: list[File] = field(default_factory=list)
    passed_over: dict[str, int] = field(default_factory=dict)

    def pass_over(self, why: str) -> None:
        self.passed_over[why] = self.passed_over.get(why, 0) + 1


def walk(root: Path) -> Tree:
    """Every file below a root that is looked at; no link is followed."""
    tree = Tree()
    for file in _below(root, "", tree):
        if len(tree.files) < MOST_FILES:
            tree.files.append(file)
        else:
            tree.pass_over("files beyond the number that is looked at")
    tree.files.sort(key=lambda file: file.path)
    return tree


def _below(root: Path, folder: str, tree: Tree) -> Iterator[File]:
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(root / here if here else root) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            tree.pass_over("folders that cannot be read")
            continue
        if here and any(entry.name == ".git" for entry in entries):
            tree.pass_over("repositories inside the repository")
            continue
        for entry in entries:
            path = f"{here}/{entry.name}" if here else entry.name
            if why := _passed_over(entry):
                tree.pass_over(why)
            elif entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            else:
                yield File(path, _size(entry), *kind_of(path))


def _passed_over(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "links"
    if not is_plain(entry.name):
        return "names that are not plain text"
    if entry.name.startswith("."):
        return "hidden files and folders"
    if entry.is_dir(follow_symlinks=False):
        dependency = entry.name in DEPENDENCIES or entry.name.endswith(".egg-info")
        return "folders of dependencies and of what was built" if dependency else ""
    if not entry.is_file(follow_symlinks=False):
        return "devices, pipes and sockets"
    return "files that hold keys or passwords" if is_private(entry.name) else ""


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0


def kind_of(path: str) -> tuple[Kind, Language | None]:
    """What kind of file this is, by its name alone, and its language where the survey reads it."""
    *folders, name = path.lower().split("/")
    stem, dot, ending = name.rpartition(".")
    ending = dot + ending if stem else ""
    language = LANGUAGES.get(ending)
    if language is not None or ending in _OTHER_CODE:
        return ("test" if _is_test(folders, name, stem, language) else "code"), language
    if ending in _DOCS or name in ("license", "readme", "changelog", "contributing", "authors", "notice"):
        return "doc", None
    if ending in _CONFIG or name in _CONFIG_NAMES:
        return "config", None
    return "other", None


def _is_test(folders: list[str], name: str, stem: str, language: Language | None) -> bool:
    match language:
        case "go":
            return stem.endswith("_test")
        case "rust":
            return "tests" in folders
        case "javascript":
            return stem.endswith((".test", ".spec", "-test", "_test")) or not _TEST_FOLDERS.isdisjoint(folders)
        case "python":
            named = name.startswith("test_") or stem.endswith("_test") or name in ("conftest.py", "tests.py")
            return named or not {"test", "tests"}.isdisjoint(folders)
        case _:
            return not _TEST_FOLDERS.isdisjoint(folders)


__all__ = ["File", "Kind", "Language", "Tree", "kind_of", "walk"]
