"""The reference page of the Python face: what a program or a world's author imports, from signatures and docstrings."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import msgspec

#: What the page has, in this order: a heading, a sentence, and names as ``module:name``.
PARTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "Opening a house",
        "`import greenroom` costs nothing; `greenroom.open` does.",
        ("greenroom.bootstrap:open_house",),
    ),
    (
        "The house",
        "What `greenroom.open` gives. Everything is asked of it, and done by it.",
        (
            "greenroom.services.house:House",
            "greenroom.services.house:Reply",
            "greenroom.services.queries:Look",
            "greenroom.services.queries:ShownEvent",
            "greenroom.services.queries:Remembered",
            "greenroom.services.why:Why",
            "greenroom.services.why:Account",
        ),
    ),
    (
        "What a world is made of",
        "For authors of worlds. All of it is plain data and pure functions.",
        (
            "greenroom.kernel.worlds:World",
            "greenroom.kernel.worlds:CommandContext",
            "greenroom.kernel.worlds:EventContext",
            "greenroom.kernel.worlds:Done",
            "greenroom.kernel.worlds:done",
            "greenroom.kernel.worlds:Pattern",
            "greenroom.kernel.worlds:Text",
            "greenroom.kernel.worlds:Range",
            "greenroom.kernel.worlds:Wake",
            "greenroom.kernel.worlds:Retention",
            "greenroom.kernel.words:Words",
            "greenroom.kernel.words:Memory",
            "greenroom.kernel.words:Scope",
        ),
    ),
    (
        "What a turn may ask",
        "A turn is a generator: it yields one of these, or a tuple of them, and is sent the answers.",
        (
            "greenroom.kernel.asks:AskModel",
            "greenroom.kernel.asks:Section",
            "greenroom.kernel.asks:Roll",
            "greenroom.kernel.asks:Recall",
            "greenroom.kernel.asks:UseTool",
            "greenroom.kernel.asks:Play",
            "greenroom.kernel.asks:Failed",
        ),
    ),
    (
        "What agents of other frameworks keep",
        "`house.agents`; the [integrations](../integrations.md) stand on it.",
        (
            "greenroom.ports.agents:Agents",
            "greenroom.ports.agents:AgentSessions",
            "greenroom.ports.agents:AgentSession",
            "greenroom.ports.agents:StateDelta",
            "greenroom.ports.agents:AgentMemories",
            "greenroom.ports.agents:AgentFiles",
        ),
    ),
)
#: What a program would call it, where that is not the name in the module.
CALLED = {"open_house": "greenroom.open"}


def python_page(_: Any) -> str:
    """The whole page."""
    lines = [
        "# Python",
        "",
        "What programs and authors of worlds import; errors have [a page of their own](errors.md),",
    ]
    lines += ["and so have [plug-ins](plugins.md). Programs to copy from are in [examples](../../examples).", ""]
    for title, about, names in PARTS:
        lines += [f"## {title}", "", about, ""]
        for name in names:
            lines += _section(name)
    return "\n".join(lines)


def _section(reference: str) -> list[str]:
    module, _, name = reference.partition(":")
    found = getattr(importlib.import_module(module), name)
    called = CALLED.get(name, name)
    where = "" if name in CALLED else f"\n\n*from `{module}`*"
    lines = [f"### `{called}`{where}", ""]
    if inspect.isclass(found):
        return [*lines, *_prose(found), *_fields(found), *_methods(found)]
    return [*lines, *_signature(called, found), *_prose(found)]


def _signature(name: str, found: Any) -> list[str]:
    given = inspect.signature(inspect.unwrap(found))
    words = f"{'await ' if inspect.iscoroutinefunction(found) else ''}{name}({', '.join(_parameters(given))})"
    back = given.return_annotation
    return ["```", *_wrapped(words if back is inspect.Signature.empty else f"{words} → {back}"), "```", ""]


def _parameters(given: inspect.Signature) -> Iterator[str]:
    """Each as it is written in the code, with the star before the first that is only given by name."""
    star = True
    for one in given.parameters.values():
        if one.name == "self":
            continue
        if one.kind is inspect.Parameter.KEYWORD_ONLY and star:
            yield "*"
        star = star and one.kind not in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_POSITIONAL)
        sign = _SIGNS.get(one.kind, "")
        default = "" if one.default is inspect.Parameter.empty else f" = {one.default!r}"
        yield f"{sign}{one.name}: {one.annotation}{default}"


#: What stands before a parameter that takes several.
_SIGNS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def _wrapped(words: str) -> list[str]:
    """Over several lines, at commas, where it is long."""
    lines = [""]
    for part in re.split(r"(?<=, )", words):
        if len(lines[-1]) + len(part) > 110:
            lines.append("    ")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def _prose(found: Any) -> list[str]:
    """A docstring as Markdown: what is raised and what is given become lists."""
    text = vars(found).get("__doc__") if inspect.isclass(found) else found.__doc__
    lines = inspect.cleandoc(text or "").replace("``", "`").split("\n")
    out: list[str] = []
    for line in lines:
        if line in ("Raises:", "Args:"):
            out += [f"**{line[:-1]}**", ""]
        elif re.match(r"    \w+: ", line):
            name, _, words = line.strip().partition(": ")
            out.append(f"* `{name}`: {words}")
        else:
            out.append(line.removeprefix("      ") if line.startswith("        ") else line.strip())
    return [*out, ""] if any(out) else []


def _fields(found: type) -> list[str]:
    """Fields of a record with the comments that stand above them."""
    if dataclasses.is_dataclass(found):
        names = [field.name for field in dataclasses.fields(found)]
    elif issubclass(found, msgspec.Struct):
        names = [field.name for field in msgspec.structs.fields(found)]
    else:
        return []
    described = dict(_comments(inspect.getsource(found)))
    rows = [f"| `{name}` | {_cell(described[name])} |" for name in names if name in described]
    return ["| field | |", "| --- | --- |", *rows, ""] if rows else []


def _comments(source: str) -> Iterator[tuple[str, str]]:
    """Each field of a class with its type and what is said above it."""
    above: list[str] = []
    for line in map(str.strip, source.split("\n")):
        field = re.match(r"(\w+): ([^=]+?)(?: = .*)?$", line)
        if line.startswith("#:"):
            above.append(line.removeprefix("#:").strip())
        elif field and not line.endswith(","):
            kind = f"`{field.group(2)}`"
            yield field.group(1), f"{kind}: {' '.join(above)}" if above else kind
            above = []
        else:
            above = []


def _cell(text: str) -> str:
    return text.replace("``", "`").replace("|", "\\|")


def _methods(found: type) -> list[str]:
    lines: list[str] = []
    own = [kind for kind in found.__mro__ if kind.__module__.startswith("greenroom.")]
    seen: set[str] = set()
    for kind in own:
        for name, method in vars(kind).items():
            if name.startswith("_") or name in seen or not inspect.isfunction(method) or not method.__doc__:
                continue
            seen.add(name)
            lines += [f"#### `{name}`", "", *_signature(name, method), *_prose(method)]
    return lines


__all__ = ["PARTS", "python_page"]
