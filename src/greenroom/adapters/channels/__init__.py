"""Channels that need no outside: one that records, for sandboxes and tests."""

from __future__ import annotations

from greenroom.kernel.ports import Outgoing


class RecordingChannel:
    """Keeps what was sent, once per letter."""

    honours_keys = True

    def __init__(self) -> None:
        self.sent: dict[str, Outgoing] = {}

    async def send(self, letter: Outgoing) -> None:
        self.sent.setdefault(letter.id, letter)
