"""Games in a house: create one, look at it, act in it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from greenroom.journal.lineage import segments
from greenroom.journal.records import Attempt, Stream
from greenroom.kernel.asks import Json
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.errors import Malformed, OutOfRange, Refused, Unknown
from greenroom.kernel.tables import Table
from greenroom.kernel.worlds import OPERATOR, Seat
from greenroom.services.house import House
from greenroom.worlds.secret_agi.rules import NAME, GameConfig
from greenroom.worlds.secret_agi.rules.commands import ACTIONS, Misread, label
from greenroom.worlds.secret_agi.rules.papers import side_of
from greenroom.worlds.secret_agi.rules.state import Game
from greenroom.worlds.secret_agi.rules.tables import GAMES, config_of

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
    stream = await house.stream(game)
    if stream.world != NAME:
        raise Unknown(f"{game} is a stream of {stream.world}, not a game of Secret AGI")
    return stream


async def check_seat(house: House, game: str, seat: Seat, *, person: bool = False) -> None:
    """See that somebody may look, or play, from this seat.

    Raises:
        Malformed: there is no such seat at the table, or an agent plays it.
    """
    state: Game = (await house.head(game)).state
    names = [player.id for player in state.players if not person or player.agent == "HumanPlayer"]
    if seat not in names and (person or seat != OPERATOR):
        others = "" if person else f" and {OPERATOR}"
        kind = "people's seats: " if person else ""
        raise Malformed(f"there is no seat {seat} to take in {game}; it has {kind}{', '.join(names) or 'none'}{others}")


async def load_game_state(house: House, game: str, turn: int | None = None) -> Json:
    """The whole state after a turn, its sums verified; the newest by default.

    Raises:
        OutOfRange: the game has no such turn.
        CorruptHistory: a stored sum does not agree.
    """
    stream = await game_stream(house, game)
    if turn is not None and not 0 <= turn < stream.version:
        raise OutOfRange(f"game {game} has turns 0 to {stream.version - 1}; {turn} is not among them")
    head = await house.head(game, None if turn is None else turn + 1)
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
    key = key or secrets.token_hex(8)
    try:
        command = house.codec(NAME).command_from(action, {} if parameters is None else parameters)
        reply = await house.send(game, command, seat=player, key=key, person=person)
    except Malformed as malformed:
        misread = Misread(action=action if action in ACTIONS else "")
        with suppress(Refused, Malformed):
            await house.send(game, misread, seat=player, key=key, person=person)
        return await _refusal(house, game, player, str(malformed))
    except Refused as refusal:
        return await _refusal(house, game, player, str(refusal))
    body: Mapping[str, Any] = reply.body
    return body


async def record_action(
    house: House, game: str, player: Seat, action: str, parameters: Json = None, *, key: str | None = None
) -> str:
    """Store a person's action and leave it to a worker; gives its id. Until it is settled, its row is pending.

    Raises:
        Malformed: it cannot be read.
    """
    command = house.codec(NAME).command_from(action, {} if parameters is None else parameters)
    receipt = await house.record(game, command, seat=player, key=key or secrets.token_hex(8))
    return f"{game}/{receipt.attempt.n}"


async def complete_action(house: House, action: str) -> dict[str, Any]:
    """Have a recorded action settled, if it is not yet: whether it was valid, and if not, why. Twice is once.

    Raises:
        Unknown: no action was recorded under this id.
        Refused: nobody works in this house.
    """
    game, _, n = action.rpartition("/")
    if not n.isdecimal():
        raise Unknown(f"{action!a} is no action's id; record_action gives one, such as game/7")
    attempt = await house.attempt(game, int(n))
    if attempt.status is None:
        await house.quiet()
        attempt = await house.attempt(game, int(n))
    settled = attempt.status is not None
    is_valid = attempt.status == "settled" if settled else None
    return {"id": action, "is_valid": is_valid, "error_message": attempt.error}


async def _refusal(house: House, game: str, player: Seat, error: str) -> Mapping[str, Any]:
    look = await house.view(game, seat=player)
    legal = await able(house, game, player)
    return {"success": False, "error": error, "events": [], "state": look.body, "legal": legal, "chat": []}


async def able(house: House, game: str, player: Seat) -> list[str]:
    """What a person in this seat may do now, in a few words each."""
    return [label(getattr(option, "example", option)) for option in await house.legal(game, player)]


# rows, the shared past of a branch included


async def rows(house: House, game: str, table: Table) -> list[Row]:
    """The rows of a log table in order; a branch's past is read through its parents."""
    chain = await house.lineage(game)
    found: list[Row] = []
    for part in reversed(segments(chain, chain[0].version)):
        own = await house.rows(part.stream, table)
        found += [row for row in own if part.after < row["version"] <= part.upto]
    return found


async def players(house: House, game: str) -> list[Row]:
    """Who plays, in seat order: from the state, since a branch shares rows with nobody."""
    state: Game = (await house.head(game)).state
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
    while page := await house.attempts(game, after=found[-1].n if found else 0):
        found += page
    return found


async def refused(house: House, game: str) -> list[Seat]:
    """Who gave commands that were refused or failed; a seat stands there once for each."""
    return [a.seat for a in await attempts(house, game) if a.rank and a.status in ("refused", "failed")]


async def summary(house: House, game: str) -> dict[str, Any]:
    """The game's own row as it stands, and where it branched off; a branch has a row only from its first round on."""
    chain = await house.lineage(game)
    own = await house.rows(game, GAMES)
    state: Game = (await house.head(game)).state
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
