"""What is written for people and reports: one row per evening."""

from __future__ import annotations

from collections.abc import Iterable

from greenroom.kernel.tables import Change, Column, Put, Table
from greenroom.kernel.worlds import EventContext

from .events import Event
from .state import State

EVENINGS = Table(
    name="a_new_world_evenings",
    key=(),  # the stream alone names the row
    columns=(
        Column(name="started_at", kind="moment"),
        Column(name="ended_at", kind="moment", optional=True),
        Column(name="riddle"),
        Column(name="guesses", kind="integer"),
        Column(name="solved", kind="boolean"),
    ),
)
TABLES = (EVENINGS,)


def rows(state: State, told: EventContext[Event]) -> Iterable[Change]:
    """A whole row each time, so that a branch's first turn brings a row of its own."""
    yield Put(EVENINGS.name, {column.name: getattr(state, column.name) for column in EVENINGS.columns})
