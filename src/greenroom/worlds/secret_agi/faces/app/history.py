"""What happened in a game: actions, events, recoveries, the timeline of all, and the whole game as one record."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from greenroom.journal.records import Attempt
from greenroom.kernel.codec import filled
from greenroom.kernel.times import moment
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import games, metrics
from greenroom.worlds.secret_agi.faces.app.games import Row
from greenroom.worlds.secret_agi.rules import NAME
from greenroom.worlds.secret_agi.rules.commands import Misread, RecordRecovery
from greenroom.worlds.secret_agi.rules.tables import ACTION_ROWS, CHAT, EVENT_ROWS, STATES


async def actions(house: House, game: str) -> list[Row]:
    """Every attempt in order: those that were played, those that were refused, and the one that is pending."""
    spent, before = await metrics.spent(house, game), None
    played: list[Row] = []
    for row in await games.rows(house, game, ACTION_ROWS):
        used = spent.get(metrics.place_of(row))
        took = _since(before, row["created_at"]) if used is None else used.milliseconds
        played.append({**row, "processing_time_ms": took})
        before = row["created_at"]
    for attempt in await games.attempts(house, game):
        if attempt.rank and attempt.status in (None, "refused", "failed") and attempt.n > 1:
            played += _refused(house, game, attempt)
    return sorted(played, key=lambda row: (row["turn_number"], row["sequence"]))


def _since(before: str | None, at: str) -> int | None:
    """Milliseconds since the table last moved: what anybody took who is no model."""
    if before is None:
        return None
    return round((datetime.fromisoformat(at) - datetime.fromisoformat(before)).total_seconds() * 1000)


async def pending(house: House, game: str) -> list[Row]:
    """The actions that are recorded and not settled."""
    if not (await games.game_stream(house, game)).open:
        return []
    waiting = [a for a in await games.attempts(house, game) if a.rank and a.status is None and a.n > 1]
    return [row for attempt in waiting for row in _refused(house, game, attempt)]


def _refused(house: House, game: str, attempt: Attempt) -> Iterator[Row]:
    """An attempt that changed nothing, beside the turn it was made after."""
    codec = house.codec(NAME)
    command = codec.read_command(attempt.command)
    if isinstance(command, RecordRecovery) and attempt.status != "refused":
        return
    turn = -1 if attempt.base is None else attempt.base - 1
    data = {} if isinstance(command, Misread) else filled(command, lambda id: id)
    if attempt.tries > 1 or attempt.status == "failed":
        data = {**data, "recovery": {"tries": attempt.tries, "status": attempt.status or "pending"}}
    yield {
        "id": f"{game}/{attempt.n}",
        "game_id": game,
        "turn_number": turn,
        "sequence": (turn + 1) * 100 + 99,
        "player_id": attempt.seat,
        "action_type": command.action or "unknown" if isinstance(command, Misread) else codec.kind(command),
        "action_data": data,
        "is_valid": None if attempt.status is None else False,
        "error_message": attempt.error,
        "processing_time_ms": None,
        "created_at": moment(attempt.at).isoformat(),
    }


async def events(house: House, game: str) -> list[Row]:
    """Every event in order; a recovery stands beside the turn it was made after."""
    found = [*await games.rows(house, game, EVENT_ROWS), *await recoveries(house, game)]
    return sorted(found, key=lambda row: (row["turn_number"], row["sequence"]))


async def recoveries(house: House, game: str) -> list[Row]:
    """One row for each time the game was taken up again; they move neither version nor turn."""
    codec, found = house.codec(NAME), []
    for attempt in await games.attempts(house, game):
        command = codec.read_command(attempt.command) if attempt.rank else None
        if isinstance(command, RecordRecovery) and attempt.status != "refused":
            found.append(_recovered(game, attempt, command))
    return found


def _recovered(game: str, attempt: Attempt, command: RecordRecovery) -> Row:
    return {
        "id": f"{game}/{attempt.n}",
        "game_id": game,
        "turn_number": command.turn,
        "sequence": (command.turn + 1) * 100 + 98,
        "event_type": "recovered",
        "player_id": None,
        "event_data": {"type": command.cause, "last_valid_turn": command.turn, "attempts": list(command.waiting)},
        "created_at": moment(attempt.at).isoformat(),
    }


async def timeline(house: House, game: str) -> list[dict[str, Any]]:
    """Actions, events and chat as one union ordered by (turn, sequence); a join would repeat them."""
    found = [{"kind": "action", **row} for row in await actions(house, game)]
    found += [{"kind": "event", **row} for row in await events(house, game)]
    found += [{"kind": "chat", **row} for row in await chat(house, game)]
    order = {"action": 0, "event": 1, "chat": 2}
    return sorted(found, key=lambda row: (row["turn_number"], row["sequence"], order[row["kind"]]))


async def chat(house: House, game: str) -> list[Row]:
    """Every message with its words; None where they were removed."""
    said = await games.rows(house, game, CHAT)
    texts = await house.texts([row["message"] for row in said]) if said else {}
    return [{**row, "message": texts.get(row["message"])} for row in said]


async def states(house: House, game: str) -> list[Row]:
    """The state after every turn with its checksum; those that are not stored whole are computed."""
    kept = await games.rows(house, game, STATES)
    return [{**row, "state_data": await games.load_game_state(house, game, row["turn_number"])} for row in kept]


async def record(house: House, game: str) -> dict[str, Any]:
    """One game with everything about it, for export."""
    row = await games.summary(house, game)
    row["metadata"] |= {"recoveries": len(await recoveries(house, game))}
    return {
        "game": row,
        "players": await games.players(house, game),
        "game_states": await states(house, game),
        "actions": await actions(house, game),
        "events": await events(house, game),
        "chat_messages": await chat(house, game),
        "agent_metrics": await metrics.rows(house, game),
        "performance": await metrics.performance(house, game),
    }
