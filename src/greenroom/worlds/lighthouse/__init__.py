"""The tutorial's world: a keeper on a rock, a visitor, a lamp, a mail boat and something untold."""

from functools import partial

from greenroom.kernel.worlds import World
from greenroom.worlds.lighthouse import rules, tables, views
from greenroom.worlds.lighthouse.commands import COMMANDS, Command, Visit
from greenroom.worlds.lighthouse.content import Content
from greenroom.worlds.lighthouse.events import EVENTS, Event
from greenroom.worlds.lighthouse.state import Lighthouse


def lighthouse(content: Content) -> World[Lighthouse, Command, Event]:
    """The world as this content tells it."""
    return World(
        name=rules.NAME,
        shape=1,
        state=Lighthouse,
        config=Visit,
        commands=COMMANDS,
        events=EVENTS,
        blank=Lighthouse(),
        open=partial(rules.arrive, content),
        handle=partial(rules.handle, content),
        evolve=rules.evolve,
        legal=rules.legal,
        wake_at=partial(rules.wake_at, content),
        outcome=rules.outcome,
        seats=views.seats,
        view=partial(views.view, content),
        shows=partial(views.shows, content),
        reply=partial(views.reply, content),
        tables=tables.TABLES,
        rows=tables.rows,
        letters=partial(tables.letters, content),
        content=content,
    )


__all__ = ["Content", "lighthouse"]
