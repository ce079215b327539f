"""A New World: a host, a guest and a riddle."""

from __future__ import annotations

from functools import partial
from typing import Any

from greenroom.adapters.content import load, packaged
from greenroom.kernel.worlds import World

from . import lines, rules, tables, views
from .commands import COMMANDS, Command, Evening
from .content import Content
from .events import EVENTS, Event
from .state import State

NAME = "a_new_world"


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
    )


def shipped() -> Content:
    """The content in this package."""
    return load(packaged(__name__, "content/a_new_world.yaml"), Content)


def part(content: Content) -> Any:
    """What the understudy says in this world; give it to ``greenroom.open(parts=...)``."""
    return lambda ask, _asked: lines.answer(content, ask)


__all__ = ["NAME", "Content", "part", "shipped", "world"]
