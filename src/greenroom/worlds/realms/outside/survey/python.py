"""What a Python file says about itself, read from its syntax tree; nothing of it is run."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterable, Iterator

from greenroom.worlds.realms.outside.survey.facts import Function, Import, Mark, Named, Source, mark_in, mentions_in
from greenroom.worlds.realms.outside.survey.tree import File

#: Calls that check something, by how their names begin.
CHECKS = (
    *("assert", "check", "expect", "verify", "raises", "warns", "fail", "should", "validate", "compare", "ensure"),
    *("fnmatch", "match"),
)
#: Calls that import what is found in a folder, or what is named only when the program runs.
_LOADERS = frozenset(["import_module", "__import__", "iter_modules", "walk_packages"])
_FOLDER = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*\.")
_MARKED = re.compile(r"#.*\b(TODO|FIXME|XXX|HACK)\b")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def read_python(file: File, text: str) -> Source:
    """What the file says; a file that Python cannot read says where and why, and nothing else."""
    lines = text.count("\n") + 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of doubtful escapes in somebody else's code
            tree = ast.parse(text)
    except SyntaxError as error:
        return Source(file=file, lines=lines, broken=(error.lineno or 1, error.msg))
    except (ValueError, RecursionError, MemoryError) as error:
        return Source(file=file, lines=lines, broken=(1, str(error) or type(error).__name__))
    every = list(ast.walk(tree))
    return Source(
        file=file,
        lines=lines,
        imports=tuple(_imports(tree)),
        public=tuple(_public(tree)),
        functions=tuple(_functions(tree, file)),
        marks=tuple(_marks(text)),
        entry=_entry(tree, text),
        mentions=_mentions(every) | _loaded(every, file),
        examples="\n    >>> " in text or "\n>>> " in text,
    )


# imports


def _imports(tree: ast.Module) -> Iterator[Import]:
    at_once = {id(node) for node in _run_at_once(tree.body)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, at_once=id(node) in at_once)
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            yield Import(node.module or "", node.lineno, node.level, names, at_once=id(node) in at_once)


def _run_at_once(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run when the module is imported; those for type checkers only, or that may fail, do not count."""
    for node in body:
        yield node
        match node:
            case ast.If(test=test) if not _is_type_checking(test):
                yield from _run_at_once([*node.body, *node.orelse])
            case ast.With() | ast.ClassDef():
                yield from _run_at_once(node.body)
            case _:
                pass


def _is_type_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return name == "TYPE_CHECKING"


# names


def _public(tree: ast.Module) -> Iterator[Named]:
    exported, told = _exported(tree), frozenset(_told_elsewhere(tree))
    for node in tree.body:
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            shown = node.name in exported if exported is not None else not node.name.startswith("_")
            if shown and not _is_decorated(node, "overload"):
                yield Named(node.name, node.lineno, node.name in told or _is_documented(node))


def _exported(tree: ast.Module) -> frozenset[str] | None:
    """What ``__all__`` names, where it is a plain list."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=items) | ast.Tuple(elts=items)):
                values = [item.value for item in items if isinstance(item, ast.Constant)]
                return frozenset(value for value in values if isinstance(value, str))
            case _:
                pass
    return None


def _is_documented(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """By itself, by what makes one of its class, or by a decorator that hands documentation on."""
    makers = [one for one in node.body if isinstance(one, _FUNCTIONS) and one.name in ("__init__", "__new__")]
    own = [node, *makers] if isinstance(node, ast.ClassDef) else [node]
    return any(ast.get_docstring(one, clean=False) for one in own) or _is_decorated(node, "doc")


def _told_elsewhere(tree: ast.Module) -> Iterator[str]:
    """Names whose documentation is put on them below: ``name.__doc__ = …``."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                match target:
                    case ast.Attribute(value=ast.Name(id=name), attr="__doc__"):
                        yield name
                    case _:
                        pass


def _is_decorated(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, word: str) -> bool:
    return any(word in ast.dump(decorator) for decorator in node.decorator_list)


# functions


def _functions(tree: ast.Module, file: File) -> Iterator[Function]:
    beside = file.kind == "test" or "test" in file.path.lower()  # where helpers of tests are
    tests = {id(node) for node in _outermost(tree.body)} if file.kind == "test" else set()
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS):
            calls, asserts = _looked_through(node) if beside else (frozenset(), False)
            documentation = _documentation(node)
            yield Function(
                name=node.name,
                line=node.lineno,
                lines=(node.end_lineno or node.lineno) - node.lineno + 1 - documentation,
                calls=calls,
                asserts=asserts,
                is_test=id(node) in tests and node.name.startswith("test") and not _is_decorated(node, "fixture"),
                documentation=documentation,
            )


def _outermost(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Functions of a module and of its classes: one inside another function is nobody's test."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node
            case ast.ClassDef() | ast.With():
                yield from _outermost(node.body)
            case ast.If() | ast.Try():
                yield from _outermost([*node.body, *node.orelse])
            case _:
                pass


def _documentation(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    match node.body[0]:
        case ast.Expr(value=ast.Constant(value=str())) as text:
            return (text.end_lineno or text.lineno) - text.lineno + 1
        case _:
            return 0


def _looked_through(node: ast.AST) -> tuple[frozenset[str], bool]:
    calls: set[str] = set()
    asserts = False
    for inner in ast.walk(node):
        asserts = asserts or isinstance(inner, ast.Assert | ast.Raise)
        if isinstance(inner, ast.Call):
            calls |= _name_of(inner.func)
        elif isinstance(inner, ast.Attribute):
            calls.add(inner.attr)
        elif isinstance(inner, ast.Name):
            calls.add(inner.id)
    return frozenset(calls), asserts or any(name.lower().lstrip("_").startswith(CHECKS) for name in calls)


def _name_of(called: ast.expr) -> set[str]:
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return {name}
        case _:
            return set()


# the rest


def _marks(text: str) -> Iterator[Mark]:
    """Notes in comments: where a line looks like one, the tokens say whether it is."""
    if not _MARKED.search(text):
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and (found := mark_in(token.string, token.start[0])):
                yield found
    except (tokenize.TokenError, SyntaxError):
        return


def _entry(tree: ast.Module, text: str) -> int | None:
    for node in tree.body:
        if isinstance(node, ast.If) and "__main__" in ast.dump(node.test):
            return node.lineno
    return 1 if text.startswith("#!") else None


def _mentions(every: Iterable[ast.AST]) -> frozenset[str]:
    words = [node.value for node in every if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    folders = frozenset(f"{word}*" for word in words if len(word) < 300 and _FOLDER.fullmatch(word))
    return folders | mentions_in("\n".join(word for word in words if len(word) < 300 and ("." in word or "/" in word)))


def _loaded(every: Iterable[ast.AST], file: File) -> frozenset[str]:
    """What is beside a file that imports by names which only the running program knows."""
    for node in every:
        if isinstance(node, ast.Call) and not _name_of(node.func).isdisjoint(_LOADERS):
            first = node.args[0] if node.args else None
            if file.folder and not isinstance(first, ast.Constant):
                return frozenset([file.folder.replace("/", ".") + ".*"])
    return frozenset()


__all__ = ["read_python"]
