"""Secret AGI: a table of people, rules and models, some of whom are not what they say."""

from datetime import timedelta

from greenroom.kernel.worlds import Retention, World
from greenroom.plugins import WorldPlugin
from greenroom.worlds.secret_agi import folding, opening, tables, turns, views, waiting
from greenroom.worlds.secret_agi.commands import COMMANDS, Command, GameConfig
from greenroom.worlds.secret_agi.events import EVENTS, Event
from greenroom.worlds.secret_agi.state import Game

NAME = "secret_agi"


def secret_agi(keep: timedelta | None = None) -> World[Game, Command, Event]:
    """The world; games that ended are removed after ``keep``, or never."""
    return World(
        name=NAME,
        shape=1,
        state=Game,
        config=GameConfig,
        commands=COMMANDS,
        events=EVENTS,
        blank=Game(),
        open=opening.opened,
        handle=turns.handle,
        evolve=folding.evolve,
        legal=turns.legal,
        wake_at=waiting.wake_at,
        outcome=waiting.outcome_of,
        seats=views.seats,
        view=views.view,
        shows=views.shows,
        reply=views.reply,
        tables=tables.TABLES,
        rows=tables.rows,
        retention=Retention(ended=keep),
    )


PLUGIN = WorldPlugin(
    name="secret_agi",
    worlds="greenroom.worlds.secret_agi.outside:worlds",
    settings="greenroom.worlds.secret_agi.settings:SecretAgiSettings",
    http="greenroom.entrypoints.http.agi:routes",
    console="greenroom.entrypoints.console.agi:PAGE",
    cli="greenroom.entrypoints.cli.agi:commands",
    rank=20,
)


__all__ = ["NAME", "PLUGIN", "GameConfig", "secret_agi"]
