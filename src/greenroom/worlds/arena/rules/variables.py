"""The free map of an episode: what may be changed in it, and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from greenroom.kernel.asks import Json
from greenroom.worlds.arena.rules.content import TENSION

Variables: TypeAlias = Mapping[str, Json]


class StateMutation(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A change that somebody proposes: ``modify`` what is there, or ``add`` what is not."""

    action: Literal["modify", "add"]
    path: str
    value: Json


def changed(variables: Variables, mutation: StateMutation) -> Variables | None:
    """The variables after a change; None where it cannot be made: nothing there to modify, or no map to add to."""
    return _set(variables, mutation.path.split("."), mutation)


def _set(variables: Variables, parts: list[str], mutation: StateMutation) -> dict[str, Any] | None:
    name, rest = parts[0], parts[1:]
    if not rest:
        if mutation.action == "modify" and name not in variables:
            return None
        return {**variables, name: mutation.value}
    inner = variables.get(name)
    if inner is None and name not in variables and mutation.action == "add":
        inner = {}
    if not isinstance(inner, Mapping):
        return None
    below = _set(inner, rest, mutation)
    return None if below is None else {**variables, name: below}


def value_at(variables: Variables, path: str) -> Json:
    """What stands at a path; None where nothing does."""
    found: Any = variables
    for part in path.split("."):
        if not isinstance(found, Mapping):
            return None
        found = found.get(part)
    return found


def tension(variables: Variables) -> int:
    level = variables.get(TENSION)
    return level if isinstance(level, int) else 1


def with_tension(variables: Variables, level: int) -> Variables:
    return {**variables, TENSION: min(10, max(1, level))}
