"""The outside of a trial: a clock moved by hand, models and tools that are functions, a channel that keeps all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from greenroom.journal.records import Entry
from greenroom.kernel.asks import Ask, AskModel, Failed, Json, UseTool
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import fingerprint
from greenroom.ports import Asked, Channel, Outgoing


class HandClock:
    """Stands still until it is moved."""

    def __init__(self, now: int) -> None:
        self._now = now

    def now(self) -> int:
        return self._now

    async def until(self, moment: int) -> None:
        """Returns at once: nobody waits on a clock that stands still."""

    def move(self, moment: int) -> None:
        self._now = max(self._now, moment)


@dataclass(slots=True)
class FunctionModels:
    """Answers by a function, fails now and then, and keeps what it was asked."""

    answer: Callable[[Ask], Json | Failed]
    #: One ask in so many fails; 0 for none.
    failing: int
    seed: int
    asked: list[tuple[Asked, AskModel]] = field(default_factory=list)

    async def ask(self, ask: AskModel, asked: Asked) -> tuple[Json | Failed, Sequence[Entry]]:
        self.asked.append((asked, ask))
        fails = self.failing and not Chance("fails", self.seed, fingerprint(ask).hex()).below(self.failing)
        value = Failed("the provider is down") if fails else self.answer(ask)
        status = "failed" if isinstance(value, Failed) else "ok"
        return value, (Entry(n=asked.i, role=ask.role, model="function", at=asked.at, status=status),)


@dataclass(slots=True)
class FunctionTools:
    """Uses a tool by a function; the same key gets the same answer."""

    answer: Callable[[Ask], Json | Failed]
    used: dict[str, Json | Failed] = field(default_factory=dict)

    async def use(self, ask: UseTool, key: str) -> Json | Failed:
        return self.used.setdefault(key, self.answer(ask))


class KeepingChannel:
    """Keeps every letter it was given, once."""

    costs = False

    def __init__(self) -> None:
        self.sent: dict[str, Outgoing] = {}

    async def send(self, letter: Outgoing) -> None:
        self.sent.setdefault(letter.id, letter)


class EveryChannel(Mapping[str, Channel]):
    """The same channel under any name."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def __getitem__(self, name: str) -> Channel:
        return self._channel

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 1
