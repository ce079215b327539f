"""The rules of A New World: pure, so that every evening can be played again from what was written down."""

from __future__ import annotations

from functools import partial

from greenroom.kernel.worlds import World

from . import rules, tables, views
from .commands import COMMANDS, Command, Evening
from .content import Content
from .events import EVENTS, Event
from .rules import NAME, evolve, handle, legal, wake_at
from .state import State


def world(content: Content) -> World[State, Command, Event]:
    """The world as this content tells it."""
    return World(
        name=NAME,
        shape=1,
        state=State,
        config=Evening,
        commands=COMMANDS,
        events=EVENTS,
        blank=State(),
        open=partial(rules.begin, content),
        handle=partial(handle, content),
        evolve=evolve,
        legal=legal,
        wake_at=partial(wake_at, content),
        outcome=rules.outcome,
        seats=views.seats,
        view=partial(views.view, content),
        shows=partial(views.shows, content),
        reply=partial(views.reply, content),
        tables=tables.TABLES,
        rows=tables.rows,
        content=content,
    )


__all__ = ["NAME", "Content", "evolve", "handle", "legal", "wake_at", "world"]
