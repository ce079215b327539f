"""What every event has."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from greenroom.worlds.phantom.rules.state import Phantom


class PhantomEvent(Struct, frozen=True):
    """Something that happened, and what of the state it changes: nothing where only tables and memory keep it."""

    def change(self, state: Phantom, at: datetime) -> Phantom:
        return state
