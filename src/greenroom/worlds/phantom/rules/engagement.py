"""Whether the player is still there, and how agents ask."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from datetime import datetime, timedelta
from typing import Any

from greenroom.kernel.asks import Roll
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import exposure, schedule
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import Engagement, Phantom

#: Days of silence after which the player counts as this.
LEVELS: Mapping[Engagement, int] = {"casual": 3, "dormant": 7, "lapsed": 14, "churned": 21}
#: Letters that ask after the player in each level, and the time between two.
ATTEMPTS: Mapping[Engagement, int] = {"casual": 2, "dormant": 1, "lapsed": 1}
PAUSE = timedelta(hours=24)
#: A silence this long lowers exposure, once.
SILENCE = timedelta(days=7)

_ORDER: tuple[Engagement, ...] = ("active", *LEVELS)


def level_at(silent: timedelta) -> Engagement:
    found: Engagement = "active"
    for level, days in LEVELS.items():
        if silent >= timedelta(days=days):
            found = level
    return found


def next_at(state: Phantom) -> tuple[datetime, ...]:
    """When silence will next change something."""
    since, presence = state.presence.last_player_at, state.presence
    if since is None or not state.running:
        return ()
    moments = [since + timedelta(days=days) for days in LEVELS.values()]
    if _tries_left(state) and presence.tries and presence.attempted_at is not None:
        moments.append(presence.attempted_at + PAUSE)
    return tuple(moments)


def returned(scene: Scene) -> None:
    """The player wrote: active again, whatever went before."""
    if scene.state.presence.level != "active":
        scene.tell(e.EngagementMoved(now="active"))


def evaluate(scene: Scene) -> Generator[Roll, Any, None]:
    """See what the clock says of the player's silence."""
    since = scene.state.presence.last_player_at
    if since is None or not scene.state.running:
        return
    level = level_at(scene.at - since)
    if _ORDER.index(level) > _ORDER.index(scene.state.presence.level):
        scene.tell(e.EngagementMoved(now=level))
        if level == "churned":
            schedule.stop(scene, "the player has been silent for three weeks")
    if scene.at - since >= SILENCE and not scene.state.presence.hushed:
        scene.tell(e.Hushed())
        exposure.move(scene, exposure.SILENT, "The player has been silent for a week.")
    yield from _ask_after(scene)


def _tries_left(state: Phantom) -> bool:
    return state.presence.tries < ATTEMPTS.get(state.presence.level, 0)


def _ask_after(scene: Scene) -> Generator[Roll, Any, None]:
    presence = scene.state.presence
    rested = presence.tries == 0 or (presence.attempted_at is not None and scene.at - presence.attempted_at >= PAUSE)
    if not _tries_left(scene.state) or not rested:
        return
    agent = closest(scene.state)
    if agent is not None:
        scene.tell(e.Reengaged(agent=agent))
        yield from schedule.plan(scene, agent, f"reengage_{presence.level}", scene.at + schedule.LEAD)


def closest(state: Phantom, among: tuple[str, ...] = ()) -> str | None:
    """The agent in contact that trusts the player most; of equals, who entered first."""
    there = [name for name in state.present() if not among or name in among]
    present = [name for name in there if state.cast[name].level in ("engaged", "cooling")] or (there if among else [])
    return max(present, key=lambda name: state.cast[name].trust, default=None)
