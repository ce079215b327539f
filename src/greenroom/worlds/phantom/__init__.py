"""An alternate-reality game over e-mail and SMS: a key sent to the wrong address, and those who want it back."""

from functools import partial

from greenroom.kernel.worlds import World
from greenroom.plugins import WorldPlugin
from greenroom.worlds.phantom import clock, folding, rows, rules, tables, views
from greenroom.worlds.phantom.commands import COMMANDS, Command, Register
from greenroom.worlds.phantom.content import Content
from greenroom.worlds.phantom.events import EVENTS, Event
from greenroom.worlds.phantom.scene import NAME
from greenroom.worlds.phantom.state import Phantom


def phantom(content: Content) -> World[Phantom, Command, Event]:
    """The world as this content tells it."""
    return World(
        name=NAME,
        shape=2,
        state=Phantom,
        config=Register,
        commands=COMMANDS,
        events=EVENTS,
        blank=Phantom(),
        open=partial(rules.open_story, content),
        handle=partial(rules.handle, content),
        evolve=folding.evolve,
        legal=partial(rules.legal, content),
        seats=rules.seats,
        view=partial(views.view, content),
        shows=partial(views.shows, content),
        reply=partial(views.reply, content),
        wake_at=partial(clock.wake_at, content),
        tables=tables.TABLES,
        rows=rows.rows,
        letters=rows.letters,
        hears_letters=True,
        content=content,
    )


PLUGIN = WorldPlugin(
    name="phantom",
    worlds="greenroom.worlds.phantom.outside:worlds",
    settings="greenroom.worlds.phantom.settings:PhantomSettings",
    understudy="greenroom.worlds.phantom.outside:voices",
    http="greenroom.entrypoints.http.phantom:routes",
    console="greenroom.entrypoints.console.phantom:PAGE",
    cli="greenroom.entrypoints.cli.phantom:commands",
    rank=40,
)


__all__ = ["PLUGIN", "Content", "phantom"]
