"""Letters: owed or planned for a moment, written shortly before it, taken back."""

from __future__ import annotations

from collections.abc import Callable, Generator
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from greenroom.kernel.asks import Roll
from greenroom.kernel.words import Words
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.content import Template
from greenroom.worlds.phantom.rules.pacing import day_name, paced
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import BURST, SYSTEM, ContactKind, Owed, Phantom, Plan, Waiting

#: A letter is written so long before it is sent.
LEAD = timedelta(minutes=2)
#: Two letters of one agent, of which neither is an answer, are at least so far apart.
GAP = timedelta(minutes=20)
#: Letters that had to wait for the morning come within so many minutes of it.
SPREAD = 100
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


# planning


def plan(
    scene: Scene, agent: str, situation: str, wanted_at: datetime, *, trigger: str = ""
) -> Generator[Roll, Any, None]:
    """Have an agent write of its own accord; a plan for the same is replaced."""
    drop(scene, "a newer plan took its place", lambda one: (one.agent, one.situation) == (agent, situation))
    if scene.state.sending and len(scene.state.plans) < MOST_PLANS:
        due_at = yield from _moment(scene, _apart(scene.state, agent, wanted_at))
        due_at = _apart(scene.state, agent, due_at)
        scene.tell(_planned(scene, agent, situation, due_at, trigger=trigger))


def owe(
    scene: Scene, agent: str, situation: str, wanted_at: datetime, owed: Owed
) -> Generator[Roll, Any, datetime | None]:
    """Owe an answer. One that is owed already answers this message too, and never later than it would have.

    Returns when it will be sent; None if so much is planned that nothing more can be.
    """
    old = owing(scene.state, agent)
    due_at: datetime = yield from _moment(scene, wanted_at, free=old)
    if old is not None and old.owed is not None:
        due_at = min(due_at, old.due_at)
        joined = _joined(old.owed, owed)
        scene.tell(replace(_planned(scene, agent, old.situation, due_at, owed=joined), n=old.n))
        return due_at
    drop(scene, "the player wrote first", lambda one: (one.agent, one.situation) == (agent, situation))
    if len(scene.state.plans) >= MOST_PLANS:
        return None
    scene.tell(_planned(scene, agent, situation, due_at, owed=owed))
    return due_at


def owing(state: Phantom, agent: str) -> Plan | None:
    """The answer that an agent owes."""
    return next((one for one in state.plans if one.agent == agent and one.owed is not None), None)


def _joined(old: Owed, new: Owed) -> Owed:
    def both(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*getattr(old, name), *getattr(new, name))))[-BURST:]

    return Owed(
        **{name: both(name) for name in ("refs", "words", "topics", "doubts", "solved", "near")},
        provider_id=new.provider_id or old.provider_id,
    )


def _planned(scene: Scene, agent: str, situation: str, due_at: datetime, **more: Any) -> e.Planned:
    n, day = scene.state.counts.plans + 1, day_name(scene.state, due_at)
    return e.Planned(n=n, agent=agent, situation=situation, due_at=due_at, day=day, **more)


def _moment(scene: Scene, wanted_at: datetime, free: Plan | None = None) -> Generator[Roll, Any, datetime]:
    """When a letter may go out. What waits for a morning does not come on the stroke of eight with all the rest."""
    state = scene.state
    if free is not None:  # its place among the letters of a day is its own
        state = replace(state, days={**state.days, free.day: state.days.get(free.day, 1) - 1})
    at = paced(state, wanted_at)
    if at == wanted_at:
        return at
    minutes, seconds = yield Roll((SPREAD, 60))
    return at + timedelta(minutes=minutes, seconds=seconds)


def _apart(state: Phantom, agent: str, wanted_at: datetime) -> datetime:
    """Not on the heels of another letter of the same agent."""
    planned = [one.due_at for one in state.plans if one.agent == agent]
    others = sorted((*planned, *(one.due_at for one in state.waiting if one.agent == agent)))
    for other in others:
        if abs(other - wanted_at) < GAP:
            wanted_at = other + GAP
    return wanted_at


def contact(scene: Scene, agent: str, after: datetime) -> Generator[Roll, Any, None]:
    """Plan an agent's first letter."""
    least, most = scene.agent(agent).first_contact.hours
    span = yield from delay((least * 60, most * 60))
    yield from plan(scene, agent, "first_contact", after + span)


def pending(state: Phantom, agent: str, situation: str) -> bool:
    """Whether such a letter is planned or waiting."""
    planned = any((one.agent, one.situation) == (agent, situation) for one in state.plans)
    return planned or any((one.agent, one.situation) == (agent, situation) for one in state.waiting)


