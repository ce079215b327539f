"""The worlds that come with Greenroom, with their content."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from greenroom.adapters.content import load, named_files, packaged
from greenroom.kernel.tables import Table
from greenroom.kernel.worlds import World
from greenroom.settings import Settings, read_settings
from greenroom.worlds import bar as bar_world
from greenroom.worlds.bar.understudy import Understudies, Voices
from greenroom.worlds.lighthouse import Content, lighthouse
from greenroom.worlds.phantom import content as phantom_content
from greenroom.worlds.phantom import phantom
from greenroom.worlds.secret_agi import secret_agi

AnyWorld = World[Any, Any, Any]


def shipped_worlds(settings: Settings | None = None) -> tuple[AnyWorld, ...]:
    """The worlds that come with Greenroom."""
    days = None if settings is None else settings.agi_keep_days
    kept = None if days is None else timedelta(days=days)
    house = read_bar(settings)
    pubs = (bar_world.bar(house), bar_world.bar_door(house))
    return (lighthouse(lighthouse_content()), phantom(read_phantom()), secret_agi(kept), *pubs)


@cache  # what is packaged does not change; reading it takes longer than opening a house
def lighthouse_content() -> Content:
    return load(packaged("greenroom.worlds.lighthouse", "content/lighthouse.yaml"), Content)


def read_phantom(folder: Path | Traversable | None = None) -> phantom_content.Content:
    """The content of Phantom Protocol: of a folder, of the folder in the settings, or the shipped one.

    Raises:
        Unknown: a file is missing.
        Malformed: something in it is wrong; each line of the message is ``file:line: sentence``.
    """
    place = folder or read_settings().phantom_content
    return _shipped_phantom() if place is None else _phantom(place)


@cache
def _shipped_phantom() -> phantom_content.Content:
    return _phantom(files("greenroom.worlds.phantom").joinpath("content"))


def _phantom(place: Path | Traversable) -> phantom_content.Content:
    agents = named_files(place.joinpath("agents"))
    story = load(place.joinpath("story.yaml"), phantom_content.Story)
    known = {
        "agents": tuple(agents),
        "items": tuple(story.items),
        "milestones": phantom_content.milestones(tuple(agents), story),
    }
    return phantom_content.whole(
        story=story,
        documents=load(place.joinpath("documents.yaml"), phantom_content.Documents, context=known),
        triggers=load(place.joinpath("triggers.yaml"), phantom_content.Triggers, context=known).triggers,
        agents={name: load(file, phantom_content.Agent, context=known) for name, file in agents.items()},
        where=str(place),
    )


def read_bar(settings: Settings | None = None) -> bar_world.Content:
    """The bar's content, in the town, zone and country of the settings."""
    house, resources = _shipped_bar()
    if settings is not None:
        given = {"town": settings.bar_town, "zone": settings.bar_zone, "country": settings.bar_country}
        named = {name: value for name, value in given.items() if value is not None}
        house = house.placed(**named) if named else house
    return bar_world.Content(house=house, resources=resources)


@cache
def _shipped_bar() -> tuple[bar_world.House, bar_world.Resources]:
    return load(bar_file("house.yaml"), bar_world.House), load(bar_file("resources.yaml"), bar_world.Resources)


@cache
def bar_understudies() -> Understudies:
    """The bar's cast with no model behind it."""
    return Understudies(load(bar_file("voices.yaml"), Voices))


def bar_file(name: str) -> Traversable:
    """A file of the bar's content."""
    return packaged("greenroom.worlds.bar", f"content/{name}")


def tables_of(worlds: Sequence[AnyWorld]) -> tuple[Table, ...]:
    return tuple(table for world in worlds for table in world.tables)
