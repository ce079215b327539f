"""What many games come to: shares with their 95 % intervals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

from greenroom.entrypoints.agi import games
from greenroom.kernel.codec import parse
from greenroom.services.house import House
from greenroom.services.tables import every_stream
from greenroom.worlds.secret_agi import NAME
from greenroom.worlds.secret_agi.tables import ACTION_ROWS

Z = 1.959964


def share(won: int, of: int) -> dict[str, Any]:
    """A share with Wilson's 95 % interval."""
    if not of:
        return {"won": 0, "of": 0, "share": None, "low": None, "high": None}
    p = won / of
    middle, width = p + Z * Z / (2 * of), Z * sqrt(p * (1 - p) / of + Z * Z / (4 * of * of))
    whole = 1 + Z * Z / of
    low, high = max(0.0, (middle - width) / whole), min(1.0, (middle + width) / whole)
    return {"won": won, "of": of, "share": round(p, 4), "low": round(low, 4), "high": round(high, 4)}


def summary(outcomes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of the outcomes of some games."""
    ended = [outcome for outcome in outcomes if outcome.get("winners")]
    won = Counter(outcome["winners"] for outcome in ended)
    return {
        "games": len(outcomes),
        "completed": len(ended),
        "failed": sum(1 for outcome in outcomes if "winners" in outcome and outcome["winners"] is None),
        "safety": share(won["Safety"], len(ended)),
        "acceleration": share(won["Acceleration"], len(ended)),
        "reasons": dict(sorted(Counter(outcome["reason"] for outcome in ended).items())),
        "turns": _mean(outcome["turns"] for outcome in ended),
        "rounds": _mean(outcome["rounds"] for outcome in ended),
    }


def _mean(numbers: Iterable[int]) -> float | None:
    found = list(numbers)
    return round(sum(found) / len(found), 2) if found else None


async def of_house(house: House) -> dict[str, Any]:
    """Win rates by table size, and by agent and role; invalid actions; what models used."""
    sizes: dict[int, list[dict[str, Any]]] = defaultdict(list)
    seats: dict[tuple[str, str], list[bool]] = defaultdict(list)
    attempts = invalid = tokens = cost = played = 0
    async for stream in every_stream(house.backend, NAME):
        if stream.outcome is None:
            continue
        played += 1
        outcome = parse(stream.outcome)
        players = await games.players(house, stream.name)
        sizes[len(players)].append(outcome)
        for row in players:
            if outcome["winners"] is not None:
                seats[row["agent_type"], row["role"]].append(row["allegiance"] == outcome["winners"])
        done = await house.backend.tables.rows(stream.name, ACTION_ROWS)
        attempts += len(done)
        invalid += sum(1 for row in done if row["is_valid"] is False)
        for _, entry in await house.backend.streams.ledger(stream.name):
            tokens += entry.input_tokens + entry.output_tokens
            cost += entry.cost
    return {
        "games": played,
        "by_size": {str(size): summary(found) for size, found in sorted(sizes.items())},
        "by_agent_and_role": {
            f"{agent} as {role}": share(sum(won), len(won)) for (agent, role), won in sorted(seats.items())
        },
        "actions": attempts,
        "invalid_action_rate": round(invalid / attempts, 5) if attempts else None,
        "tokens_per_game": round(tokens / played, 1) if played else None,
        "dollars_per_game": round(cost / played / 1_000_000, 6) if played else None,
    }


def bar(found: dict[str, Any], width: int = 40) -> str:
    """A share as a line of text: # up to the share, = over its interval."""
    if found["share"] is None:
        return ""
    low, at, high = (round(found[name] * width) for name in ("low", "share", "high"))
    marks = ["." for _ in range(width + 1)]
    marks[:at] = ["#"] * at
    for i in range(low, high + 1):
        marks[i] = "="
    return "".join(marks)


def told(found: dict[str, Any]) -> str:
    if found["share"] is None:
        return "none"
    return f"{found['share']:6.1%}  [{found['low']:6.1%}, {found['high']:6.1%}] of {found['of']}"
