"""Who enters the story, and when."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from greenroom.kernel.asks import Roll
from greenroom.worlds.phantom.rules import channels, conditions, schedule
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.content import Content
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import CAST, Phantom
from greenroom.worlds.phantom.rules.triggers import holds, met


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


def evaluate(scene: Scene) -> Generator[Roll, Any, bool]:
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
    channel = channels.channel_of(name, agent)
    scene.tell(e.CharacterEntered(agent=name, channel=channel, items=agent.knowledge.holds))
