"""Opening a game: who sits down, and all the chance there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast, get_args

from greenroom.kernel.asks import Roll
from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import HOUSE, OPERATOR, CommandContext, Turn, done
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.papers import DECK, FEWEST, MOST, RULE_SETS, Role, RuleSet, roles_of, side_of
from greenroom.worlds.secret_agi.rules.rules import Scene, begin
from greenroom.worlds.secret_agi.rules.state import Agent, Game, Player

ALIASES: dict[str, Agent] = {
    "random": "RandomPlayer",
    "heuristic": "HeuristicPlayer",
    "weak": "WeakPlayer",
    "middle": "MiddlePlayer",
    "strong": "StrongPlayer",
    "model": "LLMPlayer",
    "llm": "LLMPlayer",
    "human": "HumanPlayer",
}
AGENTS: tuple[str, ...] = get_args(Agent)
BY_SIDE = "BySide"


def opened(given: CommandContext[c.GameConfig]) -> Turn[e.Event]:
    """Deal roles, shuffle the deck once, choose the first Director: all the chance there is."""
    config = given.command
    seats = _seats(config)
    count = len(seats)
    sides = (*range(count, 1, -1), *range(len(DECK), 1, -1), count, 1 << 53)
    rolled: tuple[int, ...] = yield Roll(sides)
    roles = _shuffled(roles_of(count), rolled[: count - 1])
    deck = _shuffled(DECK, rolled[count - 1 : -2])
    players = tuple(player_of(seat, role) for seat, role in zip(seats, roles, strict=True))
    started = e.GameStarted(
        players=players,
        deck=deck,
        director=players[rolled[-2]].id,
        seed=rolled[-1] if config.seed is None else config.seed,
        talks=config.discussion.K if config.discussion.on else 0,
        self_nomination=config.self_nomination,
        seconds=config.decision_seconds,
        most_turns=config.max_turns,
        rules=cast(RuleSet, config.rules),
    )
    scene = Scene(Game(), given.at, 0)
    scene.tell(started)
    begin(scene)
    if config.paused:
        scene.tell(e.GamePaused())
    return done(*scene.events)


def _shuffled(cards: Sequence[Any], rolled: Sequence[int]) -> tuple[Any, ...]:
    mixed = list(cards)
    for last, other in zip(range(len(mixed) - 1, 0, -1), rolled, strict=True):
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return tuple(mixed)


def _seats(config: c.GameConfig) -> tuple[c.SeatConfig, ...]:
    """The seats of a game.

    Raises:
        Refused: the table has the wrong size, a seat is named twice, or a setting is out of range.
    """
    count = config.player_count
    expect(FEWEST <= count <= MOST, f"player_count is {FEWEST} to {MOST}, not {count}")
    seats = config.seats or tuple(c.SeatConfig(player_id=f"player_{i + 1}") for i in range(count))
    expect(len(seats) == count, f"{len(seats)} seats are given for {count} players")
    names = [seat.player_id for seat in seats]
    expect(len(set(names)) == count, "every seat needs a player_id of its own")
    for name in names:
        fits = 0 < len(name) <= 40 and name.isprintable() and name not in (HOUSE, OPERATOR)
        expect(fits, "a player_id has 1 to 40 printable characters and is not 'house' or 'operator'")
    expect(1 <= config.discussion.K <= 10, f"discussion.K is 1 to 10, not {config.discussion.K}")
    expect(0 <= config.decision_seconds <= 86_400, "decision_seconds is 0 to 86400")
    expect(1 <= config.max_turns <= 100_000, "max_turns is 1 to 100000")
    expect(config.rules in RULE_SETS, f"rules is {' or '.join(RULE_SETS)}")
    for seat in seats:
        _agents_of(seat)
    return seats


def expect(holds: bool, otherwise: str) -> None:  # noqa: FBT001
    if not holds:
        raise Refused(otherwise)


def _agents_of(seat: c.SeatConfig) -> tuple[Agent, Agent]:
    """Who plays the seat for Safety and who for Acceleration; the same unless ``BySide``."""
    if seat.agent_type != BY_SIDE:
        agent = _agent(seat.agent_type)
        return agent, agent
    config = seat.agent_config
    return _agent(config.get("safety", "random")), _agent(config.get("acceleration", "random"))


def _agent(name: Any) -> Agent:
    found = ALIASES.get(name, name) if isinstance(name, str) else None
    if found not in AGENTS:
        raise Refused(f"there is no agent of that type; agent_type is one of {', '.join((*AGENTS, BY_SIDE))}")
    return cast(Agent, found)


def player_of(seat: c.SeatConfig, role: Role) -> Player:
    safety, acceleration = _agents_of(seat)
    agent = safety if side_of(role) == "Safety" else acceleration
    return Player(seat.player_id, agent, role, dict(seat.agent_config))
