"""What stands in a prompt about an agent, in sentences: trust, milestones, what it sees, stands by and remembers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta

from greenroom.kernel.asks import Recalled
from greenroom.kernel.facts import day
from greenroom.worlds.phantom.rules.content import Agent, Band, Content
from greenroom.worlds.phantom.rules.minds import Mind
from greenroom.worlds.phantom.rules.pacing import local
from greenroom.worlds.phantom.rules.state import PLAYER

BANDS: Mapping[Band, str] = {
    "low": "You distrust them.",
    "middle": "You do not know yet what to make of them.",
    "high": "You trust them.",
}
KEY_USED = {True: "The key has been turned", False: "The key has not been turned yet."}


def ago(span: timedelta) -> str:
    """How long ago somebody wrote."""
    if span < timedelta(hours=1):
        return "within the hour"
    if span < timedelta(days=1):
        return f"{span // timedelta(hours=1)} hours ago"
    return f"{span // timedelta(days=1)} days ago"


def trust(mind: Mind) -> tuple[str, ...]:
    """Why the agent's trust moved lately, and where it stands."""
    moved = Counter(mind.reasons)
    told = (f"{count * delta:+d}: {reason}{TIMES.get(count, '')}" for (delta, reason), count in moved.items())
    return (*told, BANDS[mind.band])


def key(mind: Mind) -> str:
    """What the agent sees of the key."""
    if mind.key is None:
        return ""
    used = f"{KEY_USED[True]}; {mind.key.left} turns are left." if mind.key.accessed else KEY_USED[False]
    read = (
        f" They have read: {', '.join(one.replace('_', ' ') for one in mind.key.documents)}."
        if mind.key.documents
        else ""
    )
    return used + read


def immersion(content: Content, mind: Mind) -> Iterable[str]:
    """What the agent heard from others, and what it sees."""
    yield from (
        f"{content.agents[giver].name} told you: {says}" for giver, says in mind.learned if giver in content.agents
    )
    if mind.key is not None:
        yield f"You see what happens to the key. {key(mind)}"


def milestones(mind: Mind) -> tuple[str, ...]:
    """What has happened so far, as far as the agent knows."""
    return (*map(reached, mind.milestones), f"Day {mind.day} since the mail.")


def reached(milestone: str) -> str:
    """A milestone as a sentence."""
    if milestone.startswith(_TO):
        return f"They spoke of the key to {milestone.removeprefix(_TO).capitalize()}."
    for end, told in _REACHED:
        if milestone.endswith(end):
            whose = milestone.removesuffix(end).replace("_", " ")
            return told.format(whose, whose.capitalize())
    return f"{milestone.replace('_', ' ').capitalize()}."


_TO = "player_mentioned_key_to_"
_REACHED = (
    ("_first_contact", "{1} wrote to them for the first time."),
    ("_spawned", "{1} came into it."),
    ("_asked", "They were asked about the {0}."),
    ("_solved", "They found out about the {0}."),
    ("_given", "They were told about the {0}."),
)
TIMES: Mapping[int, str] = {2: " Twice.", 3: " Three times."}


def consistency(agent: Agent, mind: Mind) -> Iterable[str]:
    """What the agent has said: what it stands by, and what was found out."""
    vague = {rule.claim for rule in agent.ground_truth.rules}
    yield from (f"You have said, and stand by it: {claim}" for _, claim in mind.claims if claim not in vague)
    yield from (f"They have found out that this was not so; do not defend it: {claim}" for claim in mind.exposed)


def recalled(one: Recalled, zone: str) -> str:
    """A memory with who said it and when; a summary says both itself."""
    if one.kind == "summary":
        return one.text
    when = "" if one.at is None else f", {day(local(zone, one.at))}"
    return f"{'They' if one.speaker == PLAYER else 'You'}{when}: {one.text}"
