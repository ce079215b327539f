"""Content files: YAML in, a validated model out, and errors that say in which line they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from yaml.constructor import ConstructorError
from yaml.reader import Reader

from greenroom.kernel.errors import BackendError, Malformed, Unknown

M = TypeVar("M", bound=BaseModel)

#: How many levels of lists and mappings a content file may have, aliases followed.
DEEPEST = 64
#: Bytes of a content file, and values in it when every alias and merge is written out.
MOST_BYTES = 2_000_000
MOST_VALUES = 100_000

if TYPE_CHECKING:
    _SafeLoader = yaml.SafeLoader
else:
    _SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load(source: str | Path | Traversable, model: type[M], *, context: Mapping[str, Any] | None = None) -> M:
    """Read a content file into ``model``; its validators may look into ``context``.

    Raises:
        Unknown: there is no such file.
        Malformed: it is not YAML, says something twice, or does not fit the model; each line of the message
            is ``file:line: sentence``.
    """
    source = Path(source) if isinstance(source, str) else source
    text = _text(source)
    root, data = _parsed(source, text)
    try:
        return model.model_validate(data, context=context)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise Malformed("\n".join(_complaint(source, root, one) for one in found)) from None


def named_files(folder: str | Path | Traversable) -> dict[str, Traversable]:
    """The YAML files of a folder by name, without the ending, in order of their names.

    Raises:
        Unknown: there is no such folder.
    """
    place: Traversable = Path(folder) if isinstance(folder, str) else folder
    if not place.is_dir():
        raise Unknown(f"{place}: there is no such folder")
    found = {file.name.removesuffix(".yaml"): file for file in place.iterdir() if file.name.endswith(".yaml")}
    return dict(sorted(found.items()))


def packaged(package: str, name: str) -> Traversable:
    """A content file shipped inside a package, such as ``content/harbour.yaml``.

    Raises:
        Unknown: there is no such package, or no such file in it.
    """
    try:
        found = files(package).joinpath(*name.split("/"))
    except ModuleNotFoundError:
        raise Unknown(f"there is no package {package}") from None
    if not found.is_file():
        raise Unknown(f"package {package} holds no file {name}")
    return found


# reading


def _text(source: Path | Traversable) -> str:
    try:
        data = source.read_bytes()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise Unknown(f"{source}: there is no such file") from None
    except OSError as error:
        raise BackendError(f"{source}: the file cannot be read ({error.strerror})") from error
    if len(data) > MOST_BYTES:
        raise Malformed(_at(source, 1, f"the file has {len(data)} bytes; at most {MOST_BYTES} are read"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Malformed(_at(source, line, "the file is not UTF-8; save it in that encoding")) from None


def _parsed(source: Path | Traversable, text: str) -> tuple[yaml.Node, Any]:
    """The tree of the file, with its lines, and the data in it."""
    if bad := Reader.NON_PRINTABLE.search(text):
        line = text.count("\n", 0, bad.start()) + 1
        raise Malformed(_at(source, line, f"character U+{ord(bad.group()):04X} does not belong in a text"))
    try:
        return _composed(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = ", ".join(part for part in (error.problem, error.context) if part)
        raise Malformed(_at(source, mark.line + 1 if mark else 1, said)) from None


def _composed(text: str) -> tuple[yaml.Node, Any]:
    may_grow = _refuse_depth(text)
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            raise ConstructorError(None, None, "the file is empty", None)
        if may_grow:
            _refuse_growth(root)
        _refuse_doubles(root)
        return root, loader.construct_document(root)
    finally:
        loader.dispose()


class _Loader(_SafeLoader):
    """A safe loader whose every complaint about a value says where the value is."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 (PyYAML's own)
        try:
            return super().construct_object(node, deep=deep)
        except (AttributeError, KeyError, TypeError, ValueError):
            kind = node.tag.rpartition(":")[2]
            raise ConstructorError(None, None, f"this is no {kind}; quote it if it is text", node.start_mark) from None


