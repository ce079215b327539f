"""Plug-ins: how a world comes into a house. The shipped worlds come in the same way as yours.

A package names its plug-in as an entry point, and is found by that and by nothing else::

    [project.entry-points."greenroom.worlds"]
    harbour = "harbour:PLUGIN"

A plug-in is a plain value. What it refers to is imported when it is wanted, so that listing what is installed costs
nothing: a reference is ``"module:name"``, or the thing itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from pydantic import BaseModel

    from greenroom.kernel.asks import AskModel, Failed, Json, UseTool
    from greenroom.kernel.worlds import World
    from greenroom.ports import Asked, Follower

    #: Answers for a world (by its name), or for one role of it (by ``world/role``), where no model does. The same ask
    #: always gets the same answer. A coroutine function is asked before a plain one, and may leave the ask to it by
    #: returning None.
    Part: TypeAlias = Callable[[AskModel, Asked], Json | Failed | Awaitable[Json | None]]
    #: What a turn may use by name; it is given the ask and the key that tells a repetition.
    Tool: TypeAlias = Callable[[UseTool, str], Awaitable[Json | Failed]]

T = TypeVar("T")

#: What a stranger's package may raise: the house opens all the same. It may even try to end the program.
FAULTS = (Exception, SystemExit)
#: The group of entry points.
GROUP = "greenroom.worlds"
#: As a role of a plug-in: its streams may name others.
ANY_ROLE = "*"
#: The package whose plug-ins go before all others: no later one takes a name from them.
OWN = "greenroom"
#: Names of plug-ins and worlds: they become parts of variables and addresses.
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldPlugin:
    """What a package brings into a house. Only ``name`` and ``worlds`` are needed; the rest is a face each."""

    #: The name of the plug-in; its settings begin with ``GREENROOM_<NAME>_``.
    name: str
    #: From its settings to its worlds, content loaded.
    worlds: str | Callable[[Any], Sequence[World[Any, Any, Any]]]
    #: A pydantic model: what can be set from outside. Without one, the functions here are given None.
    settings: str | type[BaseModel] | None = None
    #: From its settings to who speaks where no model is configured, by world or ``world/role``.
    understudy: str | Callable[[Any], Mapping[str, Part]] | None = None
    #: From its settings to what its turns may use; added to the tools of the house.
    tools: str | Callable[[Any], Mapping[str, Tool]] | None = None
    #: From its settings to copies outside the transaction.
    followers: str | Callable[[Any], Sequence[Follower]] | None = None
    #: An ``APIRouter`` whose paths all begin with one prefix.
    http: str | object | None = None
    #: A ``WorldPage``; without one, the plain page.
    console: str | object | None = None
    #: A ``Commands``: a group of commands, and how the world is played in a terminal.
    cli: str | object | None = None
    #: The roles its turns ask models for, each with what it is asked to do, in a few words. ``*`` says that roles may
    #: also be named when a stream is begun. Who plays them is set by ``GREENROOM_MODELS``.
    roles: Mapping[str, str] = field(default_factory=dict, hash=False)
    #: What takes a while to make ready and is soon wanted; a server calls it in a thread, once it is open.
    warm: str | Callable[[], None] | None = None
    #: From its settings to what it does without on this machine, a sentence each; a house says so when it opens.
    lacks: str | Callable[[Any], Sequence[str]] | None = None
    #: A ``Judge``: probes, and how the world's character is judged by them.
    judge: str | object | None = None
    #: Its place on the home page; the first of all is played when nobody names a world.
    rank: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An entry point of the group, with the package it comes from, and why it cannot be used, if so."""

    name: str
    package: str
    version: str
    plugin: WorldPlugin | None = None
    error: str | None = None

    @property
    def shipped(self) -> bool:
        return self.package == OWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The plug-ins of one house: those in use with their worlds and settings, and those left out with the reason."""

    used: tuple[Found, ...] = ()
    left_out: tuple[Found, ...] = ()
    #: Worlds and settings by the name of their plug-in.
    worlds: Mapping[str, tuple[World[Any, Any, Any], ...]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    #: What they do without on this machine, a sentence each, by the name of their plug-in.
    lacks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def roles_of(self, world: str) -> tuple[str, ...]:
        """The roles that streams of a world ask for: those of its plug-in."""
        brings = (one.plugin for one in self.used if any(world == its.name for its in self.worlds.get(one.name, ())))
        return tuple(role for plugin in brings if plugin for role in plugin.roles if role != ANY_ROLE)


def resolved(reference: Any) -> Any:
    """What a reference refers to.

    Raises:
        Exception: whatever importing it raises.
    """
    if not isinstance(reference, str):
        return reference
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def face_of(one: Found, face: str, kind: type[T]) -> T:
    """What a plug-in brings as its routes, page or commands.

    Raises:
        Exception: whatever importing it raises.
    """
    brought = resolved(getattr(one.plugin, face)) if one.plugin else None
    if not isinstance(brought, kind):
        raise TypeError(f"{face} refers to a {type(brought).__name__}; it should refer to {named(kind)}")
    return brought


def named(kind: type) -> str:
    return f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"


@cache
def found() -> tuple[Found, ...]:
    """All plug-ins that are installed here: ours first, then by rank and name. One that cannot be imported says why."""
    each = [_found(point) for point in entry_points(group=GROUP)]
    each.sort(key=lambda one: (not one.shipped, one.plugin.rank if one.plugin else 0, one.name, one.package))
    taken: dict[str, Found] = {}
    for one in each:
        first = taken.setdefault(one.name, one)
        if first is not one and (first.package, first.version) != (one.package, one.version):
            each[each.index(one)] = _without(one, f"the name {one.name} is taken by {first.package}")
    # A package may be found twice, by two names of the same folder.
    return tuple(dict.fromkeys(each))


def _found(point: EntryPoint) -> Found:
    package = point.dist
    one = Found(
        name=point.name,
        package="unknown" if package is None else package.name,
        version="" if package is None else package.version,
    )
    try:
        plugin = point.load()
        _check(point.name, plugin)
    except FAULTS as error:
        return _without(one, told(error))
    return Found(name=one.name, package=one.package, version=one.version, plugin=plugin)


def _without(one: Found, error: str) -> Found:
    return Found(name=one.name, package=one.package, version=one.version, error=error)


def _check(name: str, plugin: object) -> None:
    if not isinstance(plugin, WorldPlugin):
        raise TypeError(f"it refers to a {type(plugin).__name__}; it should refer to {named(WorldPlugin)}")
    if plugin.name != name:
        raise ValueError(f"its plug-in calls itself {plugin.name}; both names should be the same")
    if not NAME.fullmatch(name):
        raise ValueError("a name has small letters, digits and single underscores, a letter first")
    _check_facts(plugin.rank, plugin.roles)


def _check_facts(rank: object, roles: object) -> None:
    if not isinstance(rank, int):
        raise TypeError(f"its rank is a {type(rank).__name__}; it should be a number")
    if not isinstance(roles, Mapping) or not all(isinstance(words, str) for words in (*roles, *roles.values())):
        raise TypeError("its roles should be a mapping from names to what each is asked to do")


def told(error: BaseException) -> str:
    """An error of a plug-in in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


__all__ = ["ANY_ROLE", "FAULTS", "GROUP", "NAME", "Found", "Installed", "WorldPlugin", "found", "resolved", "told"]
