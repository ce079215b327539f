"""Hermes when it matters: words and places from the content, never a model's alone."""

from __future__ import annotations

from greenroom.worlds.bar.rules.content import Resource
from greenroom.worlds.bar.rules.scene import Scene


def counsel(scene: Scene) -> str:
    """A short opening, real places to turn to, and the choice handed back."""
    said, house = scene.content.house.counsel, scene.content.house
    places = "\n".join(_place(one) for one in scene.content.resources.of(house.country))
    whole = [
        f"{opening}\n\n{said.leads[i % len(said.leads)]}\n{places}\n\n{said.closings[i % len(said.closings)]}"
        for i, opening in enumerate(said.openings)
    ]
    return scene.pick(whole)


def _place(one: Resource) -> str:
    return f"• {one.name}: {one.contact}{f' ({one.note})' if one.note else ''}"
