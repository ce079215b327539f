"""Milestones: reached once, never lost."""

from __future__ import annotations

from typing import Any

from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.scene import Scene


def reach(scene: Scene, milestone: str, *, agent: str | None = None, **context: Any) -> bool:
    """Reach a milestone; False if it was reached before."""
    if milestone in scene.state.milestones:
        return False
    scene.tell(e.MilestoneReached(milestone=milestone, agent=agent, context=context))
    return True
