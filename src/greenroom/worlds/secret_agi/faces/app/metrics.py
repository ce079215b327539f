"""What deciding took: tokens, time and unusable answers, from the metrics table and the house's ledger.

Rules read no clock and know no provider, so the table itself holds what they decided; what models used is in the
ledger, which names the seat it was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from greenroom.journal.lineage import segments
from greenroom.journal.records import Attempt
from greenroom.kernel.codec import parse
from greenroom.kernel.worlds import Seat
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import games
from greenroom.worlds.secret_agi.faces.app.games import Row
from greenroom.worlds.secret_agi.rules.tables import ACTION_ROWS, EVENT_ROWS, METRICS

#: A turn number and a seat: one decision at most.
SeatOfGame: TypeAlias = tuple[int, Seat]


@dataclass(slots=True)
class SpentByModel:
    """What the asks for one decision used together."""

    tokens: int = 0
    milliseconds: int = 0
    #: Micro-dollars.
    cost: int = 0


def place_of(row: Row) -> SeatOfGame:
    return row["turn_number"], row["player_id"]


async def spent(house: House, game: str) -> dict[SeatOfGame, SpentByModel]:
    """What models used for each decision, the shared past of a branch included."""
    chain = await house.lineage(game)
    found: dict[SeatOfGame, SpentByModel] = {}
    for part in segments(chain, chain[0].version):
        used = await _of_attempts(house, part.stream)
        if used:
            own = await games.attempts(house, part.stream)
            acted = await house.rows(part.stream, METRICS)
            seats = {row["version"]: row["player_id"] for row in acted if part.after < row["version"] <= part.upto}
            found |= _placed(own, seats, used)
    return found


async def _of_attempts(house: House, stream: str) -> dict[tuple[int, Seat], SpentByModel]:
    """By attempt and seat: one turn asks each seat for one decision."""
    found: dict[tuple[int, Seat], SpentByModel] = {}
    for n, entry in await house.ledger(stream):
        one = found.setdefault((n, parse(entry.account).get("seat", "")), SpentByModel())
        one.tokens += entry.input_tokens + entry.output_tokens
        one.milliseconds += entry.milliseconds
        one.cost += entry.cost
    return found


def _placed(
    attempts: list[Attempt], seats: Mapping[int, Seat], used: Mapping[tuple[int, Seat], SpentByModel]
) -> dict[SeatOfGame, SpentByModel]:
    found: dict[SeatOfGame, SpentByModel] = {}
    for attempt in attempts:
        for version in range((attempt.base or 0) + 1, (attempt.version or 0) + 1):
            seat = seats.get(version)
            if seat is not None and (attempt.n, seat) in used:
                found[version - 1, seat] = used[attempt.n, seat]
    return found


async def rows(house: House, game: str) -> list[dict[str, Any]]:
    """One row a decision, with what the ledger knows of it and how much its player remembers."""
    used, sizes = await spent(house, game), await _note_sizes(house, game)
    found = []
    for row in await games.rows(house, game, METRICS):
        one = used.get(place_of(row), None)
        notes = [size for turn, size in sizes.get(row["player_id"], ()) if turn <= row["turn_number"]]
        found.append(
            {
                **row,
                "tokens_used": None if one is None else one.tokens,
                "response_time_ms": None if one is None else one.milliseconds,
                "internal_state_size": notes[-1] if notes else None,
                "memory_usage_mb": notes[-1] / 1_000_000 if notes else None,
            }
        )
    return found


async def _note_sizes(house: House, game: str) -> dict[Seat, list[tuple[int, int]]]:
    """How many bytes the private note of each seat had, from which turn on."""
    taken = [
        row for row in await games.rows(house, game, EVENT_ROWS) if row["event_data"].get("change") == "note_taken"
    ]
    texts = await house.texts([row["event_data"]["words"] for row in taken]) if taken else {}
    found: dict[Seat, list[tuple[int, int]]] = {}
    for row in taken:
        text = texts.get(row["event_data"]["words"], "")
        found.setdefault(row["player_id"], []).append((row["turn_number"], len(text.encode())))
    return found


async def performance(house: House, game: str) -> dict[Seat, dict[str, Any]]:
    """Per player: decisions, invalid attempts, and what its model used on average."""
    found: dict[Seat, dict[str, Any]] = {}
    decisions = await rows(house, game)
    refused = await _invalid(house, game)
    for player in await games.players(house, game):
        seat = player["player_id"]
        own = [row for row in decisions if row["player_id"] == seat]
        found[seat] = {
            "decisions": len(own),
            "invalid_attempts": refused.get(seat, 0),
            "avg_response_time": _mean([row["response_time_ms"] for row in own]),
            "avg_tokens": _mean([row["tokens_used"] for row in own]),
        }
    return found


async def _invalid(house: House, game: str) -> dict[Seat, int]:
    """Invalid actions of a step, and commands that were refused or failed."""
    wrong = [row["player_id"] for row in await games.rows(house, game, ACTION_ROWS) if row["is_valid"] is False]
    wrong += await games.refused(house, game)
    return {seat: wrong.count(seat) for seat in set(wrong)}


def _mean(numbers: list[int | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return round(sum(known) / len(known), 2) if known else None
