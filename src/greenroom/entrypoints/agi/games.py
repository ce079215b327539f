"""Games in a house: create one, look at it, act in it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from greenroom.kernel.asks import Json
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.errors import Malformed, OutOfRange, Refused, Unknown
from greenroom.kernel.journal import Attempt, Stream
from greenroom.kernel.lineage import segments
from greenroom.kernel.tables import Table
from greenroom.kernel.worlds import Seat
from greenroom.services.house import House
from greenroom.worlds.secret_agi import NAME, GameConfig
from greenroom.worlds.secret_agi.commands import label
from greenroom.worlds.secret_agi.papers import side_of
from greenroom.worlds.secret_agi.state import Game
from greenroom.worlds.secret_agi.tables import GAMES, config_of

Row = Mapping[str, Any]


async def create_game(
    house: House, config: GameConfig | Json, *, name: str | None = None, seed: int | None = None
) -> str:
    """Open a game and give its id."""
    return (await house.start(NAME, config, name=name, seed=seed)).stream


async def game_stream(house: House, game: str) -> Stream:
    """The stream of a game.

    Raises:
        Unknown: there is no such stream, or it is no game.
    """
    stream = await house.backend.streams.get(game)
    if stream.world != NAME:
        raise Unknown(f"{game} is a stream of {stream.world}, not a game of Secret AGI")
    return stream


async def load_game_state(house: House, game: str, turn: int | None = None) -> Json:
    """The whole state after a turn, its sums verified; the newest by default.

    Raises:
        OutOfRange: the game has no such turn.
        CorruptHistory: a stored sum does not agree.
    """
    stream = await game_stream(house, game)
    if turn is not None and not 0 <= turn < stream.version:
        raise OutOfRange(f"game {game} has turns 0 to {stream.version - 1}; {turn} is not among them")
    head = await house.driver.heads.at(game, None if turn is None else turn + 1)
    return parse(canonical(head.state))


async def act(
    house: House,
    game: str,
    player: Seat,
    action: str,
    parameters: Json = None,
    *,
    key: str | None = None,
    person: str | None = None,
) -> Mapping[str, Any]:
    """Give a person's action. It never raises for an invalid one: that is recorded, and the answer says why."""
    codec = house.codecs[NAME]
    try:
        command = codec.command_from(action, {} if parameters is None else parameters)
        reply = await house.send(game, command, seat=player, key=key or secrets.token_hex(8), person=person)
    except (Refused, Malformed) as refusal:
        look = await house.view(game, seat=player)
        return {
            "success": False,
            "error": str(refusal),
            "events": [],
            "state": look.body,
            "legal": await able(house, game, player),
            "chat": [],
        }
    body: Mapping[str, Any] = reply.body
    return body


async def able(house: House, game: str, player: Seat) -> list[str]:
    """What a person in this seat may do now, in a few words each."""
    return [label(getattr(option, "example", option)) for option in await house.legal(game, player)]


# rows, the shared past of a branch included


async def rows(house: House, game: str, table: Table) -> list[Row]:
    """The rows of a log table in order; a branch's past is read through its parents."""
    chain = await house.backend.streams.lineage(game)
    found: list[Row] = []
    for part in reversed(segments(chain, chain[0].version)):
        own = await house.backend.tables.rows(part.stream, table)
        found += [row for row in own if part.after < row["version"] <= part.upto]
    return found


async def players(house: House, game: str) -> list[Row]:
    """Who plays, in seat order: from the state, since a branch shares rows with nobody."""
    state: Game = (await house.driver.heads.now(game)).state
    return [
        {
            "game_id": game,
            "player_id": player.id,
            "agent_type": player.agent,
            "agent_config": player.config,
            "role": player.role,
            "allegiance": side_of(player.role),
            "alive": i not in state.dead,
        }
        for i, player in enumerate(state.players)
    ]


async def attempts(house: House, game: str) -> list[Attempt]:
    """The attempts of a game, its own only."""
    found: list[Attempt] = []
    while page := await house.backend.streams.attempts(game, after=found[-1].n if found else 0):
        found += page
    return found


async def summary(house: House, game: str) -> dict[str, Any]:
    """The game's own row as it stands, and where it branched off; a branch has a row only from its first round on."""
    chain = await house.backend.streams.lineage(game)
    own = await house.backend.tables.rows(game, GAMES)
    state: Game = (await house.driver.heads.now(game)).state
    return {
        "created_at": state.started_at.isoformat(),
        "updated_at": state.since.isoformat(),
        **(own[0] if own else {}),
        "id": game,
        "status": state.status,
        "config": config_of(state),
        "current_turn": chain[0].version - 1,
        "final_outcome": None if chain[0].outcome is None else parse(chain[0].outcome),
        "metadata": {"parent": chain[0].parent, "branched_at": _branched(chain)},
    }


def _branched(chain: Sequence[Stream]) -> int | None:
    return chain[0].forked_at - 1 if chain[0].parent is not None else None
