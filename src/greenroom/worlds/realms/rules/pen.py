"""What a turn writes while it is decided: events, the words they name, and the realm as it will be after them."""

from __future__ import annotations

from typing import Any

from greenroom.kernel.words import Memory, Words
from greenroom.kernel.worlds import CommandContext, Done, EventContext
from greenroom.worlds.realms.rules.events import Event
from greenroom.worlds.realms.rules.folding import evolve
from greenroom.worlds.realms.rules.state import Realm


class Pen:
    """Collects what one turn decides; ``state`` is always the realm after it."""

    def __init__(self, state: Realm, given: CommandContext[Any]) -> None:
        self.state = state
        self.given = given
        self._events: list[Event] = []
        self._memories: list[Memory] = []

    def tell(self, *events: Event) -> None:
        """Let these things happen."""
        for event in events:
            told = EventContext(
                stream=self.given.stream,
                version=self.given.version,
                ordinal=len(self._events),
                at=self.given.at,
                event=event,
            )
            self.state = evolve(self.state, told)
            self._events.append(event)

    def write(self, text: str, *, agent: str, kind: str = "note", **more: Any) -> Words:
        """Keep words that an agent may recall; an event may name them."""
        made = self.given.memory(len(self._memories), agent=agent, text=text, kind=kind, speaker=agent, **more)
        self._memories.append(made)
        return made.words

    def hear(self, words: Words, *, agent: str) -> Words:
        """Give the words of the command to an agent."""
        self._memories.append(self.given.hear(words, agent=agent))
        return words

    @property
    def place(self) -> str:
        """A name for the next thing that happens, which nothing else has."""
        return f"{self.given.stream}/{self.given.version}.{len(self._events)}"

    def done(self) -> Done[Event]:
        return Done(steps=(tuple(self._events),) if self._events else (), memories=tuple(self._memories))


__all__ = ["Pen"]
