"""Episodes and runs laid by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import reduce
from typing import Any

import pytest

from greenroom.kernel.asks import Ask, AskModel, Read
from greenroom.kernel.script import Script
from greenroom.kernel.worlds import CommandContext, Done, Turn, Wake
from greenroom.worlds.arena.outside import shipped
from greenroom.worlds.arena.rules import ticking
from greenroom.worlds.arena.rules.bouts import FROZEN
from greenroom.worlds.arena.rules.episode import Episode, EpisodeConfig, EpisodeEvent, Guest, Mind, Player
from greenroom.worlds.arena.rules.folding_episode import fold
from greenroom.worlds.arena.rules.strategy import Strategy, written

NOON = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)
CONTENT = shipped()

Answer = Callable[[AskModel], Any]


def player(strategy: Strategy | str, mind: Mind = "parametric", profile: str = "") -> Player:
    """Somebody of the cast by name, or a strategy."""
    found = CONTENT.cast.strategy(strategy) if isinstance(strategy, str) else strategy
    return Player(profile=profile or str(strategy)[:20], layer_2=written(found, FROZEN), mind=mind)


def config(
    a: Strategy | str = "glazier",
    b: Strategy | str = "midwife",
    *,
    seed: int = 1,
    scenario: str = "harbour",
    minds: tuple[Mind, Mind] = ("parametric", "parametric"),
    judge: Mind = "parametric",
    guests: tuple[Guest, ...] = (),
) -> EpisodeConfig:
    return EpisodeConfig(
        scenario=scenario,
        seed=seed,
        a=player(a, minds[0], "pa"),
        b=player(b, minds[1], "pb"),
        judge=judge,
        guests=guests,
    )


def given(command: Any, version: int = 1) -> CommandContext[Any]:
    return CommandContext(stream="e", n=version, version=version, at=NOON, seat="house", owner="arena", command=command)


def played(configured: EpisodeConfig, answer: Answer) -> tuple[Episode, list[EpisodeEvent]]:
    """An episode with models to its end; ``answer`` speaks for all of them."""
    state, events = Episode(), list[EpisodeEvent]()
    turn: Turn[EpisodeEvent] = ticking.opened(CONTENT, given(configured))
    while True:
        done = _driven(turn, answer)
        for event in (event for step in done.steps for event in step):
            state = fold(state, event)
            events.append(event)
        if state.is_terminal:
            return state, events
        turn = ticking.go_on(CONTENT, state, given(Wake(), version=len(events) + 1))


def _driven(turn: Turn[EpisodeEvent], answer: Answer) -> Done[EpisodeEvent]:
    script = Script(turn)
    while (done := script.run()) is None:
        for number, ask in list(script.pending.items()):
            script.answer(number, {} if isinstance(ask, Read) else answer(_model(ask)))
    return done


def _model(ask: Ask) -> AskModel:
    assert isinstance(ask, AskModel)
    return ask


def events_of(configured: EpisodeConfig) -> tuple[EpisodeEvent, ...]:
    """Everything that happens in an episode without models, by the rules alone."""
    done = _driven(ticking.opened(CONTENT, given(configured)), lambda ask: pytest.fail(f"{ask.role} was asked"))
    return tuple(event for step in done.steps for event in step)


def end_of(configured: EpisodeConfig) -> Episode:
    """The state in which an episode without models ends."""
    return reduce(fold, events_of(configured), Episode())


def proposal(**changes: Any) -> dict[str, Any]:
    """What a model may answer, and any part of it otherwise."""
    return {
        "internal_monologue": "Think.",
        "public_dialogue": "Speak.",
        "state_mutations": [],
        "propose_resolution": False,
        "abort_episode": False,
        **changes,
    }


def change(path: str, value: Any, action: str = "modify") -> dict[str, Any]:
    return {"action": action, "path": path, "value": value}
