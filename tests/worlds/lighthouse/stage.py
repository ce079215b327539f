"""A visit driven by hand: every ask is answered by the test, every event goes through the codec."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from greenroom.adapters.content import load, packaged
from greenroom.kernel.asks import Ask, AskModel, Read, Recall, Recalled, Roll
from greenroom.kernel.chance import roll
from greenroom.kernel.codec import Codec, canonical, filled
from greenroom.kernel.desk import command_memory
from greenroom.kernel.letters import LetterChange
from greenroom.kernel.script import Script
from greenroom.kernel.tables import Change
from greenroom.kernel.words import Memory, Words
from greenroom.kernel.worlds import HOUSE, Done, Given, Seat, Told, Turn, Wake
from greenroom.worlds.lighthouse import Content, lighthouse
from greenroom.worlds.lighthouse.commands import Visit
from greenroom.worlds.lighthouse.events import Event
from greenroom.worlds.lighthouse.lines import answer
from greenroom.worlds.lighthouse.state import VISITOR, Lighthouse

NOON = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)


@cache
def shipped() -> Content:
    """The content in the package."""
    return load(packaged("greenroom.worlds.lighthouse", "content/lighthouse.yaml"), Content)


class Stage:
    """One stream. Dice fall as laid in ``dice``, the model says what is in ``says``; else the seed rules."""

    def __init__(self, content: Content | None = None, *, at: datetime = NOON, seed: int = 1) -> None:
        self.content = content or shipped()
        self.world = lighthouse(self.content)
        self.codec = Codec(self.world)
        self.at, self.seed, self.n, self.version = at, seed, 0, 0
        self.state: Lighthouse = self.world.blank
        self.dice: deque[Sequence[int]] = deque()
        self.says: deque[Any] = deque()
        self.recalls: list[Recalled] = []
        self.texts: dict[str, str] = {}
        self.told: list[Told[Event]] = []
        self.asked: list[Ask] = []
        self.memories: list[Memory] = []
        self.changes: list[Change] = []
        self.letters: list[LetterChange] = []

    def open(self, dice: Sequence[int] | None = None) -> Stage:
        if dice is not None:
            self.dice.append(dice)
        given = self._given(Visit(), HOUSE)
        self._settle(self._run(self.world.open(given)))
        return self

    def send(self, command: Any, *, seat: Seat = VISITOR, at: datetime | None = None) -> Any:
        """Give a command; what its seat is told, words filled in."""
        self.at = at or self.at
        given = self._given(self._spoken(command), seat)
        told = self._settle(self._run(self.world.handle(self.state, given)))
        return self.plain(self.world.reply(self.state, told, seat))

    def wake(self) -> Sequence[Event]:
        """Let the clock run to the moment the world named."""
        due = self.world.wake_at(self.state)
        assert due is not None
        self.at = max(due, self.at)
        done = self._run(self.world.handle(self.state, self._given(Wake(), HOUSE)))
        return [told.event for told in self._settle(done)]

    def view(self, seat: Seat) -> Any:
        return self.plain(self.world.view(self.state, seat, self.at))

    def shown(self, seat: Seat) -> list[Mapping[str, Any] | None]:
        return [self.plain(self.world.shows(self.state, told, seat)) for told in self.told]

    def prompts(self) -> list[AskModel]:
        return [ask for ask in self.asked if isinstance(ask, AskModel)]

    def plain(self, value: Any) -> Any:
        return filled(value, self.texts.__getitem__)

    def rows(self, table: str) -> list[Mapping[str, Any]]:
        return [change.values for change in self.changes if change.table == table]  # type: ignore[union-attr]

    def _given(self, command: Any, seat: Seat) -> Given[Any]:
        self.n += not isinstance(command, Wake)
        return Given(
            stream="s",
            n=self.n,
            version=self.version + 1,
            at=self.at,
            seat=seat,
            owner="ada",
            command=command,
        )

    def _spoken(self, command: Any) -> Any:
        words = [
            Words(word.text, id=command_memory("s", self.n + 1, i))
            for i, word in enumerate(self.codec.words_of(command))
        ]
        self.texts |= {word.id: word.text for word in words if word.text is not None}
        return self.codec.with_words(command, words)

    def _run(self, turn: Turn[Event]) -> Done[Event]:
        script = Script(turn)
        while (done := script.run()) is None:
            for n, ask in list(script.pending.items()):
                self.asked.append(ask)
                script.answer(n, self._answer(n, ask))
        return done

    def _answer(self, n: int, ask: Ask) -> Any:
        match ask:
            case Roll(sides):
                return self.dice.popleft() if self.dice else roll(self.seed, self.n, n, sides)
            case Read(ids):
                return {id: self.texts[id] for id in ids if id in self.texts}
            case Recall():
                return self.recalls
            case AskModel():
                return self.says.popleft() if self.says else answer(self.content, ask)
            case _:
                raise AssertionError(f"the lighthouse does not ask {ask}")

    def _settle(self, done: Done[Event]) -> list[Told[Event]]:
        self.memories += done.memories
        self.texts |= {memory.id: memory.text for memory in done.memories if memory.text is not None}
        return [told for events in done.steps for told in self._step(events)]

    def _step(self, events: Iterable[Event]) -> list[Told[Event]]:
        self.version += 1
        stored = self.codec.read_events(self.codec.events(tuple(events)))
        told = [
            Told(stream="s", version=self.version, ordinal=i, at=self.at, event=event) for i, event in enumerate(stored)
        ]
        for one in told:
            self.state = self.world.evolve(self.state, one)
            self.changes += self.world.rows(self.state, one)
            self.letters += self.world.letters(self.state, one)
        data = canonical(self.state)
        assert canonical(self.codec.read_state(data, self.world.shape, "")) == data
        self.told += told
        return told
