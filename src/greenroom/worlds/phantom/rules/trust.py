"""Trust: -100 to 100 for each agent; every change has a reason in plain words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.scene import Scene

LEAST, MOST = -100, 100
#: An answer within this time is prompt.
PROMPT = timedelta(hours=4)

PROMPT_REPLY = 5
AGREES = 10
SHARES_INTEL = 15
IGNORED = -5
LIE = -20
BETRAYAL = -25


def move(
    scene: Scene,
    agent: str,
    delta: int,
    reason: str,
    *,
    message: str | None = None,
    known: bool = True,
    betrayal: bool = False,
) -> None:
    """Change trust within its bounds; where it cannot move, nothing has changed and nothing is told."""
    before = scene.character(agent).trust
    after = max(LEAST, min(MOST, before + delta))
    if after == before and not betrayal:
        return
    scene.tell(
        e.TrustChanged(
            agent=agent,
            delta=after - before,
            trust=after,
            reason=reason,
            message=message,
            known=known,
            betrayal=betrayal,
        )
    )


def from_message(scene: Scene, agent: str, reading: Reading, message: str, *, prompt: bool) -> None:
    """What one message does to the agent it was written to."""
    name, before = scene.agent(agent).name, scene.character(agent).trust
    if prompt:
        move(scene, agent, PROMPT_REPLY, f"{name} had an answer within four hours.", message=message)
        before = scene.character(agent).trust
    if reading.did("agrees_with_agent") and not reading.did("disagrees_with_agent"):
        move(scene, agent, AGREES, f"The player went along with {name}.", message=message)
    if reading.did("shares_intel"):
        move(scene, agent, SHARES_INTEL, f"The player gave {name} something of use.", message=message)
    if reading.did("lies_detected"):
        move(scene, agent, LIE, f"{name} knows better than the player's story.", message=message)
    # One act moves trust once: what its number has moved already is no further reason.
    moved = scene.character(agent).trust - before
    rest = reading.delta if moved * reading.delta <= 0 else reading.delta - moved
    if rest * reading.delta > 0:
        move(scene, agent, rest, reading.reason, message=message)


def betray(scene: Scene, agents: Iterable[str], message: str) -> None:
    """Somebody else was told what these agents had said in confidence. They feel it and do not know why."""
    for agent in agents:
        if agent in scene.state.cast:
            name = scene.agent(agent).name
            reason = f"A confidence of {name}'s went to somebody else."
            move(scene, agent, BETRAYAL, reason, message=message, known=False, betrayal=True)
