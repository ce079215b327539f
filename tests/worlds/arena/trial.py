"""What the suite of all worlds needs to try the arena: a run with its episodes, and an episode with models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from greenroom.kernel.asks import Ask, AskModel, Failed, Json
from greenroom.kernel.chance import Chance
from greenroom.kernel.worlds import OPERATOR
from greenroom.testing.worlds import Secret, Trial
from greenroom.worlds.arena.outside import shipped, understudy
from greenroom.worlds.arena.rules import acceptance, arena, episode, prompts
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.episode import Episode, EpisodeConfig, Guest
from tests.worlds.arena.stage import config as laid

CONTENT = shipped()
#: Every way of deciding, with few episodes.
_RULES = (
    acceptance.Rule(short=2, looks=(3, 4, 5, 6), last_word=2),
    acceptance.Rule(kind="seed", episodes=4, lam=0.0, delta=0.0),
    acceptance.Rule(short=2, looks=(3, 4, 5, 6), last_word=2, delta=9.0),
)


def run() -> Trial:
    return Trial(world=arena(CONTENT), others=(episode(CONTENT),), configs=_run, answer=answer)


def _run(chance: Chance) -> r.RunConfig:
    mind: Any = chance.choose(("parametric", "model"))
    return r.RunConfig(
        scenario=chance.choose(sorted(CONTENT.scenarios)),
        generations=2 + chance.below(6),
        seed=chance.below(1000),
        islands=1 + chance.below(2),
        epoch=2,
        held_out=2,
        proof=4,
        rule=chance.choose(_RULES),
        mutator=mind,
        auto_approve=chance.below(2) == 0,
    )


def one_episode() -> Trial:
    return Trial(world=episode(CONTENT), configs=_episode, answer=answer, secrets=secrets)


def _episode(chance: Chance) -> EpisodeConfig:
    cast = sorted(CONTENT.cast.training)
    guest = Guest(
        profile="broker", archetype="broker", prompt="Help.", every=3, paths=("mediation.suggestion",), mind="model"
    )
    return laid(
        chance.choose(cast),
        chance.choose(cast),
        seed=chance.below(1000),
        scenario=chance.choose(sorted(CONTENT.scenarios)),
        minds=("model", chance.choose(("model", "parametric"))),
        judge=chance.choose(("model", "parametric")),
        guests=(guest,) if chance.below(2) else (),
    )


def answer(ask: Ask) -> Json | Failed:
    """As the understudy would; now and then what cannot be used. A monologue is its own."""
    assert isinstance(ask, AskModel)
    chance = Chance(repr(ask.sections))
    if chance.below(8) == 0:
        return chance.choose(("text", {"a": 9, "b": 9, "rationale": "much"}, {"layer_1": "mine"}))
    if ask.role.startswith("arena_mutator") or ask.role.startswith("arena_provisioner"):
        return understudy.about_a_run(CONTENT, ask)
    found = understudy.in_an_episode(CONTENT, ask)
    if ask.role == prompts.ACTOR and isinstance(found, dict):
        return {**found, "internal_monologue": thought_of(ask.seat)}
    return found


def thought_of(seat: str) -> str:
    return f"unspoken matter of {seat}, number {seat}{seat}"


def secrets(state: Episode) -> Iterable[Secret]:
    if state.config is None:
        return
    scenario = CONTENT.scenarios[state.config.scenario]
    for side, actor in scenario.actors.items():
        yield Secret(text=actor.goals, known_to=(side, "judge", OPERATOR))
        if any(note.speaker == side and note.thought.words is not None for note in state.notes):
            yield Secret(text=thought_of(side), known_to=(side, OPERATOR))
