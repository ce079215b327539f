"""The bar, Le Pale Blue Dot: a cast that remembers its guests, with care and within budget."""

from functools import partial

from greenroom.kernel.worlds import World
from greenroom.plugins import WorldPlugin
from greenroom.worlds.bar import folding, rules, tables, views, visiting
from greenroom.worlds.bar.commands import COMMANDS, Command, Guest
from greenroom.worlds.bar.content import Content, House, Resources
from greenroom.worlds.bar.door import bar_door
from greenroom.worlds.bar.events import EVENTS, Event
from greenroom.worlds.bar.rules import NAME
from greenroom.worlds.bar.state import Bar


def bar(content: Content) -> World[Bar, Command, Event]:
    """The world as this content tells it: one stream for each guest, sessions inside it."""
    return World(
        name=NAME,
        shape=1,
        state=Bar,
        config=Guest,
        commands=COMMANDS,
        events=EVENTS,
        blank=Bar(),
        open=visiting.arrive,
        handle=partial(rules.handle, content),
        evolve=folding.evolve,
        legal=rules.legal,
        wake_at=partial(visiting.wake_at, content),
        seats=views.seats,
        view=views.view,
        shows=views.shows,
        reply=views.reply,
        tables=tables.TABLES,
        rows=tables.rows,
        content=content,
    )


PLUGIN = WorldPlugin(
    name="bar",
    worlds="greenroom.worlds.bar.outside:worlds",
    settings="greenroom.worlds.bar.settings:BarSettings",
    understudy="greenroom.worlds.bar.outside:voices",
    tools="greenroom.worlds.bar.outside:tools",
    http="greenroom.entrypoints.http.bar:routes",
    console="greenroom.entrypoints.console.bar:PAGE",
    cli="greenroom.entrypoints.cli.bar:commands",
    rank=30,
)


__all__ = ["NAME", "PLUGIN", "Content", "House", "Resources", "bar", "bar_door"]
