"""The seed's usage patterns over a house: create, load, act, find what was interrupted, look back."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from greenroom.kernel.asks import Json
from greenroom.kernel.codec import canonical, filled, parse
from greenroom.kernel.errors import CorruptHistory, Malformed, OutOfRange, Refused, Unknown
from greenroom.kernel.journal import Attempt, Stream
from greenroom.kernel.lineage import segments
from greenroom.kernel.tables import Table
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import OPERATOR, Seat
from greenroom.services.house import House
from greenroom.services.tables import every_stream
from greenroom.worlds.secret_agi import NAME, GameConfig
from greenroom.worlds.secret_agi.papers import side_of
from greenroom.worlds.secret_agi.state import Game
from greenroom.worlds.secret_agi.tables import ACTION_ROWS, CHAT, EVENT_ROWS, GAMES, METRICS

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
    house: House, game: str, player: Seat, action: str, parameters: Json = None, *, key: str | None = None
) -> Mapping[str, Any]:
    """Give a person's action. It never raises for an invalid one: that is recorded, and the answer says why."""
    codec = house.codecs[NAME]
    try:
        command = codec.command_from(action, {} if parameters is None else parameters)
        reply = await house.send(game, command, seat=player, key=key or secrets.token_hex(8))
    except (Refused, Malformed) as refusal:
        look = await house.view(game, seat=player)
        legal = [*await house.legal(game, player)]
        return {
            "success": False,
            "error": str(refusal),
            "events": [],
            "state": look.body,
            "legal": [codec.kind(getattr(option, "example", option)) for option in legal],
            "chat": [],
        }
    body: Mapping[str, Any] = reply.body
    return body


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


async def actions(house: House, game: str) -> list[Row]:
    """Every attempt in order: those that were played, those that were refused, and the one that is pending."""
    played = list(await rows(house, game, ACTION_ROWS))
    for attempt in await _attempts(house, game):
        if attempt.rank and attempt.status in (None, "refused", "failed") and attempt.n > 1:
            played.append(_refused(house, game, attempt))
    return sorted(played, key=lambda row: (row["turn_number"], row["sequence"]))


async def _attempts(house: House, game: str) -> list[Attempt]:
    found: list[Attempt] = []
    while page := await house.backend.streams.attempts(game, after=found[-1].n if found else 0):
        found += page
    return found


def _refused(house: House, game: str, attempt: Attempt) -> Row:
    """An attempt that changed nothing, beside the turn it was made after."""
    codec = house.codecs[NAME]
    command = codec.read_command(attempt.command)
    turn = (attempt.base or 0) - 1 if attempt.base is not None else -1
    return {
        "id": f"{game}/{attempt.n}",
        "game_id": game,
        "turn_number": turn,
        "sequence": (turn + 1) * 100 + 99,
        "player_id": attempt.seat,
        "action_type": codec.kind(command),
        "action_data": filled(command, lambda id: id),
        "is_valid": None if attempt.status is None else False,
        "error_message": attempt.error,
        "processing_time_ms": None,
        "created_at": moment(attempt.at).isoformat(),
    }


async def timeline(house: House, game: str) -> list[dict[str, Any]]:
    """Actions, events and chat as one union ordered by (turn, sequence); a join would repeat them."""
    found = [{"kind": "action", **row} for row in await actions(house, game)]
    found += [{"kind": "event", **row} for row in await rows(house, game, EVENT_ROWS)]
    found += [{"kind": "chat", **row} for row in await rows(house, game, CHAT)]
    order = {"action": 0, "event": 1, "chat": 2}
    return sorted(found, key=lambda row: (row["turn_number"], row["sequence"], order[row["kind"]]))


