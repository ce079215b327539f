"""What if: a game played on from any of its turns, with other agents if wished."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.journal.records import Stream
from greenroom.kernel.errors import OutOfRange
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import OPERATOR
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import games
from greenroom.worlds.secret_agi.faces.app.tournament import Tournament
from greenroom.worlds.secret_agi.rules.commands import Reseat, Resume, SeatConfig


async def branch(
    house: House,
    game: str,
    *,
    turn: int | None = None,
    seats: Sequence[SeatConfig] = (),
    seed: int | None = None,
    name: str | None = None,
) -> Stream:
    """Branch off after a turn, the newest by default; whoever is named takes a seat over, and the agents play on.

    Raises:
        OutOfRange: the game has no such turn.
        Refused: nobody can take a seat of that name, or the game is over at that turn.
    """
    stream = await games.game_stream(house, game)
    if turn is not None and not 0 <= turn < stream.version:
        raise OutOfRange(f"game {game} has turns 0 to {stream.version - 1}; {turn} is not among them")
    # Asleep until others have sat down: whoever is replaced must not act before.
    made = await house.branch(game, None if turn is None else turn + 1, name=name)
    if seats or seed is not None:
        seats = seats or await _as_they_sit(house, made.name)
        await house.send(made.name, Reseat(seats=tuple(seats), seed=seed), seat=OPERATOR, key="reseat")
    await go_on(house, made.name)
    return made


async def _as_they_sit(house: House, game: str) -> list[SeatConfig]:
    """Every seat with the agent that has it: other dice, the same players."""
    return [
        SeatConfig(player_id=row["player_id"], agent_type=row["agent_type"], agent_config=dict(row["agent_config"]))
        for row in await games.players(house, game)
    ]


async def go_on(house: House, game: str) -> None:
    """Wake a branch on its own clock; a game on the house's clock needs nobody for that."""
    stream = await house.stream(game)
    if stream.clock_at is not None:
        await house.wake(game, moment(max(stream.clock_at, stream.last_at)))


async def unpause(house: House, game: str) -> bool:
    """Resume a game if it is paused."""
    look = await house.view(game, seat=OPERATOR)
    if look.body["status"] != "paused":
        return False
    await house.send(game, Resume(), seat=OPERATOR)
    return True


async def taken_over(house: House, game: str, agents: str) -> list[SeatConfig]:
    """Every seat of a game with the agents that a tournament of this name would have."""
    sat = await games.players(house, game)
    wanted = Tournament(games=1, players=len(sat), agents=agents).seats()
    return [
        SeatConfig(player_id=row["player_id"], agent_type=seat.agent_type, agent_config=seat.agent_config)
        for row, seat in zip(sat, wanted, strict=True)
    ]
