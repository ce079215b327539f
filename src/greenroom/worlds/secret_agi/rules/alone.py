"""A game by itself: no house, no storage. For tests, measurements and anything that only wants the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from greenroom.kernel.asks import Ask, Failed, Read, Roll
from greenroom.kernel.chance import roll
from greenroom.kernel.script import Script
from greenroom.kernel.worlds import HOUSE, CommandContext, Done, Turn, Wake
from greenroom.worlds.secret_agi.rules import opening, turns, waiting
from greenroom.worlds.secret_agi.rules.commands import GameConfig
from greenroom.worlds.secret_agi.rules.content import Content
from greenroom.worlds.secret_agi.rules.events import Event
from greenroom.worlds.secret_agi.rules.folding import after
from greenroom.worlds.secret_agi.rules.state import Game

NOON = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)
Answer = Callable[[Ask], Any]
Heard = Callable[[str, str], None]


def _forgotten(_: str, text: str) -> None:
    pass


def _nobody(ask: Ask) -> Any:
    return {} if isinstance(ask, Read) else Failed("nobody answers here")


def game_of(
    content: Content, config: GameConfig, *, seed: int, answer: Answer = _nobody, heard: Heard = _forgotten
) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    """Play to the end, or to the first person's turn; gives every step's events with the game after it.

    Whatever is said is given to ``heard``, with its id, before its step.
    """
    game, version, n = Game(), 0, 0
    command: Any = config
    while True:
        n += 1
        given = CommandContext(
            stream="alone", n=n, version=version + 1, at=NOON, seat=HOUSE, owner="nobody", command=command
        )
        turn = turns.handle(content, game, given) if n > 1 else opening.opened(given)
        ended = _driven(turn, seed, version, answer)
        for memory in ended.memories:
            heard(memory.id, memory.text or "")
        for step in ended.steps:
            for event in step:
                game = after(game, event, NOON)
            version += 1
            yield game, step
        command = Wake()
        due = waiting.wake_at(game)
        if due is None or due > NOON:
            return


def _driven(turn: Turn[Event], seed: int, version: int, answer: Answer) -> Done[Event]:
    script = Script(turn)
    while (ended := script.run()) is None:
        for i, ask in list(script.pending.items()):
            script.answer(i, roll(seed, version, i, ask.sides) if isinstance(ask, Roll) else answer(ask))
    return ended


def end_of(content: Content, config: GameConfig, *, seed: int) -> Game:
    """The last state of a game played by itself."""
    game = Game()
    for game, _ in game_of(content, config, seed=seed):  # noqa: B007
        pass
    return game
