"""What one content changes against another, told line by line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from greenroom.worlds.phantom.rules.content import Content

_MOST = 60


def changes(old: Content, new: Content) -> tuple[str, ...]:
    """Every difference between two contents, by its place: ``agents.ember.delays.usual.0: 30 → 20``."""
    return tuple(_between("", old.model_dump(mode="json"), new.model_dump(mode="json")))


def _between(place: str, old: Any, new: Any) -> Iterable[str]:
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from _mappings(place, old, new)
    elif isinstance(old, list) and isinstance(new, list) and _texts(old) and _texts(new):
        yield from (f"{place}: removed {_short(one)}" for one in old if one not in new)
        yield from (f"{place}: added {_short(one)}" for one in new if one not in old)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (was, now) in enumerate(zip(old, new, strict=True)):
            yield from _between(f"{place}.{i}", was, now)
    else:
        yield f"{place}: {_short(old)} → {_short(new)}"


def _mappings(place: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[str]:
    for name in dict.fromkeys((*old, *new)):
        here = f"{place}.{name}".lstrip(".")
        if name not in new:
            yield f"{here}: removed"
        elif name not in old:
            yield f"{here}: added"
        else:
            yield from _between(here, old[name], new[name])


def _texts(values: list[Any]) -> bool:
    return all(isinstance(one, str) for one in values)


def _short(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _MOST else f"{text[:_MOST]}…"
