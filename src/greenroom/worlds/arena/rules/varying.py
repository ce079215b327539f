"""The three variants of a generation, and the sum over what came of them."""

from __future__ import annotations

from collections.abc import Generator
from hashlib import sha256
from typing import Any

from greenroom.kernel.asks import AskModel
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import canonical
from greenroom.kernel.worlds import CommandContext
from greenroom.worlds.arena.rules import mutating, prompts_run
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.archive import partner
from greenroom.worlds.arena.rules.content import Content, Stance
from greenroom.worlds.arena.rules.strategy import NEVER, read, written

Asking = Generator[AskModel, Any, r.VariantsMade]


def variants(content: Content, state: r.Run, given: CommandContext[Any], constraints: tuple[str, ...]) -> Asking:
    """One variant a stance. A model's answer that is refused is counted, and made up for by turning numbers."""
    config = state.config
    assert config is not None
    champion = state.profiles[state.generations[-1].champion]
    made: list[r.Profile] = []
    refused: list[str] = []
    for i, stance in enumerate(mutating.STANCES):
        number = len(state.profiles) + i
        layer: tuple[str, dict[str, float]] | None = None
        if config.mutator == "model":
            answer = yield prompts_run.mutator(content, state, champion, stance, constraints)
            proposed = mutating.proposed(answer)
            if isinstance(proposed, str):
                refused.append(proposed)
            else:
                layer = _bound(proposed, constraints)
        made.append(_profile(content, state, stance, number, constraints=constraints, layer=layer))
    return r.VariantsMade(profiles=tuple(made), constraints=constraints, refused=tuple(refused))


def _bound(proposed: tuple[str, dict[str, float]], constraints: tuple[str, ...]) -> tuple[str, dict[str, float]]:
    """Constraints are written into a layer 2, whoever wrote the rest."""
    layer_2, numbers = proposed
    missing = [f"{NEVER}{tactic}." for tactic in constraints if f"{NEVER}{tactic}." not in layer_2]
    return "\n".join((layer_2, *missing)), numbers


def _profile(
    content: Content,
    state: r.Run,
    stance: Stance,
    number: int,
    *,
    constraints: tuple[str, ...],
    layer: tuple[str, dict[str, float]] | None,
) -> r.Profile:
    champion = state.profiles[state.generations[-1].champion]
    parents: tuple[int, ...] = (champion.number,)
    maker: r.Maker = "parametric"
    if layer is None:
        ours = read(champion.layer_2)
        assert state.config is not None
        chance = Chance("mutate", state.config.seed, state.number, stance)
        other = _other_parent(state, champion, stance, chance)
        if other is None:
            strategy = mutating.turned(ours, stance, constraints, chance)
        else:
            parents, maker = (champion.number, other), "recombined"
            strategy = mutating.mixed(ours, read(state.profiles[other].layer_2), constraints, chance)
        layer_2, numbers = written(strategy, content.lines.stances[stance], constraints), champion.hyperparameters
    else:
        maker = "model"
        layer_2, numbers = layer
    return r.Profile(
        number=number,
        generation=state.number,
        archetype="primary_actor",
        layer_2=layer_2,
        parents=parents,
        stance=stance,
        made_by=maker,
        hyperparameters=numbers,
        baseline=state.generations[-1].training,
    )


def _other_parent(state: r.Run, champion: r.Profile, stance: Stance, chance: Chance) -> int | None:
    """Whom to mix with: the neighbour's champion now and then, else sometimes somebody of the archive."""
    config = state.config
    assert config is not None
    island = state.generations[-1].island
    if (
        config.islands > 1
        and stance == "collaborative"
        and (state.number - 1) // config.islands % config.exchange == config.exchange - 1
    ):
        neighbour = state.champions[(island + 1) % config.islands]
        return neighbour if neighbour != champion.number else None
    if chance.below(4):
        return None
    return partner(state.archive, champion.number, chance)


def lineage(state: r.Run) -> str:
    """The sum after a generation: number, parents, layers, hyper-parameters, scores, verdicts; no time and no name."""
    last = state.generations[-1]
    made = [one for one in state.profiles if one.generation == last.number]
    scores = [
        (one.purpose, one.a, one.b, one.side, one.scores, one.turns, one.reason)
        for one in state.ledger
        if one.generation == last.number
    ]
    told = canonical((last.number, last.island, last.parent, last.champion, last, made, scores, state.constraints))
    return sha256(state.lineage.encode() + told).hexdigest()
