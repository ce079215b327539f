"""What is found in a repository: each finding true, with its place, by a rule that is written down here.

=========================  ==============================================================  =======================
rule                       it is found when                                                severity
=========================  ==============================================================  =======================
``unreadable``             Python cannot parse a file                                      medium
``cycle``                  files need one another before any of them can run               medium; high from four on
``dead``                   nothing imports or names a module, and it is no entry point     medium; low where others
                                                                                           may import it
``no_tests``               there is code and not one test                                  high
``untested``               no test reaches a module by imports or by name                  medium; high from 200
                                                                                           lines or five users on
``no_assertion``           a test asserts nothing, nor anything that it calls by name      medium
``undocumented``           public names have no documentation, told once for a file        low; medium where it is
                                                                                           most of five or more
``dead_link``              a document links to a file that is not there                    medium; high in a README
``long_function``          a function of 60 lines or more, its documentation apart         low; medium from 100,
                                                                                           high from 200 on
``mark``                   TODO, XXX, HACK; FIXME                                          low; medium; one more when
                                                                                           a year old at the newest
                                                                                           commit
=========================  ==============================================================  =======================
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, TypeAlias

from greenroom.worlds.realms.outside.survey.facts import Source
from greenroom.worlds.realms.outside.survey.graph import Graph
from greenroom.worlds.realms.outside.survey.pages import dead_links

SurveySeverity: TypeAlias = Literal["low", "medium", "high"]
#: Who looks after which rules.
AREAS: Mapping[str, tuple[str, ...]] = {
    "structure": ("unreadable", "cycle", "dead"),
    "tests": ("no_tests", "untested", "no_assertion"),
    "docs": ("undocumented", "dead_link"),
    "size": ("long_function",),
    "marks": ("mark",),
}
RULES = tuple(rule for rules in AREAS.values() for rule in rules)
_WEIGHT: Mapping[SurveySeverity, int] = {"high": 0, "medium": 1, "low": 2}
YEAR = 365 * 86_400

_NEVER_DEAD = frozenset(
    [
        "__init__",
        "__main__",
        "conftest",
        "setup",
        "manage",
        "wsgi",
        "asgi",
        "noxfile",
        "fabfile",
        "conf",
        "env",
        "tasks",
        "version",
        "_version",
        "admin",
        "apps",
        "models",
        "signals",
        "hatch_build",
        "main",
        "app",
        "run",
    ]
)
_SIDE = frozenset(
    [
        "test",
        "tests",
        "docs",
        "doc",
        "examples",
        "example",
        "scripts",
        "script",
        "tools",
        "benchmarks",
        "migrations",
        "versions",
        "bin",
        "template",
        "templates",
        "commands",
        "templatetags",
    ]
)
#: Folders in which frameworks look for files by themselves, and names of files that tools look for.
_ROUTED = frozenset(["pages", "app", "routes", "api", "stories", "public", "static"])
_LOOKED_FOR = re.compile(
    r"\.config|\.conf\.|\.d\.[cm]?ts$|\.stories\.|^index\.|^[+\[]|^(?:gulp|grunt|jake)file\.|^setup|\brc\."
)


@dataclass(frozen=True, slots=True)
class SurveyFinding:
    """Something true of a repository, at one place of it."""

    rule: str
    severity: SurveySeverity
    path: str
    line: int
    text: str

    @property
    def key(self) -> str:
        """What tells this finding from another, also after lines have moved, and it has grown or become older."""
        about = re.sub(r"\d+", "#", re.sub(r" \([^()]*\)$", "", self.text))
        return sha256(f"{self.rule}\0{self.path}\0{about}".encode()).hexdigest()[:12]

    def order(self) -> tuple[int, int, str, int, str]:
        return _WEIGHT[self.severity], RULES.index(self.rule), self.path, self.line, self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything that is judged."""

    sources: Sequence[Source]
    graph: Graph
    #: Files that are programs of their own, each with why.
    entries: Mapping[str, str]
    #: Dotted names in documents and configuration, and those in configuration alone.
    mentions: frozenset[str]
    configs: frozenset[str]
    #: Whether there are tests in a language that is not read.
    tests_elsewhere: bool
    #: Whether examples in documentation are run as tests.
    examples_run: bool
    #: Folders from which a Python package is made for others, with a slash at the end of all but the outermost.
    distributed: tuple[str, ...]
    docs: Mapping[str, str]
    #: All files that are looked at.
    paths: frozenset[str]
    #: Whether there is a file or folder of this path, looked at or not.
    exists: Callable[[str], bool]
    #: When lines with marks were written, by path and line, and the moment of the newest commit.
    times: Mapping[str, Mapping[int, int]]
    newest: int | None


def judged(evidence: Evidence) -> list[SurveyFinding]:
    """Every finding, the gravest first."""
    found = [finding for rule in (_structure, _tests, _docs, _sizes, _marks) for finding in rule(evidence)]
    return sorted(set(found), key=SurveyFinding.order)


# structure


