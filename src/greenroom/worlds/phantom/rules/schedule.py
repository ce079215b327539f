"""Letters: planned for a moment, paced, posted, taken back."""

from __future__ import annotations

from collections.abc import Generator
from datetime import datetime, timedelta
from typing import Any

from greenroom.kernel.asks import Roll
from greenroom.kernel.words import Words
from greenroom.worlds.phantom.rules import channels, milestones
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.content import Template
from greenroom.worlds.phantom.rules.folding import KEY_MAIL
from greenroom.worlds.phantom.rules.pacing import paced
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import WAITING, ContactKind, Phantom

#: Situations whose unsent letters give way to a newer one of the same agent.
YIELDING = ("follow_up", "reengage_casual", "reengage_dormant", "reengage_lapsed")
#: A letter that is so long overdue is no longer waited for.
NO_NEWS = timedelta(hours=6)
#: Letters that may be planned at one time.
MOST_PLANS = 24


def delay(minutes: tuple[float, float]) -> Generator[Roll, Any, timedelta]:
    """A whole number of minutes between two, by chance."""
    least, most = map(int, minutes)
    (more,) = yield Roll((most - least + 1,))
    return timedelta(minutes=least + more)


def plan(scene: Scene, agent: str, situation: str, due_at: datetime) -> None:
    """Have an agent write at a moment; a plan for the same situation is replaced."""
    for old in scene.state.plans:
        if (old.agent, old.situation) == (agent, situation):
            scene.tell(e.PlanDropped(n=old.n, reason="a newer plan took its place"))
    if scene.state.sending and len(scene.state.plans) < MOST_PLANS:
        n = scene.state.counts.plans + 1
        scene.tell(e.Planned(n=n, agent=agent, situation=situation, due_at=paced(scene.state, due_at)[0]))


def contact(scene: Scene, agent: str, after: datetime) -> Generator[Roll, Any, None]:
    """Plan an agent's first letter."""
    least, most = scene.agent(agent).first_contact.hours
    span = yield from delay((least * 60, most * 60))
    plan(scene, agent, "first_contact", after + span)


def pending(state: Phantom, agent: str, situation: str) -> bool:
    """Whether such a letter is planned or waiting."""
    planned = any((one.agent, one.situation) == (agent, situation) for one in state.plans)
    return planned or any((one.agent, one.situation) == (agent, situation) for one in state.waiting)


def full(scene: Scene, agent: str) -> bool:
    """Whether so many letters of an agent are waiting that it writes no more for now."""
    return sum(one.agent == agent for one in scene.state.waiting) >= WAITING


def post(
    scene: Scene, agent: str, situation: str, words: Words, wanted_at: datetime, *, subject: str = "", answers: str = ""
) -> Generator[Roll, Any, str]:
    """Write an agent's letter for the moment it may go out; returns its key."""
    _give_way(scene, agent)
    definition, state = scene.agent(agent), scene.state
    channel = channels.voice_of(state, agent)
    carrier, to = channels.route(state, channel, answers)
    due_at, day = paced(state, wanted_at)
    key = f"{agent}.{state.counts.letters + 1}"
    scene.tell(
        e.LetterWritten(
            key=key,
            agent=agent,
            channel=channel,
            carrier=carrier,
            to=to,
            subject=subject or definition.subject,
            situation=situation,
            words=words,
            wanted_at=wanted_at,
            due_at=due_at,
            day=day,
        )
    )
    if situation != KEY_MAIL and milestones.reach(scene, f"{agent}_first_contact", agent=agent):
        yield from _first(scene, agent, due_at)
    return key


def _first(scene: Scene, agent: str, due_at: datetime) -> Generator[Roll, Any, None]:
    """With an agent's first letter its plan to write one is over, and those begin who wait for it."""
    for old in scene.state.plans:
        if (old.agent, old.situation) == (agent, "first_contact"):
            scene.tell(e.PlanDropped(n=old.n, reason="the agent has written already"))
    for name, definition in scene.content.agents.items():
        if definition.first_contact.after == agent and name in scene.state.cast:
            yield from contact(scene, name, due_at)


def _give_way(scene: Scene, agent: str) -> None:
    for old in scene.state.waiting:
        if old.agent == agent and old.situation in YIELDING:
            scene.tell(e.LetterCancelled(key=old.key, reason="a newer letter took its place"))


def overtaken(scene: Scene, agent: str) -> None:
    """The player wrote: nobody needs to ask after them any more."""
    _give_way(scene, agent)
    for old in scene.state.plans:
        if old.situation in YIELDING and (old.agent == agent or old.situation != "follow_up"):
            scene.tell(e.PlanDropped(n=old.n, reason="the player wrote"))


def give_up_waiting(scene: Scene) -> None:
    """Letters without news are no longer waited for: on a branch they are held for good, and the story must go on."""
    for letter in scene.state.waiting:
        if letter.due_at + NO_NEWS <= scene.at:
            scene.tell(e.LetterOverdue(key=letter.key))


def take_back(scene: Scene, situation: str, reason: str) -> None:
    """Cancel the letters of one situation that have not been sent."""
    for letter in scene.state.waiting:
        if letter.situation == situation:
            scene.tell(e.LetterCancelled(key=letter.key, reason=reason))


def stop(scene: Scene, reason: str) -> None:
    """Take back everything that has not been sent."""
    for letter in scene.state.waiting:
        scene.tell(e.LetterCancelled(key=letter.key, reason=reason))
    for old in scene.state.plans:
        scene.tell(e.PlanDropped(n=old.n, reason=reason))


def system(scene: Scene, template: Template, kind: ContactKind, situation: str, *, code: str = "") -> None:
    """A letter of the house itself: at once, and not paced."""
    text = template.text.replace("{code}", code)
    words = scene.remember(channels.SYSTEM, text, speaker="house", kind="notice")
    contact_ = scene.state.email if kind == "email" else scene.state.phone
    on_page = contact_ is None or scene.state.delivery == "page"
    medium = "email" if kind == "email" else "sms"
    carrier = ("inbox" if kind == "email" else "phone") if on_page else f"system:{medium}"
    scene.tell(
        e.LetterWritten(
            key=f"house.{scene.state.counts.letters + 1}",
            agent=None,
            channel=channels.SYSTEM,
            carrier=carrier,
            to=scene.state.player if contact_ is None or on_page else contact_.address,
            subject=template.subject,
            situation=situation,
            words=words,
            wanted_at=scene.at,
            due_at=scene.at,
        )
    )
