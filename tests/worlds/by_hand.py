"""A stream driven by the rules alone, no house and no database: the test answers every ask, the codec stores events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

from greenroom.journal.transitions import command_memory
from greenroom.kernel.asks import Ask, AskModel
from greenroom.kernel.codec import Codec, canonical, filled
from greenroom.kernel.letters import LetterChange
from greenroom.kernel.script import Script
from greenroom.kernel.tables import Change
from greenroom.kernel.words import Memory, Words
from greenroom.kernel.worlds import HOUSE, CommandContext, Done, EventContext, Seat, Turn, Wake, World

S = TypeVar("S")
E = TypeVar("E")
#: The answer to an ask, by its number in the turn.
Answer = Callable[[int, Ask], Any]


class ByHand(Generic[S, E]):
    """One stream, with everything that happened in it and everything that was asked for."""

    def __init__(self, world: World[S, Any, E], answer: Answer, *, at: datetime) -> None:
        self.world = world
        self.codec = Codec(world)
        self.state: S = world.blank
        self.at, self.n, self.version = at, 0, 0
        self.texts: dict[str, str] = {}
        self.told: list[EventContext[E]] = []
        self.asked: list[Ask] = []
        self.memories: list[Memory] = []
        self.changes: list[Change] = []
        self.letters: list[LetterChange] = []
        self._answer = answer

    # doing

    def begin(self, config: Any) -> None:
        self._settle(self._run(self.world.open(self._given(config, HOUSE))))

    def give(self, command: Any, seat: Seat) -> Any:
        """Give a command; what its seat is told, words filled in."""
        given = self._given(self._spoken(command), seat)
        told = self._settle(self._run(self.world.handle(self.state, given)))
        return self.plain(self.world.reply(self.state, told, seat))

    def wake(self) -> Sequence[E]:
        """Let the clock run to the moment the world named."""
        due = self.world.wake_at(self.state)
        assert due is not None
        self.at = max(due, self.at)
        done = self._run(self.world.handle(self.state, self._given(Wake(), HOUSE)))
        return [told.event for told in self._settle(done)]

    # looking

    def view(self, seat: Seat, *, at: datetime | None = None) -> Any:
        return self.plain(self.world.view(self.state, seat, at or self.at))

    def shown(self, seat: Seat) -> list[Mapping[str, Any] | None]:
        return [self.plain(self.world.shows(self.state, told, seat)) for told in self.told]

    def prompts(self, seat: str | None = None) -> list[AskModel]:
        return [ask for ask in self.asked if isinstance(ask, AskModel) and seat in (None, ask.seat)]

    def plain(self, value: Any) -> Any:
        return filled(value, self.texts.__getitem__)

    def rows(self, table: str) -> list[Mapping[str, Any]]:
        """Everything that was put into a table, one after the other."""
        return [change.values for change in self.changes if change.table == table]  # type: ignore[union-attr]

    # one turn

    def _given(self, command: Any, seat: Seat) -> CommandContext[Any]:
        self.n += not isinstance(command, Wake)
        return CommandContext(
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

    def _run(self, turn: Turn[E]) -> Done[E]:
        script = Script(turn)
        while (done := script.run()) is None:
            for n, ask in list(script.pending.items()):
                self.asked.append(ask)
                script.answer(n, self._answer(n, ask))
        return done

    def _settle(self, done: Done[E]) -> list[EventContext[E]]:
        self.memories += done.memories
        self.texts |= {memory.id: memory.text for memory in done.memories if memory.text is not None}
        return [told for events in done.steps for told in self._step(events)]

    def _step(self, events: Iterable[E]) -> list[EventContext[E]]:
        self.version += 1
        stored = self.codec.read_events(self.codec.events(tuple(events)))
        told = [
            EventContext(stream="s", version=self.version, ordinal=i, at=self.at, event=event)
            for i, event in enumerate(stored)
        ]
        for one in told:
            self.state = self.world.evolve(self.state, one)
            self.changes += self.world.rows(self.state, one)
            self.letters += self.world.letters(self.state, one)
        data = canonical(self.state)
        assert canonical(self.codec.read_state(data, self.world.shape, "")) == data
        self.told += told
        return told
