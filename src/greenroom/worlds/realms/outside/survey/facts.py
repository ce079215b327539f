"""What one source file says about itself: the same for every language, some of it left out in the coarser ones."""

from __future__ import annotations

import re
from dataclasses import dataclass

from greenroom.worlds.realms.outside.survey.tree import File


@dataclass(frozen=True, slots=True)
class Import:
    """One import: what is named, where, and whether it is needed before anything of the file can run."""

    target: str
    line: int
    #: Python's dots before a relative name; 0 for an absolute one.
    level: int = 0
    #: Names that are taken from it: each may be a module too.
    names: tuple[str, ...] = ()
    #: At the top of the file, and not for type checkers only.
    at_once: bool = True


@dataclass(frozen=True, slots=True)
class Named:
    """A public name, and whether it is documented."""

    name: str
    line: int
    documented: bool


@dataclass(frozen=True, slots=True)
class Function:
    """A function: where it begins, how long it is, what it calls, and whether it asserts something itself.

    Its documentation is counted apart from its other lines.
    """

    name: str
    line: int
    lines: int
    calls: frozenset[str] = frozenset()
    asserts: bool = False
    is_test: bool = False
    documentation: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """A note to oneself in a comment."""

    line: int
    tag: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source file."""

    file: File
    lines: int = 0
    imports: tuple[Import, ...] = ()
    public: tuple[Named, ...] = ()
    functions: tuple[Function, ...] = ()
    marks: tuple[Mark, ...] = ()
    #: The line that makes it a program of its own.
    entry: int | None = None
    #: Why it cannot be read as its language, and where.
    broken: tuple[int, str] | None = None
    #: Dotted names that stand in it otherwise than in an import; ``a.b.*`` is everything in that folder.
    mentions: frozenset[str] = frozenset()
    #: Whether its documentation holds examples that can be run.
    examples: bool = False

    @property
    def path(self) -> str:
        return self.file.path

    @property
    def is_test(self) -> bool:
        return self.file.kind == "test"


#: A note begins a comment, or has a colon: other comments may speak of notes.
_TAG = "(TODO|FIXME|XXX|HACK)"
MARK = re.compile(rf"(?:^\W*\b{_TAG}\b|\b{_TAG}(?=(?:\([^()]*\))?:))(?:\([^()]*\))?[:\s-]*(.*)")
_DOTTED = re.compile(r"[A-Za-z_][\w-]*(?:[./:][A-Za-z_][\w-]*)+")


def mark_in(comment: str, line: int) -> Mark | None:
    """The note in a comment, if it has one."""
    found = MARK.search(comment)
    return None if found is None else Mark(line, found[1] or found[2], " ".join(found[3].split())[:200])


def mentions_in(text: str) -> frozenset[str]:
    """Dotted names in a text, and what each of them begins with: ``a.b:c`` names ``a.b`` too; so does ``a/b.py``."""
    found: set[str] = set()
    for word in _DOTTED.findall(text):
        parts = re.split(r"[./:]", word)
        found.update(".".join(parts[:n]) for n in range(2, len(parts) + 1))
    return frozenset(found)


__all__ = ["Function", "Import", "Mark", "Named", "Source", "mark_in", "mentions_in"]
