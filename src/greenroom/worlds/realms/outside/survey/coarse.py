"""JavaScript, TypeScript, Go and Rust, read line by line: less than a compiler knows, and nothing that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from greenroom.worlds.realms.outside.survey.facts import Function, Import, Mark, Named, Source, mark_in, mentions_in
from greenroom.worlds.realms.outside.survey.javascript import js_imports
from greenroom.worlds.realms.outside.survey.tree import File

_JS_STRING = re.compile(r"""['"`]([^'"`\n]{2,120})['"`]""")
_JS_PUBLIC = re.compile(r"^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class)\s+(\w+)")
_JS_FUNCTION = re.compile(r"^(\s*)(?:export\s+)?(?:default\s+)?(?:async\s+)?function\*?\s+(\w+)\s*\(.*\{\s*$")
_JS_CHECKS = re.compile(
    r"\b(?:(?:expect|assert|should|verify|check)\w*|t\.\w+|ok|equal|deepEqual|strictEqual|throws?)\b"
)
_JS_TESTS = re.compile(r"^\s*(?:it|test|describe)(?:\.\w+)?\(", re.MULTILINE)
_GO_IMPORT = re.compile(r'^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./~-]+)"\s*(?://.*)?$')
_GO_PUBLIC = re.compile(r"^(?:func|type)\s+([A-Z]\w*)\b")
_GO_FUNCTION = re.compile(r"^()func\s+(?:\([^)]*\)\s*)?(\w+).*\{\s*$")
_GO_TEST = re.compile(r"^func\s+Test\w*\(", re.MULTILINE)
_GO_CHECKS = re.compile(
    r"\b(?:t|b|tb)\.(?:Error|Fatal|Fail|Run|Skip)|\b(?:assert|require|must|check|expect|verify)\w*[.(]|\(t[,)]|//\s*Output:",
    re.IGNORECASE,
)
_RUST_MOD = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;")
_RUST_USE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+((?:crate|super|self)::[\w:]+)")
_RUST_PUBLIC = re.compile(r"^pub\s+(?:async\s+|const\s+|unsafe\s+)*(?:fn|struct|enum|trait)\s+(\w+)")
_RUST_FUNCTION = re.compile(r"^(\s*)(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|const\s+|unsafe\s+)*fn\s+(\w+).*\{\s*$")
_RUST_TEST = re.compile(r"#\[(?:\w+::)?test\b|#\[cfg\(test\)\]")
_COMMENT = re.compile(r"(?:^|\s)(?://|/\*|\*)\s?(.*)$")
#: What may stand between a name and the comment above it.
_BETWEEN = re.compile(r"^\s*(?:@|#\[|#!\[|\))")
#: Comments that are for tools.
_DIRECTIVE = re.compile(
    r"^\s*/[/*]\s*(?:@__|#__|@ts-|eslint|tslint|istanbul|c8|v8|prettier|biome|deno-lint|nolint|go:|\+build)"
)


def read_coarse(file: File, text: str) -> Source:
    """What a file of one of these languages says, line by line."""
    lines = text.split("\n")
    match file.language:
        case "go":
            imports, public, functions = list(_go_imports(lines)), _GO_PUBLIC, _GO_FUNCTION
        case "rust":
            imports, public, functions = list(_rust_imports(lines)), _RUST_PUBLIC, _RUST_FUNCTION
        case _:
            imports, public, functions = list(js_imports(file.path, text)), _JS_PUBLIC, _JS_FUNCTION
    return Source(
        file=file,
        lines=len(lines),
        imports=tuple(imports),
        public=tuple(_public(lines, public)),
        functions=(*_functions(lines, functions), *_tests(file, text)),
        marks=tuple(_marks(lines)),
        entry=_entry(file, lines),
        mentions=_mentions(file, text, imports),
    )


def _mentions(file: File, text: str, imports: list[Import]) -> frozenset[str]:
    """Files are also named in strings: a worker, a page's script, a module that is looked up by its path."""
    words = [one.target for one in imports if not one.target.startswith("mod ")]
    if file.language in ("javascript", "rust"):
        words += [word for word in _JS_STRING.findall(text) if "." in word or "/" in word]
    declared = frozenset(one.target for one in imports if one.target.startswith("mod "))
    return declared | mentions_in("\n".join(words))


def _go_imports(lines: list[str]) -> Iterator[Import]:
    inside = False
    for number, line in enumerate(lines, 1):
        if line.startswith(("func ", "type ", "var ")):
            return
        inside = (inside or line.startswith("import")) and line.strip() != ")"
        if inside and (found := _GO_IMPORT.match(line)):
            yield Import(found[1], number)


def _rust_imports(lines: list[str]) -> Iterator[Import]:
    for number, line in enumerate(lines, 1):
        if found := _RUST_MOD.match(line):
            yield Import(f"mod {found[1]}", number)
        elif found := _RUST_USE.match(line):
            yield Import(found[1], number)


def _public(lines: list[str], pattern: re.Pattern[str]) -> Iterator[Named]:
    """Each name once, where it stands first: what is written of one form of a function is written of all."""
    names: dict[str, Named] = {}
    for number, line in enumerate(lines, 1):
        if found := pattern.match(line):
            before = names.setdefault(found[1], Named(found[1], number, documented=False))
            if not before.documented and _is_documented(lines, number - 1):
                names[found[1]] = replace(before, documented=True)
    yield from names.values()


def _is_documented(lines: list[str], index: int) -> bool:
    above = index - 1
    while above >= 0 and (_BETWEEN.match(lines[above]) or _DIRECTIVE.match(lines[above])):
        above -= 1
    return above >= 0 and lines[above].strip().startswith(("//", "/*", "*", "*/"))


def _functions(lines: list[str], pattern: re.Pattern[str]) -> Iterator[Function]:
    """Functions that begin on one line and end with a brace as far in as they began."""
    for index, line in enumerate(lines):
        if found := pattern.match(line):
            close = re.compile(rf"^{re.escape(found[1])}\}}")
            end = next((i for i in range(index + 1, min(len(lines), index + 3000)) if close.match(lines[i])), None)
            if end is not None:
                yield Function(found[2], index + 1, end - index + 1)


def _tests(file: File, text: str) -> Iterator[Function]:
    """The tests of a file as one: a coarse reading cannot tell which assertion is whose."""
    if file.language == "rust":
        if found := _RUST_TEST.search(text):
            yield Function("its tests", text.count("\n", 0, found.start()) + 1, 0, asserts=True, is_test=True)
        return
    if file.kind != "test":
        return
    tests, checks = (_GO_TEST, _GO_CHECKS) if file.language == "go" else (_JS_TESTS, _JS_CHECKS)
    if first := tests.search(text):
        line = text.count("\n", 0, first.start() + 1) + 1
        yield Function("its tests", line, 0, asserts=bool(checks.search(text)), is_test=True)


def _marks(lines: list[str]) -> Iterator[Mark]:
    for number, line in enumerate(lines, 1):
        if (comment := _COMMENT.search(line)) and (found := mark_in(comment[1], number)):
            yield found


def _entry(file: File, lines: list[str]) -> int | None:
    if lines[0].startswith("#!") and not lines[0].startswith("#!["):
        return 1
    begins = {"go": "func main()", "rust": "fn main()"}.get(file.language or "")
    if begins is None:
        return None
    return next((n for n, line in enumerate(lines, 1) if line.startswith((begins, f"async {begins}"))), None)


__all__ = ["read_coarse"]
