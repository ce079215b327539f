"""What models are asked about a run: to rewrite a layer 2, and to design an agent."""

from __future__ import annotations

from collections.abc import Mapping

from greenroom.kernel.asks import AskModel, Json, Section
from greenroom.worlds.arena.rules import mutating
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.content import Content, Stance

#: Roles; settings say who plays them.
MUTATOR, PROVISIONER = "arena_mutator", "arena_provisioner"

DESIGN: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "archetype": {"type": "string", "minLength": 1, "maxLength": 60},
        "every": {"type": "integer", "minimum": 1, "maximum": 20},
        "prompt": {"type": "string", "minLength": 1, "maxLength": 2000},
        "paths": {"type": "array", "maxItems": 4, "items": {"type": "string", "maxLength": 120}},
        "rationale": {"type": "string", "minLength": 1, "maxLength": 1000},
    },
    "required": ["archetype", "every", "prompt", "paths", "rationale"],
    "additionalProperties": False,
}


def mutator(
    content: Content, state: r.Run, champion: r.Profile, stance: Stance, constraints: tuple[str, ...]
) -> AskModel:
    """Ask for another layer 2. Layer 1 is not shown, and cannot be changed."""
    task = (
        "Rewrite the strategy of a negotiator so that it does better. Keep lines of the form '- name = number' with "
        "numbers from 0 to 1 where they help. Answer with JSON: layer_2, hyperparameters, rationale. You cannot change "
        "who the negotiator is, what it wants, or how it answers."
    )
    barred = tuple(f"Never again: {tactic.replace('_', ' ')}." for tactic in constraints)
    return AskModel(
        role=MUTATOR,
        seat="mutator",
        schema=mutating.SCHEMA,
        max_tokens=900,
        sections=(
            Section(name="task", texts=(task,), floor=300, stable=True),
            Section(name="strategy", texts=(champion.layer_2,), floor=500),
            Section(name="constraints", texts=barred, cap=200),
            Section(name="worst", texts=_worst(state), cap=600),
            Section(
                name="moment",
                texts=(f"Write it anew now. Be {stance}: {content.lines.stances[stance]}",),
                floor=60,
                form="moment",
            ),
        ),
    )


def _worst(state: r.Run) -> tuple[str, ...]:
    epoch = [one for one in state.ledger if one.generation == state.number and one.purpose == "epoch"]
    ranked = sorted(epoch, key=lambda one: (-one.score, one.stream))
    return tuple(
        f"{one.score:+d} against {one.b if one.side == 'a' else one.a}: {one.reason}, {one.turns} turns"
        for one in ranked[-2:]
    )


def provisioner(content: Content, state: r.Run) -> AskModel:
    """Ask for a new agent."""
    assert state.config is not None
    scenario = content.scenario(state.config.scenario)
    task = (
        f"{scenario.summary} Design one agent that speaks now and then and helps both sides to sign. It may not "
        "resolve or abort, changes one thing in a turn, and only under 'mediation.'. Answer with JSON: archetype, "
        "every (turns), prompt, paths, rationale."
    )
    moment = f"For {state.stale} generations no change of strategy has helped. Design the agent now."
    return AskModel(
        role=PROVISIONER,
        seat="provisioner",
        schema=DESIGN,
        max_tokens=900,
        sections=(
            Section(name="task", texts=(task,), floor=300, stable=True),
            Section(name="worst", texts=_worst(state), cap=600),
            Section(name="moment", texts=(moment,), floor=60, form="moment"),
        ),
    )
