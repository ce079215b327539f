"""Agents enter, cool, fall silent and go, never the other way; and somebody takes over their channel."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from greenroom.kernel.asks import Roll
from greenroom.worlds.phantom.rules import conditions, schedule, standing
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.conditions import Level
from greenroom.worlds.phantom.rules.content import Agent, Content, Transition
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import CAST, Phantom
from greenroom.worlds.phantom.rules.triggers import holds, met

_NEXT: Mapping[Level, Level] = {"engaged": "cooling", "cooling": "silent", "silent": "gone"}


def following(agent: Agent, level: Level) -> tuple[Level, Transition] | None:
    """The state after this one, and how it is come to."""
    now = _NEXT.get(level)
    return None if now is None else (now, getattr(agent.lifecycle.transitions, f"{level}_to_{now}"))


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
    # What it owes is looked at when it is due, and said to the trace.
    schedule.drop(scene, "the agent is gone", lambda one: one.agent == agent and one.owed is None, again=True)
    name, delta = scene.agent(agent).name, scene.agent(agent).lifecycle.exposure_when_gone
    standing.expose(scene, delta, f"{name} has disappeared.")


# who enters


def ready(content: Content, state: Phantom) -> tuple[str, ...]:
    """Agents whose spawn conditions are met, by the names of those conditions."""
    return tuple(
        name
        for name, agent in content.agents.items()
        if agent.spawn is not None and met(agent.spawn.conditions, state.conditions)
    )


def notice(scene: Scene) -> None:
    """Write down which spawn conditions are met now; once met, they stay so."""
    found = {
        atom.name: None
        for agent in scene.content.agents.values()
        if agent.spawn is not None
        for atom in conditions.atoms(agent.spawn.conditions)
        if holds(atom, scene.content, scene.state, scene.at)
    }
    new = tuple(name for name in found if name not in scene.state.conditions)
    if new:
        scene.tell(e.ConditionsMet(names=new))


def enter_ready(scene: Scene) -> Generator[Roll, Any, bool]:
    """Let those enter who are ready; whether anybody did."""
    notice(scene)
    entering = [name for name in ready(scene.content, scene.state) if name not in scene.state.cast]
    for name in entering[: CAST - len(scene.state.cast)]:
        enter(scene, name)
        scene.reach(f"{name}_spawned", agent=name)
        yield from schedule.contact(scene, name, scene.at)
    return bool(entering)


def enter(scene: Scene, name: str) -> None:
    agent = scene.agent(name)
    channel = agent.channel if agent.spawn is None else f"{agent.channel}:{name}"  # an address of its own
    scene.tell(e.CharacterEntered(agent=name, channel=channel, items=agent.knowledge.holds))


# who takes over


def inherit(scene: Scene) -> bool:
    """Hand on the channels of agents that are gone to those who succeed them; whether any was."""
    inherited = False
    for name, channel in tuple(scene.state.channels.items()):
        heir = _heir(scene, channel.owner)
        if scene.character(channel.owner).level == "gone" and heir is not None:
            kind = scene.agent(heir).inheritance
            scene.tell(e.ChannelInherited(channel=name, agent=heir, was=channel.owner, inheritance=kind))
            inherited = True
    return inherited


def _heir(scene: Scene, owner: str) -> str | None:
    there = (name for name, character in scene.state.cast.items() if character.level != "gone")
    return next((name for name in there if scene.agent(name).succeeds == owner), None)
