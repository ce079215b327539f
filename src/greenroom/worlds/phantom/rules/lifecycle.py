"""Agents cool, fall silent and go; never the other way."""

from __future__ import annotations

from typing import TypeAlias

from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import exposure
from greenroom.worlds.phantom.rules.conditions import Level
from greenroom.worlds.phantom.rules.content import Agent, Transition
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.triggers import holds

Move: TypeAlias = tuple[Level, Transition]


def following(agent: Agent, level: Level) -> Move | None:
    """The state after this one, and how it is come to."""
    ways = agent.lifecycle.transitions
    moves: dict[Level, Move] = {
        "engaged": ("cooling", ways.engaged_to_cooling),
        "cooling": ("silent", ways.cooling_to_silent),
        "silent": ("gone", ways.silent_to_gone),
    }
    return moves.get(level)


def evaluate(scene: Scene) -> bool:
    """Move every agent as far as its triggers lead; whether anybody moved."""
    moved = False
    for agent in tuple(scene.state.cast):
        while _move(scene, agent):
            moved = True
    return moved


def _move(scene: Scene, agent: str) -> bool:
    character = scene.character(agent)
    move = following(scene.agent(agent), character.level)
    if move is None:
        return False
    now, way = move
    causes = [one for one in way.triggers if holds(one, scene.content, scene.state, scene.at, agent)]
    if not causes:
        return False
    gone = now == "gone"
    scene.tell(
        e.LifecycleMoved(
            agent=agent,
            was=character.level,
            now=now,
            reason=causes[0].name,
            trust=character.trust,
            probability=0.0 if gone else way.effects.response_probability,
            multiplier=way.effects.response_delay_multiplier,
            tone=way.effects.tone_modifier,
        )
    )
    if gone:
        _leave(scene, agent)
    return True


def _leave(scene: Scene, agent: str) -> None:
    for plan in scene.state.plans:
        if plan.agent == agent and plan.owed is None:  # what it owes is looked at when it is due, and said to the trace
            scene.tell(e.PlanDropped(n=plan.n, reason="the agent is gone", again=True))
    name, delta = scene.agent(agent).name, scene.agent(agent).lifecycle.exposure_when_gone
    exposure.move(scene, delta, f"{name} has disappeared.")
