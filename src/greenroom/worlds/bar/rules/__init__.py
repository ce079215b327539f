"""The bar, Le Pale Blue Dot: a cast that remembers its guests, with care and within budget."""

from functools import partial

from greenroom.kernel.worlds import World
from greenroom.worlds.bar.rules import tables, views, visiting
from greenroom.worlds.bar.rules.commands import COMMANDS, Command, Guest
from greenroom.worlds.bar.rules.content import BarHouse, Content, Resources
from greenroom.worlds.bar.rules.door import bar_door
from greenroom.worlds.bar.rules.events import EVENTS, Event
from greenroom.worlds.bar.rules.folding import evolve
from greenroom.worlds.bar.rules.referrals import bar_referrals
from greenroom.worlds.bar.rules.rules import NAME, handle, legal
from greenroom.worlds.bar.rules.state import Bar, upcast
from greenroom.worlds.bar.rules.visiting import wake_at


def bar(content: Content) -> World[Bar, Command, Event]:
    """The world as this content tells it: one stream for each guest, sessions inside it."""
    return World(
        name=NAME,
        shape=3,
        upcast_state=upcast,
        state=Bar,
        config=Guest,
        commands=COMMANDS,
        events=EVENTS,
        blank=Bar(),
        open=visiting.arrive,
        handle=partial(handle, content),
        evolve=evolve,
        legal=legal,
        wake_at=partial(wake_at, content),
        seats=views.seats,
        view=partial(views.view, content),
        shows=views.shows,
        reply=views.reply,
        tables=tables.TABLES,
        rows=tables.rows,
        content=content,
    )


__all__ = [
    "NAME",
    "BarHouse",
    "Content",
    "Resources",
    "bar",
    "bar_door",
    "bar_referrals",
    "evolve",
    "handle",
    "legal",
    "wake_at",
]
