"""How long anybody waits."""

from __future__ import annotations

from datetime import datetime, timedelta

from greenroom.worlds.realms.rules.state import Realm

#: A person who is asked for a permission has so long to give it.
DECISION = timedelta(minutes=10)


def silent_at(state: Realm) -> datetime | None:
    """When an agent outside that says nothing has had its turn; None while nobody outside is waited for."""
    acting = state.acting
    if acting is None or acting.asked_at is None:
        return None
    if state.request is not None:
        return acting.asked_at + DECISION
    agent = state.agent(acting.errand.agent)
    return acting.asked_at + timedelta(seconds=0 if agent is None else agent.seconds)


def wake_at(state: Realm) -> datetime | None:
    """When the realm wants to be woken: at once while an agent has something to do and nobody is waited for."""
    if state.is_removed or state.at is None:
        return None
    if (silent := silent_at(state)) is not None:
        return silent
    if state.is_held:
        return None
    process = state.process
    runs = process is not None and process.status == "running"
    return state.at if state.acting is not None or state.agenda or runs else None
