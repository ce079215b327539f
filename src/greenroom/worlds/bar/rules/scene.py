"""A turn being put together: events and memories in the order in which things are said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from greenroom.kernel.asks import Noticed
from greenroom.kernel.facts import noted
from greenroom.kernel.words import RAW, Memory, Scope, Words
from greenroom.kernel.worlds import CommandContext, Done, done
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules.content import Content, fresh, mark
from greenroom.worlds.bar.rules.state import BART, GUEST, Agent, Bar, flagged, is_hushed

NAME = "bar"


def scope(given: CommandContext[Any]) -> Scope:
    """Whose memories, told to whom: the guest's, to Bart."""
    return Scope(world=NAME, owner=given.owner, agent=BART)


@dataclass(slots=True)
class Scene:
    """Collects what one turn leads to. Bart is behind the bar: every line of the room is his to remember."""

    content: Content
    state: Bar
    given: CommandContext[Any]
    session_id: str
    events: list[e.Event] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    _said: int = 0
    _marks: list[str] = field(default_factory=list)

    @property
    def gentle(self) -> bool:
        """Whether this is one of the days after a crisis."""
        return flagged(self.state, self.content.house.today(self.given.at))

    @property
    def hushed(self) -> bool:
        """Whether this is an evening of which nothing is said back."""
        return is_hushed(self.state, self.given.at)

    def add(self, *events: e.Event) -> None:
        self.events.extend(events)

    def hear(self, words: Words, *, counted: bool = True, hushed: bool = False, **more: bool) -> None:
        """Take down what the guest said; of a hard evening it is kept for the house and never recalled."""
        kind = RAW if hushed or self.hushed else "message"
        self.memories.append(self.given.hear(words, agent=BART, kind=kind))
        self.events.append(e.GuestSaid(session_id=self.session_id, words=words, counted=counted, **more))

    def say(self, agent: Agent, kind: e.LineKind, text: str) -> None:
        memory = self.given.memory(self._next(), agent=BART, speaker=agent, text=text)
        sign = mark(text)
        self._marks.append(sign)
        self.memories.append(memory)
        spoke = e.Spoke(session_id=self.session_id, agent=agent, kind=kind, words=memory.words, mark=sign)
        self.events.append(spoke)

    def keep(self, text: str, **meta: str) -> Words:
        """Keep what a model said for whoever looks into the house; nobody recalls it."""
        memory = self.given.memory(self._next(), agent=RAW, text=text, kind=RAW, meta=meta)
        self.memories.append(memory)
        return memory.words

    def note(self, found: Sequence[Noticed], source: Words) -> None:
        """Keep facts that were noticed."""
        events, kept = noted(self.given, found, agent=BART, source=source, first=self._said, speaker=GUEST)
        self._said += len(kept)
        self.events.extend(events)
        self.memories.extend(kept)

    def pick(self, lines: Sequence[str], *others: Sequence[str]) -> str:
        """A line that was not said lately, chosen by the place in the stream; where none is left, one of the others."""
        place = (self.state.anonymous_id, self.given.version, self._said)
        left = next((group for group in (lines, *others) if not all(map(self.used, group))), lines)
        return fresh(left, (*self.state.marks, *self._marks), *place)

    def used(self, text: str) -> bool:
        return mark(text) in self.state.marks or mark(text) in self._marks

    def done(self) -> Done[e.Event]:
        return done(*self.events, memories=self.memories)

    def _next(self) -> int:
        self._said += 1
        return self._said - 1
