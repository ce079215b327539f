"""Whose turn it is, and when the game wants to be woken."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from greenroom.kernel.asks import Json
from greenroom.worlds.secret_agi.rules.rules import waited_for
from greenroom.worlds.secret_agi.rules.state import EPOCH, Game, living, window


def undecided(game: Game) -> tuple[int, ...]:
    """Who may call an emergency and has not said whether they do; the Director says so by nominating."""
    if game.status != "active" or not window(game):
        return ()
    return tuple(i for i in living(game) if i != game.director and i not in game.silent)


def is_person(game: Game, i: int) -> bool:
    return game.players[i].agent == "HumanPlayer"


def due(game: Game, at: datetime) -> tuple[int, ...]:
    """The places that have to act in a wake at this moment: agents at once, people when their time is over."""
    if wanted := undecided(game):
        late = _late(game, at)
        if found := tuple(i for i in wanted if late or not is_person(game, i)):
            return found
        if not is_person(game, game.director):
            return ()  # an agent who is Director leaves people their time to call
    wanted = waited_for(game)
    return tuple([i for i in wanted if not is_person(game, i)]) or (wanted if _late(game, at) else ())


def _late(game: Game, at: datetime) -> bool:
    return bool(game.seconds) and at >= game.since + timedelta(seconds=game.seconds)


def wake_at(game: Game) -> datetime | None:
    """At once while an agent has to act; else when a person's time to decide is over."""
    if game.status != "active":
        return None
    if due(game, EPOCH):
        return EPOCH
    return game.since + timedelta(seconds=game.seconds) if game.seconds else None


def outcome_of(game: Game) -> Json | None:
    return None if game.outcome is None else msgspec.structs.asdict(game.outcome)
