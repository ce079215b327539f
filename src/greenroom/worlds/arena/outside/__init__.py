"""What the arena has beside its rules: its content, and voices where no model is configured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from greenroom.adapters.content import load, named_files, packaged
from greenroom.adapters.models.understudy import Part
from greenroom.kernel.worlds import World
from greenroom.ports import Follower
from greenroom.worlds.arena.outside import understudy
from greenroom.worlds.arena.outside.chroma import ChromaIndex
from greenroom.worlds.arena.rules import EPISODE, NAME, arena, episode
from greenroom.worlds.arena.rules.content import Casting, Content, Lines, Scenario
from greenroom.worlds.arena.rules.yardstick import yardstick as a_yardstick
from greenroom.worlds.arena.settings import ArenaSettings

_PACKAGE = "greenroom.worlds.arena"


@cache  # what is packaged does not change
def shipped() -> Content:
    folder = files(_PACKAGE).joinpath("content", "scenarios")
    return Content(
        scenarios={name: load(file, Scenario) for name, file in named_files(folder).items()},
        cast=load(packaged(_PACKAGE, "content/cast.yaml"), Casting),
        lines=load(packaged(_PACKAGE, "content/lines.yaml"), Lines),
    )


def content(settings: ArenaSettings) -> Content:
    """The shipped content with the scenarios of a user's own.

    Raises:
        Unknown: there is no such folder.
        Malformed: a file does not fit; each line of the message is ``file:line: sentence``.
    """
    found = shipped()
    if settings.scenarios is None:
        return found
    own = {name: load(file, Scenario) for name, file in named_files(settings.scenarios).items()}
    return Content(scenarios={**found.scenarios, **own}, cast=found.cast, lines=found.lines)


def worlds(settings: ArenaSettings) -> Sequence[World[Any, Any, Any]]:
    told = content(settings)
    return (arena(told), episode(told), a_yardstick(told))


def voices(settings: ArenaSettings) -> Mapping[str, Part]:
    told = content(settings)
    return {
        EPISODE: lambda ask, _: understudy.in_an_episode(told, ask),
        NAME: lambda ask, _: understudy.about_a_run(told, ask),
    }


def followers(settings: ArenaSettings) -> Sequence[Follower]:
    """An index of lessons, where a folder is set for one."""
    return () if settings.chroma is None else (ChromaIndex(settings.chroma),)
