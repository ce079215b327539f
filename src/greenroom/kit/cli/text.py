"""Data as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any


def moment(value: datetime | None) -> str:
    return "" if value is None else f"{value:%Y-%m-%d %H:%M:%S}"


def outline(value: Any, indent: str = "") -> list[str]:
    """Plain data as indented lines, empty fields left out."""
    if isinstance(value, Mapping):
        return [line for name, part in value.items() for line in _entry(f"{name}:", part, indent)]
    if isinstance(value, list | tuple):
        return [line for part in value for line in _item(part, indent)]
    return [f"{indent}{scalar(value)}"]


def _entry(name: str, value: Any, indent: str) -> list[str]:
    if value is None or value in ("", [], {}):
        return []
    if isinstance(value, Mapping | list | tuple):
        return [f"{indent}{name}", *outline(value, indent + "  ")]
    return [f"{indent}{name} {scalar(value)}"]


def _item(value: Any, indent: str) -> list[str]:
    lines = outline(value, indent + "  ")
    if not lines:
        return []
    if isinstance(value, Mapping) and all(not isinstance(part, Mapping | list | tuple) for part in value.values()):
        return [f"{indent}- {inline(value)}"]
    return [f"{indent}- {lines[0].lstrip()}", *lines[1:]]


def inline(value: Any) -> str:
    """Plain data on one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {inline(part)}" for name, part in value.items() if part not in (None, "", [], {}))
    if isinstance(value, list | tuple):
        return f"[{'; '.join(map(inline, value))}]"
    return scalar(value)


def event(kind: str, shown: Any) -> str:
    """What happened on one line; what is called like it is not named twice."""
    said = shown[kind] if isinstance(shown, Mapping) and [*shown] == [kind] else shown
    return f"{kind}: {inline(said)}".rstrip(": ")


def scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split())


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Any:
    """A table for a terminal."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(*head, box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def followed(table: Any, lines: Iterable[str]) -> Any:
    """A table with lines below it, as they are and never broken: they are to be copied."""
    from rich.console import Group
    from rich.text import Text

    return Group(table, *(Text(line, no_wrap=True, overflow="ignore") for line in lines))
