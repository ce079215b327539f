"""How long anybody waits."""

from __future__ import annotations

from datetime import datetime, timedelta

from greenroom.worlds.realms.rules.state import Realm

#: An agent outside that says nothing for so long has had its turn.
SILENCE = timedelta(seconds=5)


def wake_at(state: Realm) -> datetime | None:
    """When the realm wants to be woken: at once while an agent has something to do and nobody is waited for."""
    if state.is_removed or state.at is None:
        return None
    if state.acting is not None and state.acting.asked_at is not None:
        return state.acting.asked_at + SILENCE
    if state.is_held:
        return None
    process = state.process
    runs = process is not None and process.status == "running"
    return state.at if state.acting is not None or state.agenda or runs else None
