"""The plug-ins of a house, put together: their worlds, their voices, their tools."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from greenroom import plugins
from greenroom.adapters.models.understudy import Part
from greenroom.adapters.tools import Tool
from greenroom.kernel.codec import codecs
from greenroom.kernel.errors import GreenroomError
from greenroom.kernel.tables import Table
from greenroom.kernel.worlds import World
from greenroom.plugins import FAULTS, NAME, Found, Installed, WorldPlugin, resolved, told
from greenroom.ports import Follower
from greenroom.settings import read_part

log = logging.getLogger("greenroom")

AnyWorld = World[Any, Any, Any]
#: The tables of the house itself; a world's table is dropped and made anew when its declaration changes.
HOUSE_TABLES = frozenset(
    {
        "adk_app_states", "adk_artifacts", "adk_events", "adk_memories", "adk_sessions", "adk_user_states",
        "alembic_version", "answers", "attempts", "cursors", "followed", "forgotten", "house", "ledger", "letters",
        "memories", "projections", "schema_versions", "snapshots", "steps", "streams", "tickets", "tombstones",
        "vectors",
    }
)  # fmt: skip
_TABLE = re.compile(r"[a-z][a-z0-9_]*")


class NameTaken(Exception):
    """Two plug-ins want the same name."""


@dataclass(slots=True)
class Company:
    """What plug-ins bring into a house, one after another; each name belongs to whoever came first."""

    installed: Installed = field(default_factory=Installed)
    worlds: list[AnyWorld] = field(default_factory=list)
    parts: dict[str, Part] = field(default_factory=dict)
    tools: dict[str, Tool] = field(default_factory=dict)
    followers: list[Follower] = field(default_factory=list)

    def take(self, one: Found) -> None:
        """Take a plug-in in, whole or not at all.

        Raises:
            GreenroomError: its settings or its content are wrong; whoever runs the house can mend that.
        """
        try:
            if one.plugin is None:
                raise ImportError(one.error or "it cannot be imported")
            self._take(one, one.plugin)
        except GreenroomError:
            raise
        except FAULTS as error:
            reason = one.error or told(error)
            left_out = (*self.installed.left_out, replace(one, plugin=None, error=reason))
            self.installed = replace(self.installed, left_out=left_out)

    def _take(self, one: Found, plugin: WorldPlugin) -> None:
        model = resolved(plugin.settings)
        settings = None if model is None else read_part(model, plugin.name)
        worlds: tuple[AnyWorld, ...] = tuple(resolved(plugin.worlds)(settings))
        parts: Mapping[str, Part] = resolved(plugin.understudy)(settings) if plugin.understudy else {}
        tools: Mapping[str, Tool] = resolved(plugin.tools)(settings) if plugin.tools else {}
        followers: tuple[Follower, ...] = tuple(resolved(plugin.followers)(settings)) if plugin.followers else ()
        lacks: tuple[str, ...] = tuple(resolved(plugin.lacks)(settings)) if plugin.lacks else ()
        for world in worlds:
            if not NAME.fullmatch(world.name):
                raise ValueError(f"a world cannot be called {world.name!r}: small letters, digits, single underscores")
        _free("world", (world.name for world in worlds), (world.name for world in self.worlds))
        _free("table", _names(worlds), (*HOUSE_TABLES, *_names(self.worlds)))
        _free("tool", tools, self.tools)
        _free_followers(followers, self.followers)
        own = {world.name for world in worlds}
        if strange := sorted(name for name in parts if name.partition("/")[0] not in own):
            raise NameTaken(f"it speaks for {strange[0]}, which is no world or role of its own")
        if not one.shipped:
            codecs(worlds)  # before the house needs them: a world whose types cannot be written is no world
        self.worlds.extend(worlds)
        self.parts.update(parts)
        self.tools.update(tools)
        self.followers.extend(followers)
        self.installed = replace(
            self.installed,
            used=(*self.installed.used, one),
            worlds={**self.installed.worlds, plugin.name: worlds},
            settings={**self.installed.settings, plugin.name: settings},
            lacks={**self.installed.lacks, plugin.name: lacks} if lacks else self.installed.lacks,
        )


def _names(worlds: Iterable[AnyWorld]) -> Iterator[str]:
    """What tables are called in the database: each has a view beside it."""
    for table in tables_of(tuple(worlds)):
        if not _TABLE.fullmatch(table.name):
            raise ValueError(f"a table cannot be called {table.name!r}: small letters, digits and underscores")
        yield from (table.name, f"{table.name}_view")


def _free(what: str, wanted: Iterable[str], taken: Iterable[str]) -> None:
    """Raises:
    NameTaken: a name is wanted twice, or somebody has it.
    """
    counted, others = Counter(iter(wanted)), {*taken}
    if clash := sorted(name for name, times in counted.items() if times > 1 or name in others):
        raise NameTaken(f"the {what} {clash[0]} is there already")


def _free_followers(wanted: Sequence[Follower], taken: Sequence[Follower]) -> None:
    names = [follower.name for follower in wanted]
    _free("follower", names, (follower.name for follower in taken))
    if len({*names}) < len(names):
        raise NameTaken("it brings two followers of one name")


def gathered(among: Sequence[Found] | None = None) -> Company:
    """What the plug-ins of this machine bring, or those among them that are given.

    Raises:
        Malformed: a variable, or content that one names, is wrong.
    """
    company = Company()
    for one in plugins.found() if among is None else among:
        company.take(one)
    return company


def warn_of(installed: Installed) -> None:
    """Say once what is left out, and what is done without."""
    for one in installed.left_out:
        log.warning("the world plug-in %s of %s %s is left out: %s", one.name, one.package, one.version, one.error)
    for name, sentences in installed.lacks.items():
        for sentence in sentences:
            log.warning("the world plug-in %s: %s", name, sentence)


def installed_worlds() -> tuple[AnyWorld, ...]:
    """The worlds of every plug-in that is installed here."""
    return tuple(gathered().worlds)


def tables_of(worlds: Sequence[AnyWorld]) -> tuple[Table, ...]:
    return tuple(table for world in worlds for table in world.tables)
