"""Everything the story board shows, read at once: the operator's view and the rows of the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from greenroom.kernel.tables import Table
from greenroom.kernel.worlds import OPERATOR
from greenroom.services.house import House
from greenroom.worlds.phantom.rules import tables as t

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheets:
    """One player's story for whoever directs it."""

    version: int
    board: Mapping[str, Any]
    at: datetime
    trust: Sequence[Row]
    exposure: Sequence[Row]
    claims: Sequence[Row]
    knowledge: Sequence[Row]
    exchanges: Sequence[Row]
    transitions: Sequence[Row]
    history: Sequence[Row]
    triggers: Sequence[Row]
    scheduled: Sequence[Row]


async def read(house: House, stream: str) -> Sheets:
    look = await house.view(stream, seat=OPERATOR)
    board: Any = look.body

    async def sorted_rows(table: Table, by: str) -> list[Row]:
        return sorted(await rows(house, stream, table), key=lambda row: str(row[by]))

    return Sheets(
        version=look.version,
        board=board,
        at=look.at,
        trust=await sorted_rows(t.TRUST_EVENTS, "created_at"),
        exposure=await sorted_rows(t.EXPOSURE, "created_at"),
        claims=await sorted_rows(t.CLAIMS, "created_at"),
        knowledge=await sorted_rows(t.KNOWLEDGE, "learned_at"),
        exchanges=await sorted_rows(t.EXCHANGES, "created_at"),
        transitions=await sorted_rows(t.TRANSITIONS, "created_at"),
        history=await sorted_rows(t.TRIGGER_HISTORY, "fired_at"),
        triggers=await sorted_rows(t.TRIGGERS, "trigger_id"),
        scheduled=await sorted_rows(t.SCHEDULED, "due_at"),
    )


async def rows(house: House, stream: str, table: Table) -> list[Row]:
    """The rows of a stream; on a branch with those of the past that it shares, unless it has written them anew."""
    found: dict[tuple[Any, ...], Row] = {}
    limit: int | None = None
    for row in await house.lineage(stream):
        for one in await house.rows(row.name, table):
            if limit is None or one["version"] <= limit:
                found.setdefault(tuple(one[name] for name in table.key), one)
        limit = row.forked_at if limit is None else min(limit, row.forked_at)
    return list(found.values())
