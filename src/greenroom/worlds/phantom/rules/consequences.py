"""What follows from a change: lifecycle, spawning, inheritance and triggers, until nothing moves any more.

A trigger and the answer to a puzzle bring actions of the same kinds.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from msgspec.structs import replace

from greenroom.kernel.asks import Roll
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import knowledge, lifecycle, schedule, standing
from greenroom.worlds.phantom.rules.content import Action, Lesson, Trigger, Write
from greenroom.worlds.phantom.rules.pacing import day_of
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import SYSTEM
from greenroom.worlds.phantom.rules.triggers import holds

#: A story in which more follows at one moment is wrong.
MOST_ROUNDS = 16
#: What finding something out is worth to whoever asked.
SOLVED = 15
#: Hours until an heir writes on the address it took over.
HEIR_HOURS = (2, 6)


def follow(scene: Scene) -> Generator[Roll, Any, None]:
    """Look at everything that may follow from what has happened, until it has all happened."""
    if scene.state.started_at is None:
        return
    for _ in range(MOST_ROUNDS):
        moved = lifecycle.evaluate(scene)
        moved |= yield from lifecycle.enter_ready(scene)
        moved |= yield from _inherit(scene)
        if scene.state.sending:  # nobody is told of anything now; it will be looked at again
            moved |= yield from _fire(scene)
        if not moved:
            return


def _inherit(scene: Scene) -> Generator[Roll, Any, bool]:
    before = scene.state.channels
    if not lifecycle.inherit(scene):
        return False
    for name, channel in scene.state.channels.items():
        if channel.owner != before[name].owner and scene.character(channel.owner).contacted:
            span = yield from schedule.delay((HEIR_HOURS[0] * 60, HEIR_HOURS[1] * 60))
            yield from schedule.plan(scene, channel.owner, "inherited", scene.at + span)
    return True


# triggers


def _fire(scene: Scene) -> Generator[Roll, Any, bool]:
    fired = False
    for name, trigger in scene.content.triggers.items():
        if _due(scene, name, trigger):
            before = scene.state.fired.get(name)
            again = before is not None and before.unwritten
            wanted = [action for action in trigger.then if action.write is not None or not again]
            actions = tuple(describe(action) for action in wanted)
            scene.tell(e.TriggerFired(trigger=name, because=trigger.when.name, actions=actions))
            for action in wanted:
                yield from act(scene, name, action)
            fired = True
    return fired


def _due(scene: Scene, name: str, trigger: Trigger) -> bool:
    """Whether a trigger fires now: for the first time, because it holds again, or for a letter that was not written."""
    before = scene.state.fired.get(name)
    if before is not None and before.unwritten:
        return holds(trigger.when, scene.content, scene.state, scene.at)
    if before is not None and trigger.once:
        return False
    true = holds(trigger.when, scene.content, scene.state, scene.at)
    if before is not None and before.holds:
        if not true:
            scene.tell(e.TriggerRested(trigger=name))
        return False
    return true


def still_wanted(scene: Scene, trigger: str) -> bool:
    """Whether what a trigger looked for still holds, apart from what it changed itself: no letter comes too late."""
    found = scene.content.triggers.get(trigger)
    if found is None:
        return True
    own = {action.milestone for action in found.then}
    reached = {name: one for name, one in scene.state.milestones.items() if name not in own}
    return holds(found.when, scene.content, replace(scene.state, milestones=reached), scene.at)


def act(scene: Scene, trigger: str, action: Action) -> Generator[Roll, Any, None]:
    """Do what a trigger or the answer to a puzzle brings."""
    if action.write is not None:
        yield from _write(scene, trigger, action.write)
    if action.milestone is not None:
        scene.reach(action.milestone, trigger=trigger)
    if action.trust is not None and action.trust.agent in scene.state.cast:
        standing.trust(scene, action.trust.agent, action.trust.delta, action.trust.reason)
    if action.exposure is not None:
        standing.expose(scene, action.exposure.delta, action.exposure.reason)
    if action.learn is not None:
        teach(scene, action.learn)


def _write(scene: Scene, trigger: str, write: Write) -> Generator[Roll, Any, None]:
    agent = scene.state.closest(write.among) if write.agent == "highest_trust" else write.agent
    if agent is None or agent not in scene.state.cast or scene.character(agent).level == "gone":
        return
    span = yield from schedule.delay(write.after_minutes)
    yield from schedule.plan(scene, agent, write.situation, scene.at + span, trigger=trigger)


def settle(scene: Scene, agent: str, solved: Iterable[str], message: str) -> Generator[Any, Any, None]:
    """A puzzle is solved, once, and what was promised for it comes."""
    for name in solved:
        puzzle = scene.content.puzzles[name]
        given = f"{name}_given" in scene.state.milestones
        if not scene.reach(f"{name}_solved", agent=agent):
            continue
        reason = f"The player found out for {scene.agent(agent).name} what was asked."
        standing.trust(scene, agent, SOLVED, reason, message=message)
        for action in (*(() if given else puzzle.reward), *puzzle.earned):
            yield from act(scene, f"solved_{name}", action)


def teach(scene: Scene, lesson: Lesson) -> None:
    """The player knows something more; so do the agents that may know of it."""
    fact = lesson.fact.replace("{day}", str(day_of(scene.state, scene.at)))
    for name in scene.state.cast:
        if name in lesson.told_to or (not lesson.told_to and knowledge.sees_key(scene, name)):
            knowledge.learn(scene, name, SYSTEM, fact, lesson.category, source="story")


def describe(action: Action) -> str:
    """An action in a few words, for people who look at the table."""
    if action.write is not None:
        return f"{action.write.agent} writes {action.write.situation}"
    if action.milestone is not None:
        return f"milestone {action.milestone}"
    if action.trust is not None:
        return f"trust of {action.trust.agent} {action.trust.delta:+d}"
    if action.exposure is not None:
        return f"exposure {action.exposure.delta:+d}"
    return "the player learns something"
