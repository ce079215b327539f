"""A visit driven by hand: dice fall as the test lays them, the model says what the test says."""

from __future__ import annotations

from collections import deque
from collections.abc import Coroutine, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from greenroom.adapters.content import load, packaged
from greenroom.adapters.facts import PatternNoticing
from greenroom.adapters.understudy import ByWords
from greenroom.kernel.asks import Alike, Ask, AskModel, Fact, Facts, Latest, Notice, Read, Recall, Recalled, Roll
from greenroom.kernel.chance import roll
from greenroom.kernel.facts import STRUCK
from greenroom.kernel.worlds import Seat
from greenroom.worlds.lighthouse.outside.understudy import KeeperPart
from greenroom.worlds.lighthouse.rules import Content, lighthouse
from greenroom.worlds.lighthouse.rules.commands import Visit
from greenroom.worlds.lighthouse.rules.events import Event
from greenroom.worlds.lighthouse.rules.state import VISITOR, Lighthouse
from tests.worlds.by_hand import ByHand

NOON = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)


@cache
def shipped() -> Content:
    """The content in the package."""
    return load(packaged("greenroom.worlds.lighthouse", "content/lighthouse.yaml"), Content)


@cache
def keeper() -> KeeperPart:
    """Whoever answers by that content; it takes a moment to make."""
    return KeeperPart(shipped())


def _at_once(reading: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine returns that waits for nothing."""
    try:
        reading.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits for something")


class Stage(ByHand[Lighthouse, Event]):
    """One stream. Dice fall as laid in ``dice``, the model says what is in ``says``; else the seed rules."""

    def __init__(self, content: Content | None = None, *, at: datetime = NOON, seed: int = 1) -> None:
        self.content = content or shipped()
        self.keeper = KeeperPart(content) if content else keeper()
        super().__init__(lighthouse(self.content), self._answered, at=at)
        self.seed = seed
        self.dice: deque[Sequence[int]] = deque()
        self.says: deque[Any] = deque()
        self.recalls: list[Recalled] = []

    def open(self, dice: Sequence[int] | None = None) -> Stage:
        if dice is not None:
            self.dice.append(dice)
        self.begin(Visit())
        return self

    def send(self, command: Any, *, seat: Seat = VISITOR, at: datetime | None = None) -> Any:
        self.at = at or self.at
        return self.give(command, seat)

    def facts(self) -> list[Fact]:
        """What is known of the visitor, newest first."""
        kept = [memory for memory in self.memories if memory.kind == "fact"]
        replaced = {memory.supersedes for memory in kept}
        return [
            Fact(
                id=memory.id,
                subject=str(memory.meta["subject"]),
                relation=str(memory.meta["relation"]),
                value=str(memory.meta["value"]),
                text=memory.text or self.texts.get(memory.id, ""),
                at=memory.at or self.at,
            )
            for memory in reversed(kept)
            if memory.id not in replaced and memory.meta["relation"] != STRUCK
        ]

    def _answered(self, n: int, ask: Ask) -> Any:
        match ask:
            case Roll(sides):
                return self.dice.popleft() if self.dice else roll(self.seed, self.n, n, sides)
            case Read(ids):
                return {id: self.texts[id] for id in ids if id in self.texts}
            case Recall():
                return self.recalls
            case AskModel():
                return self.says.popleft() if self.says else self.keeper.answer(ask, ByWords())
            case _:
                return self._known(ask)

    def _known(self, ask: Ask) -> Any:
        match ask:
            case Latest():
                return []
            case Facts():
                return self.facts()
            case Notice(text=text):
                return _at_once(PatternNoticing().notice(text, self.facts()))
            case Alike(text=text, others=others):
                return ByWords().likes(text, others)
            case _:
                raise AssertionError(f"the lighthouse does not ask {ask}")
