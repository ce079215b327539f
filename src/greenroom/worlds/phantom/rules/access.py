"""The key and the dashboard behind it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from greenroom.kernel.asks import Roll
from greenroom.kernel.errors import Refused
from greenroom.worlds.phantom.rules import channels, exposure, knowledge, trust
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.consequences import follow
from greenroom.worlds.phantom.rules.pacing import day_of
from greenroom.worlds.phantom.rules.scene import Scene


def use(scene: Scene, given: c.UseKey) -> Generator[Roll, Any, None]:
    """Try the door. One turn after the other, so that the last use is one; whoever is refused is logged."""
    key = scene.state.key
    right = key is not None and _even(given.key) == _even(key.value)
    if key is None or not right or not key.left:
        scene.tell(e.KeyRefused(known=right, ip_address=given.ip_address, user_agent=given.user_agent))
        return
    scene.tell(e.KeyUsed(ip_address=given.ip_address, user_agent=given.user_agent))
    first = scene.reach("key_used")
    scene.reach("dashboard_opened")
    exposure.from_visit(scene, first=first)
    for agent in _watchers(scene):
        _seen(scene, agent)
    yield from follow(scene)


def _even(key: str) -> str:
    return key.replace("-", "").replace(" ", "").upper()


def _watchers(scene: Scene) -> tuple[str, ...]:
    return tuple(name for name in scene.state.cast if knowledge.sees_key(scene, name))


def _seen(scene: Scene, agent: str) -> None:
    """Whoever watches the key sees it turn; after a promise that it was gone, that is a lie."""
    fact = f"On day {day_of(scene.state, scene.at)} the player went behind the door."
    knowledge.learn(scene, agent, channels.SYSTEM, fact, "dashboard", source="door")
    key = scene.state.key
    if key is not None and key.deleted_at is not None:
        trust.move(scene, agent, trust.LIE, "The key that was said to be gone has been turned.")


def read(scene: Scene, given: c.ReadDocument) -> Generator[Roll, Any, None]:
    document = scene.content.documents.documents.get(given.document)
    if document is None:
        known = ", ".join(scene.content.documents.documents)
        raise Refused(f"there is no such document; there are {known}")
    if scene.state.key is None or not scene.state.key.used:
        raise Refused("the documents are behind the door; open it with the key first")
    first = given.document not in scene.state.documents
    scene.tell(e.DocumentRead(document=given.document))
    if first:
        for agent in _watchers(scene):
            knowledge.learn(scene, agent, channels.SYSTEM, document.fact, "dashboard", source="dashboard")
    yield from follow(scene)
