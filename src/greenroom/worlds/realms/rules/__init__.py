"""The rules of realms: a repository becomes a place that agents explore and remember."""

from functools import partial

from greenroom.kernel.worlds import World
from greenroom.worlds.realms.rules import linking, tables, views
from greenroom.worlds.realms.rules.commands import COMMANDS, Command, Link
from greenroom.worlds.realms.rules.content import Content
from greenroom.worlds.realms.rules.events import EVENTS, Event
from greenroom.worlds.realms.rules.folding import evolve
from greenroom.worlds.realms.rules.rules import NAME, handle, legal
from greenroom.worlds.realms.rules.state import Realm
from greenroom.worlds.realms.rules.times import wake_at


def realms(content: Content) -> World[Realm, Command, Event]:
    """The world as this content tells it."""
    return World(
        name=NAME,
        shape=1,
        state=Realm,
        config=Link,
        commands=COMMANDS,
        events=EVENTS,
        blank=Realm(),
        open=partial(linking.link, content),
        handle=partial(handle, content),
        evolve=evolve,
        legal=partial(legal, content),
        wake_at=wake_at,
        cap=lambda realm: realm.budget,
        seats=views.seats,
        view=partial(views.view, content),
        shows=partial(views.shows, content),
        reply=partial(views.reply, content),
        tables=tables.TABLES,
        rows=tables.rows,
        content=content,
    )


__all__ = ["NAME", "Content", "Realm", "realms"]
