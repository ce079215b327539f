"""Secret AGI: a table of people, rules and models, some of whom are not what they say."""

from datetime import timedelta
from functools import partial

from greenroom.kernel.worlds import Retention, World
from greenroom.worlds.secret_agi.rules import opening, tables, views, waiting
from greenroom.worlds.secret_agi.rules.commands import COMMANDS, Command, GameConfig
from greenroom.worlds.secret_agi.rules.content import Content
from greenroom.worlds.secret_agi.rules.events import EVENTS, Event
from greenroom.worlds.secret_agi.rules.folding import evolve
from greenroom.worlds.secret_agi.rules.state import Game
from greenroom.worlds.secret_agi.rules.turns import handle, legal
from greenroom.worlds.secret_agi.rules.waiting import wake_at

NAME = "secret_agi"


def secret_agi(content: Content, keep: timedelta | None = None) -> World[Game, Command, Event]:
    """The world as its content speaks; games that ended are removed after ``keep``, or never."""
    return World(
        name=NAME,
        shape=2,
        state=Game,
        config=GameConfig,
        commands=COMMANDS,
        events=EVENTS,
        blank=Game(),
        open=opening.opened,
        handle=partial(handle, content),
        evolve=evolve,
        legal=legal,
        wake_at=wake_at,
        outcome=waiting.outcome_of,
        seats=views.seats,
        view=views.view,
        shows=views.shows,
        reply=views.reply,
        tables=tables.TABLES,
        rows=tables.rows,
        content=content,
        retention=Retention(ended=keep),
    )


__all__ = ["NAME", "Content", "GameConfig", "evolve", "handle", "legal", "secret_agi", "wake_at"]
