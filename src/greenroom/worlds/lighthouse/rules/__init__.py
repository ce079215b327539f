"""The tutorial's world: a keeper on a rock, a visitor, a lamp, a mail boat and something untold."""

from functools import partial

from greenroom.kernel.worlds import World
from greenroom.worlds.lighthouse.rules import rules, tables, views
from greenroom.worlds.lighthouse.rules.commands import COMMANDS, Command, Visit
from greenroom.worlds.lighthouse.rules.content import Content
from greenroom.worlds.lighthouse.rules.events import EVENTS, Event
from greenroom.worlds.lighthouse.rules.rules import NAME, evolve, handle, legal, wake_at
from greenroom.worlds.lighthouse.rules.state import Lighthouse, upcast


def lighthouse(content: Content) -> World[Lighthouse, Command, Event]:
    """The world as this content tells it."""
    return World(
        name=NAME,
        shape=2,
        upcast_state=upcast,
        state=Lighthouse,
        config=Visit,
        commands=COMMANDS,
        events=EVENTS,
        blank=Lighthouse(),
        open=partial(rules.arrive, content),
        handle=partial(handle, content),
        evolve=evolve,
        legal=legal,
        wake_at=partial(wake_at, content),
        outcome=rules.outcome,
        seats=views.seats,
        view=partial(views.view, content),
        shows=partial(views.shows, content),
        reply=partial(views.reply, content),
        overhears=partial(views.overhears, content),
        tables=tables.TABLES,
        rows=tables.rows,
        letters=partial(tables.letters, content),
        content=content,
    )


__all__ = ["NAME", "Content", "evolve", "handle", "legal", "lighthouse", "wake_at"]