async def performance(house: House, game: str) -> dict[Seat, dict[str, Any]]:
    """Per player: decisions, invalid attempts, and what models used where a player has a model of its own."""
    found: dict[Seat, dict[str, Any]] = {
        row["player_id"]: {"decisions": 0, "invalid_attempts": 0, "avg_response_time": None, "avg_tokens": None}
        for row in await players(house, game)
    }
    for row in await rows(house, game, METRICS):
        found[row["player_id"]]["decisions"] += 1
    for row in await actions(house, game):
        if row["is_valid"] is False and row["player_id"] in found:
            found[row["player_id"]]["invalid_attempts"] += 1
    await _add_models(house, game, found)
    return found


async def _add_models(house: House, game: str, found: dict[Seat, dict[str, Any]]) -> None:
    """The ledger knows roles, not seats: only a role that one seat has tells of that seat."""
    seats: dict[str, list[Seat]] = defaultdict(list)
    for row in await players(house, game):
        if row["agent_type"] == "LLMPlayer":
            seats[row["agent_config"].get("role", "quality")].append(row["player_id"])
    used: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for _, entry in await house.backend.streams.ledger(game):
        used[entry.role].append((entry.milliseconds, entry.input_tokens + entry.output_tokens))
    for role, sat in seats.items():
        if len(sat) == 1 and (spent := used.get(role)):
            found[sat[0]]["avg_response_time"] = sum(ms for ms, _ in spent) / len(spent)
            found[sat[0]]["avg_tokens"] = sum(tokens for _, tokens in spent) / len(spent)


# recovery


async def find_interrupted(house: House) -> list[str]:
    """Games in which something is begun and not settled: an attempt is open, or an agent was to act already."""
    return [stream.name async for stream in every_stream(house.backend, NAME) if _interrupted(stream, house.now())]


def _interrupted(stream: Stream, now: int) -> bool:
    if stream.outcome is not None:
        return False
    due = stream.wake_at is not None and stream.awake and stream.wake_at <= now
    return stream.open > 0 or due


async def analyze(house: House, game: str) -> dict[str, Any]:
    """What kind of interruption it is, where the game stands, and which actions wait.

    ``transaction_failure``: the last sum does not verify. ``incomplete_action``: a command is recorded and not
    settled. ``agent_timeout``: agents were to act and nobody drove them. None: nothing is wrong.
    """
    stream = await game_stream(house, game)
    waiting = [row for row in await actions(house, game) if row["is_valid"] is None]
    kind: str | None = None
    try:
        await load_game_state(house, game)
    except CorruptHistory:
        kind = "transaction_failure"
    if kind is None and waiting:
        kind = "incomplete_action"
    if kind is None and _interrupted(stream, house.now()):
        kind = "agent_timeout"
    return {"type": kind, "last_valid_turn": stream.version - 1, "incomplete_actions": waiting}


# whole games


async def record(house: House, game: str) -> dict[str, Any]:
    """One game with everything about it, for export."""
    chain = await house.backend.streams.lineage(game)
    (row,) = await house.backend.tables.rows(game, GAMES) or [{}]
    return {
        "game": {**row, "id": game, "parent": chain[0].parent, "branched_at": _branched(chain)},
        "players": await players(house, game),
        "actions": await actions(house, game),
        "events": await rows(house, game, EVENT_ROWS),
        "chat_messages": [
            {**row, "message": text} for row, text in await _with_words(house, await rows(house, game, CHAT))
        ],
        "agent_metrics": await rows(house, game, METRICS),
        "performance": await performance(house, game),
    }


def _branched(chain: Sequence[Stream]) -> int | None:
    return chain[0].forked_at - 1 if chain[0].parent is not None else None


async def _with_words(house: House, said: Sequence[Row]) -> list[tuple[Row, str | None]]:
    texts = await house.backend.bank.get([row["message"] for row in said]) if said else {}
    return [(row, texts.get(row["message"])) for row in said]


__all__ = [
    "OPERATOR",
    "act",
    "actions",
    "analyze",
    "create_game",
    "find_interrupted",
    "game_stream",
    "load_game_state",
    "performance",
    "players",
    "record",
    "rows",
    "timeline",
]
