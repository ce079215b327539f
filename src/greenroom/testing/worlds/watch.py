"""Watches the rules at work: every turn is run a second time on equal inputs and must do the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from greenroom.kernel.codec import Codec, canonical
from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import CommandContext, Done, Turn, World

Exchange = tuple[Any, Any]


@dataclass(slots=True)
class Watch:
    """Collects what is wrong; whoever plays looks here after every step, since a turn's own errors are retried."""

    world: World[Any, Any, Any]
    codec: Codec[Any, Any, Any] = field(init=False)
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.codec = Codec(self.world)

    def watched(self) -> World[Any, Any, Any]:
        return replace(self.world, open=self._open, handle=self._handle)

    def _open(self, given: CommandContext[Any]) -> Turn[Any]:
        return (yield from self._twice(given, lambda: self.world.open(given)))

    def _handle(self, state: Any, given: CommandContext[Any]) -> Turn[Any]:
        before = self.codec.state(state)
        equal = self.codec.read_state(before, self.world.shape, "")
        states = iter((state, equal))
        done = yield from self._twice(given, lambda: self.world.handle(next(states), given))
        if before != self.codec.state(state):
            self._trouble(given, "changed the state it was given; rules are pure")
        return done

    def _twice(self, given: CommandContext[Any], make: Callable[[], Turn[Any]]) -> Turn[Any]:
        turn, exchanges, answer = make(), list[Exchange](), None
        while True:
            try:
                ask = turn.send(answer)
            except StopIteration as stop:
                self._repeat(given, make(), exchanges, stop.value)
                return stop.value  # type: ignore[no-any-return]
            except Refused as refusal:
                self._repeat(given, make(), exchanges, refusal)
                raise
            try:
                answer = yield ask
            finally:
                exchanges.append((ask, deepcopy(answer)))

    def _repeat(self, given: CommandContext[Any], turn: Turn[Any], exchanges: Sequence[Exchange], ended: Any) -> None:
        """Run a turn again with the answers it had."""
        answer = None
        try:
            for asked, answered in exchanges:
                ask = turn.send(answer)
                if canonical(ask) != canonical(asked):
                    self._trouble(given, "asks something else when it is run again; rules are pure")
                    return
                answer = answered
            turn.send(answer)
            self._trouble(given, "asks more when it is run again; rules are pure")
        except StopIteration as stop:
            if self._told(stop.value) != self._told(ended):
                self._trouble(given, "comes to another end when it is run again; rules are pure")
        except Refused as refusal:
            if self._told(refusal) != self._told(ended):
                self._trouble(given, "is refused otherwise when it is run again; rules are pure")

    def _told(self, ended: Any) -> Any:
        if isinstance(ended, Done):
            return [self.codec.events(step) for step in ended.steps], ended.memories
        return str(ended)

    def _trouble(self, given: CommandContext[Any], what: str) -> None:
        name = type(given.command).__name__
        self.troubles.append(f"{self.world.name}, attempt {given.n}: the turn of {name} {what}")