def put_off(scene: Scene, old: Plan) -> Generator[Roll, Any, bool]:
    """Move a plan that was not seen to in time out of the night; whether it had to be."""
    at = max(old.due_at, scene.at)
    due_at = yield from _moment(scene, at, free=old)
    if due_at == at:
        return False
    moved = _planned(scene, old.agent, old.situation, due_at, owed=old.owed, trigger=old.trigger)
    scene.tell(replace(moved, n=old.n))
    return True


# posting


def post(
    scene: Scene, agent: str, situation: str, words: Words, *, subject: str = "", of: Plan | None = None
) -> Generator[Roll, Any, str]:
    """Put an agent's letter into the post, for the moment it was planned for; returns its key."""
    definition, state = scene.agent(agent), scene.state
    channel = state.voice_of(agent)
    answers = of.owed.provider_id if of is not None and of.owed is not None else ""
    carrier, to = state.route(channel, answers)
    due_at = scene.at if of is None else max(of.due_at, scene.at)
    key = f"{agent}.{state.counts.letters + 1}"
    if of is not None:
        scene.tell(e.PlanDone(n=of.n, letter=key))
    _give_way(scene, agent)
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
            wanted_at=due_at if of is None else of.due_at,
            due_at=due_at,
            day=day_name(state, due_at),
        )
    )
    if situation != e.KEY_MAIL and scene.reach(f"{agent}_first_contact", agent=agent):
        yield from _first(scene, agent, due_at)
    return key


def _first(scene: Scene, agent: str, due_at: datetime) -> Generator[Roll, Any, None]:
    """With an agent's first letter its plan to write one is over, and those begin who wait for it."""
    drop(scene, "the agent has written already", lambda one: (one.agent, one.situation) == (agent, "first_contact"))
    for name, definition in scene.content.agents.items():
        if definition.first_contact.after == agent and name in scene.state.cast:
            yield from contact(scene, name, due_at)


# taking back


def drop(scene: Scene, reason: str, which: Callable[[Plan], bool], *, again: bool = False) -> None:
    """Give up the plans that are meant."""
    for plan in filter(which, scene.state.plans):
        scene.tell(e.PlanDropped(n=plan.n, reason=reason, again=again))


def cancel(scene: Scene, reason: str, which: Callable[[Waiting], bool]) -> None:
    """Take back the letters that are meant and have not been sent."""
    for letter in filter(which, scene.state.waiting):
        scene.tell(e.LetterCancelled(key=letter.key, reason=reason))


def _give_way(scene: Scene, agent: str) -> None:
    cancel(scene, "a newer letter took its place", lambda one: one.agent == agent and one.situation in YIELDING)
    drop(scene, "a newer letter took its place", lambda one: one.agent == agent and one.situation in YIELDING)


def overtaken(scene: Scene, agent: str) -> None:
    """The player wrote: nobody needs to ask after them any more."""
    _give_way(scene, agent)
    drop(scene, "the player wrote", lambda one: one.situation in YIELDING and one.situation != "follow_up")


def give_up_waiting(scene: Scene) -> None:
    """Letters without news are no longer waited for: on a branch they are held for good, and the story must go on."""
    for letter in scene.state.waiting:
        if letter.due_at + NO_NEWS <= scene.at:
            scene.tell(e.LetterOverdue(key=letter.key))


def stop(scene: Scene, reason: str) -> None:
    """Take back everything that has not been sent; what triggers wanted they may want again."""
    cancel(scene, reason, lambda one: True)
    drop(scene, reason, lambda one: True, again=True)


def system(scene: Scene, template: Template, kind: ContactKind, situation: str, *, code: str = "") -> None:
    """A letter of the house itself: at once, and not paced."""
    text = template.text.replace("{code}", code)
    words = scene.remember(SYSTEM, text, speaker="house", kind="notice")
    address = scene.state.contact(kind)
    on_page = address is None or scene.state.delivery == "page"
    medium = "email" if kind == "email" else "sms"
    carrier = ("inbox" if kind == "email" else "phone") if on_page else f"system:{medium}"
    scene.tell(
        e.LetterWritten(
            key=f"house.{scene.state.counts.letters + 1}",
            agent=None,
            channel=SYSTEM,
            carrier=carrier,
            to=scene.state.player if address is None or on_page else address.address,
            subject=template.subject,
            situation=situation,
            words=words,
            wanted_at=scene.at,
            due_at=scene.at,
        )
    )
