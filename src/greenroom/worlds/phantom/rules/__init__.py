"""An alternate-reality game over e-mail and SMS: a key sent to the wrong address, and those who want it back."""

from functools import partial

from greenroom.kernel.worlds import World
from greenroom.worlds.phantom.rules import rows, rules, tables, views
from greenroom.worlds.phantom.rules.clock import wake_at
from greenroom.worlds.phantom.rules.commands import COMMANDS, Command, Register
from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.events import EVENTS, Event, evolve
from greenroom.worlds.phantom.rules.rules import handle, legal
from greenroom.worlds.phantom.rules.scene import NAME
from greenroom.worlds.phantom.rules.state import Phantom, upcast


def phantom(content: Content) -> World[Phantom, Command, Event]:
    """The world as this content tells it."""
    return World(
        name=NAME,
        shape=5,
        upcast_state=upcast,
        state=Phantom,
        config=Register,
        commands=COMMANDS,
        events=EVENTS,
        blank=Phantom(),
        open=partial(rules.open_story, content),
        handle=partial(handle, content),
        evolve=evolve,
        legal=partial(legal, content),
        seats=rules.seats,
        view=partial(views.view, content),
        shows=partial(views.shows, content),
        reply=partial(views.reply, content),
        wake_at=partial(wake_at, content),
        tables=tables.TABLES,
        rows=rows.rows,
        letters=rows.letters,
        hears_letters=True,
        content=content,
    )


__all__ = ["NAME", "Content", "evolve", "handle", "legal", "phantom", "wake_at"]
