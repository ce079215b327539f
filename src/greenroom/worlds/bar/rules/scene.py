"""A turn being put together: events and memories in the order in which things are said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from greenroom.kernel.words import Memory, Words
from greenroom.kernel.worlds import CommandContext, Done, done
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules.content import Content, fresh, mark
from greenroom.worlds.bar.rules.state import BART, Agent, Bar


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

    def add(self, *events: e.Event) -> None:
        self.events.extend(events)

    def hear(self, words: Words, *, counted: bool = True, kind: str = "message") -> None:
        self.memories.append(self.given.hear(words, agent=BART, kind=kind))
        self.events.append(e.GuestSaid(session_id=self.session_id, words=words, counted=counted))

    def say(self, agent: Agent, kind: e.LineKind, text: str) -> None:
        memory = self.given.memory(self._said, agent=BART, speaker=agent, text=text)
        self._said += 1
        sign = mark(text)
        self._marks.append(sign)
        self.memories.append(memory)
        spoke = e.Spoke(session_id=self.session_id, agent=agent, kind=kind, words=memory.words, mark=sign)
        self.events.append(spoke)

    def pick(self, lines: tuple[str, ...] | list[str]) -> str:
        """A line that was not said lately, chosen by the place in the stream."""
        place = (self.state.anonymous_id, self.given.version, self._said)
        return fresh(lines, (*self.state.marks, *self._marks), *place)

    def used(self, text: str) -> bool:
        return mark(text) in self.state.marks

    def done(self) -> Done[e.Event]:
        return done(*self.events, memories=self.memories)
