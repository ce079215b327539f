"""What agents come to know from the player: facts, items they can pass on, what is said of the key, and what is kept
of a conversation, which is with one agent and over after half a day of silence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import standing
from greenroom.worlds.phantom.rules.content import Category
from greenroom.worlds.phantom.rules.grammar import clauses
from greenroom.worlds.phantom.rules.pacing import local
from greenroom.worlds.phantom.rules.readings import Reading
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import Phantom, Session

IDLE = timedelta(hours=12)
#: Sentences of each kind that a summary holds.
SUMMED = 3
#: Somebody who says this says that nobody else writes to them.
_ALONE = re.compile(
    r"\b(?:nobody else|no one else|noone else|only you|"
    r"(?:havent|have not|never|didnt) (?:spoken?|talk(?:ed)?|written|heard|met|told|shown?) .*"
    r"(?:anybody|anyone|nobody|him|her|them|miro|ember|cipher|kessler))\b"
)


def checked(scene: Scene, agent: str, reading: Reading, text: str = "") -> Reading:
    """The reading with what the rules know for certain: an agent knows what it has seen or was told."""
    key, first = scene.state.key, scene.state.milestones.get("key_used")
    lie = _hides_others(scene, agent, text)
    if key is not None and key.used and sees_key(scene, agent):
        since = first is not None and key.deleted_at is not None and first.at > key.deleted_at
        lie = lie or reading.did("key_use_denied") or (since and reading.did("key_deleted_claim"))
    if not lie or reading.did("lies_detected"):
        return reading
    return replace(reading, behaviours=(*reading.behaviours, "lies_detected"))


def _hides_others(scene: Scene, agent: str, text: str) -> bool:
    """Whether they deny having spoken to others, to somebody whom one of those has told of it."""
    told = any(passed.items for passed in scene.character(agent).learned.values())
    return told and any(one.kind == "told" and _ALONE.search(one.words) is not None for one in clauses(text))


def sees_key(scene: Scene, agent: str) -> bool:
    return "key_use" in scene.agent(agent).sees


def from_message(scene: Scene, agent: str, channel: str, reading: Reading, message: str) -> None:
    """Facts and items go to the agent that was told, and to no other."""
    for fact, category in reading.facts:
        learn(scene, agent, channel, fact, category, source="player", message=message)
    items = tuple(
        name
        for name, item in scene.content.story.items.items()
        if name not in scene.character(agent).items and set(item.learned_by) & set(reading.behaviours)
    )
    if items:
        scene.tell(e.ItemsHeld(agent=agent, items=items))
    if reading.did("mentions_key"):
        scene.reach(f"player_mentioned_key_to_{agent}", agent=agent)
    if reading.did("key_deleted_claim"):
        _deleted(scene, agent)


def learn(
    scene: Scene, agent: str, channel: str, fact: str, category: Category, *, source: str, message: str | None = None
) -> None:
    if any(note.fact == fact for note in scene.character(agent).facts):
        return
    scene.tell(
        e.FactLearned(agent=agent, channel=channel, fact=fact, category=category, source=source, message=message)
    )


def _deleted(scene: Scene, agent: str) -> None:
    """The first time the player says so, it counts."""
    if scene.state.key is None or scene.state.key.deleted_at is not None:
        return
    scene.tell(e.KeyDeleted(agent=agent))
    scene.reach("key_deleted", agent=agent)
    standing.expose(scene, standing.DELETED, "The player says that the key is gone.")


# conversations


def session_id(agent: str, n: int) -> str:
    return f"{agent}-{n}"


def ends(state: Phantom) -> Iterable[datetime]:
    """When open conversations will be over."""
    return (one.session.last_at + IDLE for one in state.cast.values() if one.session is not None)


def close_idle(scene: Scene) -> None:
    for agent, character in tuple(scene.state.cast.items()):
        session = character.session
        if session is not None and scene.at - session.last_at >= IDLE:
            text = summary(scene, agent, session)
            kind = session.moments[-1] if session.moments else "none"
            name = session_id(agent, session.n)
            words = scene.remember(agent, text, speaker=agent, kind="summary", key_moment_type=kind, session=name)
            scene.tell(e.SessionClosed(agent=agent, n=session.n, words=words))


def keep_moment(scene: Scene, agent: str, kind: str, text: str) -> None:
    """Write a key moment down at once, without waiting for the conversation to end."""
    session = scene.character(agent).session
    name = session_id(agent, session.n if session else scene.character(agent).sessions)
    words = scene.remember(agent, text, speaker=agent, kind="summary", key_moment_type=kind, session=name)
    scene.tell(e.MomentKept(agent=agent, type=kind, words=words))


def summary(scene: Scene, agent: str, session: Session) -> str:
    """A conversation in a few sentences: who, when, what about, what each of them said, and what changed."""
    name, character = scene.agent(agent).name, scene.character(agent)
    day = local(scene.state.timezone, session.opened_at)
    count = "one message" if session.messages == 1 else f"{session.messages} messages"
    parts = [f"On {day:%A, %d %B} the player and {name} exchanged {count}."]
    if session.topics:
        parts.append(f"They spoke of {', '.join(topic.replace('_', ' ') for topic in session.topics)}.")
    parts += [note.fact for note in character.facts[-SUMMED:]]
    parts += [claim.claim for claim in character.claims[-SUMMED:]]
    parts += [note.reason for note in character.notes if note.known][-SUMMED:]
    if session.moments:
        parts.append(f"What changed: {', '.join(moment.replace('_', ' ') for moment in session.moments)}.")
    return " ".join(dict.fromkeys(parts))
