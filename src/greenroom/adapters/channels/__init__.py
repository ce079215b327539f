"""Channels that need no outside, and the switchboard that finds a channel by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from greenroom.ports import Channel, Outgoing

#: Makes the channel of one name: ``email`` and ``email:cipher`` are two mailboxes of one server.
ChannelMaker: TypeAlias = Callable[[str], Channel]


class RecordingChannel:
    """Keeps what was sent, once per letter."""

    costs = False

    def __init__(self) -> None:
        self.sent: dict[str, Outgoing] = {}

    async def send(self, letter: Outgoing) -> None:
        self.sent.setdefault(letter.id, letter)


class LocalInbox:
    """Delivers by letting the letter be settled: the row in the journal is what the inbox page shows.

    A letter sent twice is still one row, so doubles are dropped by themselves.
    """

    costs = False

    async def send(self, letter: Outgoing) -> None:
        """Nothing to do; the postman writes that the letter was sent."""


class Switchboard(Mapping[str, Channel]):
    """Channels by name; a name such as ``email:cipher`` that has none of its own is served by ``email``.

    A channel is made when it is first needed and kept.
    """

    def __init__(self, makers: Mapping[str, ChannelMaker]) -> None:
        self._makers = dict(makers)
        self._made: dict[str, Channel] = {}

    def __getitem__(self, name: str) -> Channel:
        if name not in self._made:
            maker = self._makers.get(name) or self._makers[name.partition(":")[0]]
            self._made[name] = maker(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


__all__ = ["ChannelMaker", "LocalInbox", "RecordingChannel", "Switchboard"]