def _refuse_depth(text: str) -> bool:
    """The C parser builds its tree by recursion and crashes the process where the stack ends.

    Returns whether the tree may stand for more than is written: it has aliases, or is large as it is.
    """
    depth = values = 0
    has_aliases = False
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        values += isinstance(event, yaml.NodeEvent)
        has_aliases = has_aliases or isinstance(event, yaml.AliasEvent)
        if depth > DEEPEST:
            said = f"the file is nested more than {DEEPEST} levels deep"
            raise ConstructorError(None, None, said, event.start_mark)
    return has_aliases or values > MOST_VALUES


def _refuse_growth(root: yaml.Node) -> None:
    """A few lines of aliases, or of merge keys, can stand for more than any memory holds; or for themselves."""
    sizes: dict[int, tuple[int, int]] = {}
    open_: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting[-1]
        below = _parts(node)
        if id(node) not in open_:
            open_.add(id(node))
            fresh = [child for child in below if id(child) not in sizes]
            if any(id(child) in open_ for child in fresh):
                raise ConstructorError(None, None, "this holds itself by an alias", node.start_mark)
            waiting.extend({id(child): child for child in fresh}.values())
            continue
        waiting.pop()
        if id(node) in sizes:
            continue
        size = 1 + sum(sizes[id(child)][0] for child in below)
        depth = 1 + max((sizes[id(child)][1] for child in below), default=0)
        sizes[id(node)] = size, depth
        if size > MOST_VALUES or depth > DEEPEST + 1:
            said = f"with its aliases written out this has more than {MOST_VALUES} values or {DEEPEST} levels"
            raise ConstructorError(None, None, said, node.start_mark)


def _parts(node: yaml.Node) -> Sequence[yaml.Node]:
    """Keys and values; what a merge brings in counts like a value."""
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else ()


def _refuse_doubles(root: yaml.Node) -> None:
    """YAML lets the last of two equal keys win in silence; we do not."""
    for node in _nodes(root):
        first: dict[str, int] = {}
        for key in _keys(node):
            line = key.start_mark.line + 1
            if key.value in first:
                said = f"key {key.value!r} stands in line {first[key.value]} already; remove one of them"
                raise ConstructorError(None, None, said, key.start_mark)
            first[key.value] = line


def _keys(node: yaml.Node) -> Sequence[yaml.ScalarNode]:
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return [key for key, _ in pairs if isinstance(key, yaml.ScalarNode)]


def _nodes(root: yaml.Node) -> Iterator[yaml.Node]:
    """Every node once; an alias may lead back to a node that was there before."""
    waiting, known = [root], {id(root)}
    while waiting:
        node = waiting.pop()
        yield node
        for child in _children(node):
            if id(child) not in known:
                known.add(id(child))
                waiting.append(child)


def _children(node: yaml.Node) -> Sequence[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [value for _, value in node.value]
    return node.value if isinstance(node, yaml.SequenceNode) else ()


# telling where


def _complaint(source: Path | Traversable, root: yaml.Node, error: ErrorDetails) -> str:
    """One sentence, with the line of the key or item, or of what is nearest around it in the file."""
    node, line, found = root, root.start_mark.line, []
    for part in error["loc"]:
        # Not every part is in the file: a missing key is not, nor is the name of a union's member.
        if step := _step(node, part):
            line, node = step
            found.append(str(part))
    if error["type"] == "missing":
        found.append(str(error["loc"][-1]))
    return _at(source, line + 1, _sentence(".".join(found), error["type"], error["msg"]))


def _step(node: yaml.Node, part: int | str) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        item = node.value[part]
        return item.start_mark.line, item
    if isinstance(node, yaml.MappingNode):
        # From the end: what the file merges in with << stands before the keys that override it.
        for key, value in reversed(node.value):
            if key.value == str(part):
                return key.start_mark.line, value
    return None


def _sentence(name: str, kind: str, message: str) -> str:
    if kind == "missing":
        return f"{name} is missing"
    if kind == "extra_forbidden":
        return f"{name} is not known here; remove it or check its spelling"
    said = message.removeprefix("Value error, ")
    return f"{name}: {said[:1].lower()}{said[1:]}" if name else said


def _at(source: Path | Traversable, line: int, sentence: str) -> str:
    return f"{source}:{line}: {sentence}"


__all__ = ["load", "named_files", "packaged"]
