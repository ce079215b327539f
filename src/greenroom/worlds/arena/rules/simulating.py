"""An episode without a house: the same events, folded one after the other."""

from __future__ import annotations

from datetime import UTC, datetime

from greenroom.kernel.asks import Json
from greenroom.kernel.worlds import CommandContext
from greenroom.worlds.arena.rules.content import Content, Side
from greenroom.worlds.arena.rules.episode import Ended, Episode, EpisodeConfig, EpisodeEvent, snapshot
from greenroom.worlds.arena.rules.folding_episode import fold
from greenroom.worlds.arena.rules.ticking import opened

_ANY_TIME = datetime(2031, 1, 1, tzinfo=UTC)


def events_of(content: Content, config: EpisodeConfig) -> tuple[EpisodeEvent, ...]:
    """Everything that happens in an episode without models.

    Raises:
        ValueError: somebody in it would have to be asked.
    """
    given = CommandContext(stream="alone", n=1, version=1, at=_ANY_TIME, seat="house", owner="arena", command=config)
    turn = opened(content, given)
    try:
        next(turn)
    except StopIteration as stop:
        return tuple(event for step in stop.value.steps for event in step)
    raise ValueError("an episode with models cannot be played alone")


def end_of(content: Content, config: EpisodeConfig) -> Episode:
    """The state in which an episode without models ends."""
    state = Episode()
    for event in events_of(content, config):
        state = fold(state, event)
    return state


def scores_of(content: Content, config: EpisodeConfig) -> dict[Side, int]:
    """What each side gets, without folding it all again."""
    last = events_of(content, config)[-1]
    assert isinstance(last, Ended)
    return dict(last.scores)


def outcome(state: Episode) -> Json | None:
    """What the run that played an episode is told."""
    end = state.end
    if end is None or state.config is None:
        return None
    return {
        "episode": state.episode,
        "scores": dict(end.scores),
        "turns": state.turn_number,
        "reason": end.reason,
        "refusals": dict(state.refusals),
        "tokens": state.tokens,
        "state": snapshot(state),
    }
