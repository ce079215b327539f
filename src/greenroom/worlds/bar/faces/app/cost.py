"""What a thousand messages cost: as the ledger has it, and as list prices would, with and without a cache."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from greenroom.journal.records import Entry
from greenroom.services.house import House
from greenroom.worlds.bar.outside.bills import ASSUMED, MODELS, AtList, Bill, booked
from greenroom.worlds.bar.rules import NAME
from greenroom.worlds.bar.rules.tables import SESSIONS


async def cost(house: House, models: Mapping[str, str] = MODELS) -> dict[str, Any]:
    """Add up the ledger of every guest.

    Raises:
        Malformed: a model has no list price.
    """
    ledger, at_list, messages = Bill(), AtList(models), 0
    lines: list[tuple[str, Entry]] = []
    async for stream in house.every_stream(NAME):
        rows = await house.rows(stream.name, SESSIONS)
        messages += sum(row["message_count"] for row in rows)
        lines += [(stream.name, entry) for _, entry in await house.ledger(stream.name)]
    for name, entry in sorted(lines, key=lambda line: line[1].at):
        ledger.add(booked(entry), entry.cost)
        at_list.add(name, entry)
    return {
        "messages": messages,
        "ledger": ledger.told(messages),
        "list": {
            "models": dict(models),
            "without_cache": at_list.plain.told(messages),
            "with_cache": at_list.cached.told(messages),
            "caching": at_list.caching(),
        },
        "answers": "counted by the provider" if ledger.output_tokens else f"assumed, in tokens: {dict(ASSUMED)}",
    }
