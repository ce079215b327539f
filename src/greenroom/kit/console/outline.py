"""Plain data as an outline that people can read, with marks on what changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from greenroom.kernel.asks import Json
from greenroom.kit.console import parts
from greenroom.kit.console.wording import full

#: Longer lists and texts are cut; the export has them whole.
MOST_ITEMS = 60
MOST_TEXT = 600
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def inline(value: Json) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return " · ".join(f"{name.replace('_', ' ')}: {inline(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(inline(part) for part in value) or "nothing"
    return scalar(value)


def event_words(body: Json) -> str:
    """What an event shows, on one line; a single thing needs no name."""
    if isinstance(body, Mapping) and len(body) == 1:
        return inline(*body.values())
    return inline(body) if body else ""


def scalar(value: Json) -> str:
    match value:
        case None:
            return "–"
        case True:
            return "yes"
        case False:
            return "no"
        case "":
            return "–"
        case str() if _MOMENT.fullmatch(value):
            return full(value)
        case str() if len(value) > MOST_TEXT:
            return f"{value[:MOST_TEXT]} …"
        case _:
            return str(value)


def outline(value: Json, changed: Mapping[str, Json] | None = None, *, before: str = "was") -> None:
    """Draw a value; ``changed`` holds the paths that changed with what stood there before, told by that word."""
    _draw(value, "", {path: f"{before} {inline(old)}" for path, old in (changed or {}).items()})


def _draw(value: Json, path: str, changed: Mapping[str, str]) -> None:
    if isinstance(value, Mapping):
        _mapping(value, path, changed)
    elif isinstance(value, list | tuple):
        _sequence(value, path, changed)
    else:
        parts.tag("span", "value", scalar(value))


def _mapping(value: Mapping[str, Json], path: str, changed: Mapping[str, str]) -> None:
    with parts.tag("dl", "outline"):
        for name, part in list(value.items())[:MOST_ITEMS]:
            here = f"{path}/{name}"
            with parts.box("entry changed" if here in changed else "entry"):
                parts.tag("dt", "", name.replace("_", " "))
                with parts.tag("dd"):
                    _draw(part, here, changed)
                    if here in changed:
                        parts.tag("span", "before", changed[here])


def _sequence(value: Sequence[Json], path: str, changed: Mapping[str, str]) -> None:
    if not value:
        parts.tag("span", "value none", "nothing")
        return
    with parts.tag("ol", "outline-list"):
        for i, part in enumerate(value[:MOST_ITEMS]):
            here = f"{path}/{i}"
            with parts.tag("li", "changed" if here in changed else ""):
                _draw(part, here, changed)
    if len(value) > MOST_ITEMS:
        parts.text(f"and {len(value) - MOST_ITEMS} more", "note")


# what changed


def changes(before: Json, after: Json) -> dict[str, Json]:
    """Paths whose value is new or other than before, each with what stood there; the deepest that tell it."""
    return dict(_changes(before, after, ""))


def _changes(before: Json, after: Json, path: str) -> Iterator[tuple[str, Json]]:
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in after:
            yield from _changes(before.get(name), after[name], f"{path}/{name}")
    elif _is_list(before) and _is_list(after):
        yield from _of_lists(before, after, path)
    else:
        yield path, before


def _of_lists(before: Sequence[Json], after: Sequence[Json], path: str) -> Iterator[tuple[str, Json]]:
    """Items that were not there before; what only moved up because an old one fell off has not changed."""
    rest: list[Any] = list(before)
    for i, item in enumerate(after):
        if item in rest:
            rest.remove(item)
        else:
            yield f"{path}/{i}", None


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


__all__ = ["changes", "event_words", "inline", "outline", "scalar"]