def _structure(evidence: Evidence) -> Iterator[SurveyFinding]:
    for source in evidence.sources:
        if source.broken is not None:
            line, why = source.broken
            yield SurveyFinding("unreadable", "medium", source.path, line, f"Python cannot read this file: {why}")
    written = {source.path for source in evidence.sources}
    yield from (circle for circle in _circles(evidence.graph) if circle.path in written)
    yield from _dead(evidence)


def _circles(graph: Graph) -> Iterator[SurveyFinding]:
    for circle in graph.circles():
        first = circle[0]
        line = min(line for target, line in graph.hard[first].items() if target in circle)
        others = ", ".join(circle[1:6]) + (f" and {len(circle) - 6} more" if len(circle) > 6 else "")
        severity: SurveySeverity = "high" if len(circle) >= 4 else "medium"
        yield SurveyFinding(
            "cycle", severity, first, line, f"imports go round in a circle of {len(circle)} files: with {others}"
        )


def _dead(evidence: Evidence) -> Iterator[SurveyFinding]:
    needed = evidence.graph.needed_by()
    mentions = evidence.mentions.union(*(source.mentions for source in evidence.sources))
    declared = frozenset(name for name in mentions if name.startswith("mod "))
    for source in evidence.sources:
        if source.path in needed or source.path in evidence.entries or not _could_be_dead(source, declared):
            continue
        if not _names(source.path).isdisjoint(mentions):
            continue
        if _is_for_others(source, evidence):
            yield SurveyFinding("dead", "low", source.path, 1, _FOR_OTHERS)
        else:
            yield SurveyFinding("dead", "medium", source.path, 1, _DEAD[source.file.language or "python"])


_FOR_OTHERS = "nothing here imports this module or names it; only somebody who installs the package could need it"
_DEAD = {
    "python": "nothing here imports this module or names it, and it is no program of its own",
    "javascript": "nothing here imports this file, and no package.json begins with it",
    "rust": "no mod line declares this file",
    "go": "nothing here imports this package",
}


def _is_for_others(source: Source, evidence: Evidence) -> bool:
    parts = source.path.split("/")
    public = not any(part.startswith("_") for part in parts) and f"{source.file.folder}/__init__.py" in evidence.paths
    return public and source.file.language == "python" and source.path.startswith(evidence.distributed)


def _could_be_dead(source: Source, declared: frozenset[str]) -> bool:
    *folders, name = source.path.lower().split("/")
    stem = name.partition(".")[0]
    if source.is_test or source.entry is not None or stem in _NEVER_DEAD or not _SIDE.isdisjoint(folders):
        return False
    match source.file.language:
        case "python":
            return source.broken is None and not name.endswith(".pyi")
        case "rust":
            return (
                "src" in folders
                and f"mod {stem}" not in declared
                and stem not in ("main", "lib", "mod", "build")
                and "bin" not in folders
            )
        case "javascript":
            return not _ROUTED.intersection(folders) and not _LOOKED_FOR.search(name)
        case _:
            return False  # a Go package may be there for others to import


def _names(path: str) -> frozenset[str]:
    parts = path.rpartition(".")[0].split("/")
    whole = path.rpartition("/")[2]  # as a page names a script
    around = {f"{'.'.join(parts[i:-1])}.*" for i in range(len(parts) - 1)}
    return frozenset(".".join(parts[i:]) for i in range(len(parts) - 1)) | {path.replace("/", "."), whole} | around


# tests


def _tests(evidence: Evidence) -> Iterator[SurveyFinding]:
    tests = [source for source in evidence.sources if source.is_test or any(one.is_test for one in source.functions)]
    code = [source for source in evidence.sources if _wants_tests(source)]
    code = [source for source in code if not (source.examples and evidence.examples_run)]
    if code and not tests and not evidence.tests_elsewhere and not evidence.examples_run:
        largest = max(code, key=lambda source: (source.lines, source.path))
        yield SurveyFinding("no_tests", "high", largest.path, 1, f"there are {len(code)} modules here and not one test")
        return
    yield from _untested(evidence, tests, code)
    yield from _without_assertion(evidence)


def _wants_tests(source: Source) -> bool:
    *folders, name = source.path.lower().split("/")
    side = not _SIDE.isdisjoint(folders) or name in ("setup.py", "conf.py", "conftest.py") or ".d.ts" in name
    begins = name == "__main__.py" or source.broken is not None
    return bool(source.functions) and not (source.is_test or side or begins or source.file.kind != "code")


def _untested(evidence: Evidence, tests: Sequence[Source], code: Sequence[Source]) -> Iterator[SurveyFinding]:
    reached = evidence.graph.reached((source.path for source in tests), evidence.paths)
    go = {source.file.folder for source in tests if source.file.language == "go"}
    needed = evidence.graph.needed_by()
    # Rust's tests stand in the files themselves or reach all of a crate; scripts beside a program of another language
    # may be tried by it in ways that cannot be read here.
    judged_by = {source.file.language for source in tests} - {"rust"}
    judged_by -= {source.file.language for source in tests if source.path in evidence.graph.unknown}
    for source in code:
        if source.path in reached or (source.file.language == "go" and source.file.folder in go):
            continue
        if source.file.language not in judged_by or ("/" not in source.path and source.path in evidence.configs):
            continue
        users = len(needed.get(source.path, ()))
        severity: SurveySeverity = "high" if source.lines >= 200 or users >= 5 else "medium"
        what = f"{source.lines} lines, {users} {'file needs' if users == 1 else 'files need'} it"
        yield SurveyFinding(
            "untested", severity, source.path, 1, f"no test reaches this module by imports or by name ({what})"
        )


