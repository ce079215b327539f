"""What a world brings along to be tried."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from greenroom.kernel.asks import Ask, Failed, Json
from greenroom.kernel.chance import Chance
from greenroom.kernel.worlds import Seat, World


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """Words that may reach these seats and no other."""

    text: str
    known_to: Collection[Seat]


def _nobody_answers(ask: Ask) -> Failed:
    return Failed("nobody answers in this trial")


def _no_secrets(_: Any) -> tuple[Secret, ...]:
    return ()


def _all_alike(_: Any) -> int:
    return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One world with all that is needed to play it."""

    world: World[Any, Any, Any]
    #: Configs to open streams with: some to choose from, or a function that makes one.
    configs: Sequence[Any] | Callable[[Chance], Any] = (None,)
    owner: str = "ada"
    #: Answers an ``AskModel`` or a ``UseTool``; the same ask always gets the same.
    answer: Callable[[Ask], Json | Failed] = _nobody_answers
    #: One ask in so many fails, so that fallbacks are played too; 0 for none.
    failing: int = 8
    #: What is secret in a state, and from whom it is not.
    secrets: Callable[[Any], Iterable[Secret]] = _no_secrets
    #: How gladly a legal command is given: one that ends the play at once deserves less than the others.
    weight: Callable[[Any], int] = _all_alike
    #: Worlds that this one plays.
    others: Sequence[World[Any, Any, Any]] = ()
    starts_at: datetime = datetime(2031, 3, 1, 9, 30, tzinfo=UTC)
    #: The longest time that passes between two commands.
    pause: timedelta = timedelta(hours=7)

    @property
    def worlds(self) -> tuple[World[Any, Any, Any], ...]:
        return (self.world, *self.others)

    def config(self, chance: Chance) -> Any:
        return self.configs(chance) if callable(self.configs) else chance.choose(tuple(self.configs))
