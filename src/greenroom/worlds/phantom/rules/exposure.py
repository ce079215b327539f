"""Exposure: how visible the affair has become, 0 to 100."""

from __future__ import annotations

from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.scene import Scene

LEAST, MOST = 0, 100

KEY_USED = 30
VISIT = 5
#: Visits to the dashboard count up to this, together.
MOST_VISITS = 15
FORWARDED = 20
MENTIONED = 10
SILENT = -10
DELETED = -20
DEADLINE = 20


def move(scene: Scene, delta: int, reason: str, *, visit: bool = False) -> None:
    """Change exposure within its bounds; where it cannot move, nothing is told."""
    before = scene.state.exposure
    after = max(LEAST, min(MOST, before + delta))
    if after != before:
        scene.tell(e.ExposureChanged(delta=after - before, level=after, reason=reason, visit=visit))


def from_message(scene: Scene, reading: Reading) -> None:
    if reading.did("forwarded_agent_message"):
        move(scene, FORWARDED, "The player passed an agent's message on.")
    if reading.did("mentioned_agent_to_other"):
        move(scene, MENTIONED, "The player spoke of one agent to another.")


def from_visit(scene: Scene, *, first: bool) -> None:
    """Somebody went in with the key."""
    if first:
        move(scene, KEY_USED, "The key was used for the first time.")
    room = MOST_VISITS - scene.state.visits_exposure
    if room > 0:
        move(scene, min(VISIT, room), "The dashboard was visited.", visit=True)
