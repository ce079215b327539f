"""How the player stands: trust of each agent, -100 to 100, and how visible the affair has become, 0 to 100.

Every change has a reason in plain words. What is at its bound does not move, and then nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.scene import Scene

LEAST_TRUST, MOST_TRUST = -100, 100
#: An answer within this time is prompt.
PROMPT = timedelta(hours=4)
PROMPT_REPLY = 5
#: What it does to trust that the player did something; and its reason.
DEEDS: Mapping[str, tuple[int, str]] = {
    "agrees_with_agent": (10, "The player went along with {}."),
    "shares_intel": (15, "The player gave {} something of use."),
    "lies_detected": (-20, "{} knows better than the player's story."),
}
LIE = DEEDS["lies_detected"][0]
IGNORED = -5
BETRAYAL = -25

MOST_EXPOSURE = 100
KEY_USED = 30
VISIT = 5
#: Visits to the dashboard count up to this, together.
MOST_VISITS = 15
FORWARDED = 20
MENTIONED = 10
SILENT = -10
DELETED = -20
DEADLINE = 20


# trust


def trust(scene: Scene, agent: str, delta: int, reason: str, *, betrayal: bool = False, **more: Any) -> None:
    before = scene.character(agent).trust
    after = max(LEAST_TRUST, min(MOST_TRUST, before + delta))
    if after != before or betrayal:
        delta = after - before
        scene.tell(e.TrustChanged(agent=agent, delta=delta, trust=after, reason=reason, betrayal=betrayal, **more))


def trust_from_message(scene: Scene, agent: str, reading: Reading, message: str, *, prompt: bool) -> None:
    """What one message does to the agent it was written to."""
    name = scene.agent(agent).name
    if prompt:
        trust(scene, agent, PROMPT_REPLY, f"{name} had an answer within four hours.", message=message)
    before = scene.character(agent).trust
    for deed, (delta, reason) in DEEDS.items():
        if reading.did(deed) and not (deed == "agrees_with_agent" and reading.did("disagrees_with_agent")):
            trust(scene, agent, delta, reason.format(name), message=message)
    # One act moves trust once: what its number has moved already is no further reason.
    moved = scene.character(agent).trust - before
    rest = reading.delta if moved * reading.delta <= 0 else reading.delta - moved
    if rest * reading.delta > 0:
        trust(scene, agent, rest, reading.reason, message=message)


def betray(scene: Scene, agents: Iterable[str], message: str) -> None:
    """Somebody else was told what these agents had said in confidence. They feel it and do not know why."""
    for agent in agents:
        if agent in scene.state.cast:
            reason = f"A confidence of {scene.agent(agent).name}'s went to somebody else."
            trust(scene, agent, BETRAYAL, reason, message=message, known=False, betrayal=True)


# exposure


def expose(scene: Scene, delta: int, reason: str, *, visit: bool = False) -> None:
    before = scene.state.exposure
    after = max(0, min(MOST_EXPOSURE, before + delta))
    if after != before:
        scene.tell(e.ExposureChanged(delta=after - before, level=after, reason=reason, visit=visit))


def expose_from_message(scene: Scene, reading: Reading) -> None:
    if reading.did("forwarded_agent_message"):
        expose(scene, FORWARDED, "The player passed an agent's message on.")
    if reading.did("mentioned_agent_to_other"):
        expose(scene, MENTIONED, "The player spoke of one agent to another.")


def expose_from_visit(scene: Scene, *, first: bool) -> None:
    """Somebody went in with the key."""
    if first:
        expose(scene, KEY_USED, "The key was used for the first time.")
    room = MOST_VISITS - scene.state.visits_exposure
    if room > 0:
        expose(scene, min(VISIT, room), "The dashboard was visited.", visit=True)
