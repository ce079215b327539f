"""One turn in the making: events are folded as they are told, so that what follows sees what went before."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from greenroom.kernel.words import Memory, Words
from greenroom.kernel.worlds import CommandContext, Done, EventContext
from greenroom.worlds.phantom.rules.content import Agent, Content
from greenroom.worlds.phantom.rules.events import Event, MilestoneReached, evolve
from greenroom.worlds.phantom.rules.state import Character, Phantom

NAME = "phantom"


class Scene:
    """The state as it becomes, and what the turn will return."""

    def __init__(self, content: Content, state: Phantom, given: CommandContext[Any]) -> None:
        self.content = content
        self.state = state
        self.given = given
        self.events: list[Event] = []
        self.memories: list[Memory] = []
        self._spoken = 0

    @property
    def at(self) -> datetime:
        return self.given.at

    def tell(self, event: Event) -> None:
        place = {"stream": self.given.stream, "version": self.given.version, "ordinal": len(self.events)}
        self.state = evolve(self.state, EventContext(**place, at=self.at, event=event))  # type: ignore[arg-type]
        self.events.append(event)

    def remember(
        self,
        agent: str,
        text: str,
        *,
        speaker: str,
        kind: str = "message",
        supersedes: str | None = None,
        **meta: Any,
    ) -> Words:
        """Put words into the memory of one agent; returns their id."""
        more: dict[str, Any] = {"kind": kind, "meta": meta, "supersedes": supersedes}
        memory = self.given.memory(self._spoken, agent=agent, text=text, speaker=speaker, **more)
        self._spoken += 1
        self.memories.append(memory)
        return Words(id=memory.id)

    def spoken(self, count: int) -> int:
        """Take so many numbers of memories; returns the first."""
        self._spoken += count
        return self._spoken - count

    def hear(self, words: Words, agent: str, **meta: Any) -> Words:
        """Give the player's words to one agent and no other; returns their id."""
        self.memories.append(self.given.hear(words, agent=agent, meta=meta))
        return Words(id=words.id)

    def done(self) -> Done[Event]:
        return Done(steps=(tuple(self.events),) if self.events else (), memories=tuple(self.memories))

    def reach(self, milestone: str, *, agent: str | None = None, **context: Any) -> bool:
        """Reach a milestone, once and for all; False if it was reached before."""
        if milestone in self.state.milestones:
            return False
        self.tell(MilestoneReached(milestone=milestone, agent=agent, context=context))
        return True

    # shorthands

    def agent(self, name: str) -> Agent:
        return self.content.agents[name]

    def character(self, name: str) -> Character:
        return self.state.cast[name]
