"""Conversations: one with one agent, closed after half a day of silence, and what is kept of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.pacing import local
from greenroom.worlds.phantom.rules.scene import Scene
from greenroom.worlds.phantom.rules.state import Phantom, Session

IDLE = timedelta(hours=12)
#: Sentences of each kind that a summary holds.
SUMMED = 3


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