def _without_assertion(evidence: Evidence) -> Iterator[SurveyFinding]:
    checking = _checking(evidence.sources)
    tests = {source.path for source in evidence.sources if source.is_test}
    for source in evidence.sources:
        if source.file.language == "javascript" and not tests.isdisjoint(evidence.graph.edges.get(source.path, ())):
            continue  # a helper beside it may assert: a coarse reading cannot tell
        for function in source.functions:
            if function.is_test and not function.asserts and function.calls.isdisjoint(checking):
                text = f"{function.name} asserts nothing" if function.lines else "no test in this file asserts anything"
                yield SurveyFinding("no_assertion", "medium", source.path, function.line, text)


def _checking(sources: Sequence[Source]) -> frozenset[str]:
    """Names of functions beside the tests that assert something, or call one that does."""
    calls: dict[str, set[str]] = defaultdict(set)
    found: set[str] = set()
    for source in sources:
        for function in source.functions:
            calls[function.name] |= function.calls
            if function.asserts and not function.is_test:
                found.add(function.name)
    grown = True
    while grown:
        more = {name for name, called in calls.items() if name not in found and not called.isdisjoint(found)}
        grown = bool(more)
        found |= more
    return frozenset(found)


# documentation


def _docs(evidence: Evidence) -> Iterator[SurveyFinding]:
    for source in evidence.sources:
        *folders, _ = source.path.lower().split("/")
        if not source.is_test and _SIDE.isdisjoint(folders) and not _is_inner(source.path):
            yield from _undocumented(source)
    for path, text in evidence.docs.items():
        readme = path.rpartition("/")[2].lower().startswith("readme")
        for line, target in dead_links(path, text, evidence.exists):
            yield SurveyFinding(
                "dead_link", "high" if readme else "medium", path, line, f"this links to {target}, which is not there"
            )


def _is_inner(path: str) -> bool:
    """A private module of Python, or a stub: its names are public nowhere, or documented beside it."""
    python = path.endswith(".py") and any(part.startswith("_") and part[:2] != "__" for part in path.split("/"))
    return python or path.endswith(".pyi")


def _undocumented(source: Source) -> Iterator[SurveyFinding]:
    bare = [name for name in source.public if not name.documented]
    if bare:
        most = len(bare) >= 5 and len(bare) * 2 > len(source.public)
        told = ", ".join(name.name for name in bare[:8]) + (f" and {len(bare) - 8} more" if len(bare) > 8 else "")
        text = f"{len(bare)} of {len(source.public)} public names have no documentation: {told}"
        yield SurveyFinding("undocumented", "medium" if most else "low", source.path, bare[0].line, text)


# size, marks


def _sizes(evidence: Evidence) -> Iterator[SurveyFinding]:
    for source in evidence.sources:
        for function in source.functions:
            if function.lines >= 60:
                severity: SurveySeverity = (
                    "high" if function.lines >= 200 else "medium" if function.lines >= 100 else "low"
                )
                beside = f" beside {function.documentation} of documentation" if function.documentation else ""
                text = f"{function.name} is {function.lines} lines long{beside}"
                yield SurveyFinding("long_function", severity, source.path, function.line, text)


_MORE: Mapping[SurveySeverity, SurveySeverity] = {"low": "medium", "medium": "high", "high": "high"}


def _marks(evidence: Evidence) -> Iterator[SurveyFinding]:
    for source in evidence.sources:
        times = evidence.times.get(source.path, {})
        for mark in source.marks:
            severity: SurveySeverity = "medium" if mark.tag == "FIXME" else "low"
            text = f"{mark.tag}: {mark.text}" if mark.text else f"a {mark.tag} without a word"
            written = times.get(mark.line)
            if written is not None and evidence.newest is not None:
                days = max(0, evidence.newest - written) // 86_400
                severity = _MORE[severity] if days >= 365 else severity
                text += f" ({_age(days)})"
            yield SurveyFinding("mark", severity, source.path, mark.line, text)


def _age(days: int) -> str:
    if days < 1:
        return "written with the newest commit's day"
    if days < 60:
        return f"{days} {'day' if days == 1 else 'days'} old"
    return f"{days // 30} months old" if days < 730 else f"{days // 365} years old"


def by_rule(findings: Iterable[SurveyFinding]) -> dict[str, int]:
    """How many there are of each rule, in the order of the rules."""
    counts = dict.fromkeys(RULES, 0)
    for finding in findings:
        counts[finding.rule] += 1
    return {rule: count for rule, count in counts.items() if count}


__all__ = ["AREAS", "RULES", "Evidence", "SurveyFinding", "SurveySeverity", "by_rule", "judged"]
