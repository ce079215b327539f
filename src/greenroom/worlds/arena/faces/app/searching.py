"""Similar failures over all runs, or of one: from the Chroma index where there is one, else from the house."""

from __future__ import annotations

from typing import Any

from greenroom.services.house import House
from greenroom.worlds.arena.faces.app import runs
from greenroom.worlds.arena.outside.chroma import ChromaIndex
from greenroom.worlds.arena.rules import NAME, lessons
from greenroom.worlds.arena.settings import ArenaSettings


async def similar(house: House, query: str, *, run: str | None = None, limit: int = 5) -> dict[str, Any]:
    """Lessons with a score below zero that are nearest to a question, the best first.

    Raises:
        Unknown: there is no such run, or none at all.
        NotInstalled: an index is set, and Chroma is not here.
    """
    stream = await runs.find(house, run)
    scope = lessons.scope(NAME, stream.owner, stream.name)
    folder = house.settings(NAME, ArenaSettings).chroma
    if folder is not None:
        whose = scope if run is not None else type(scope)(world=NAME, owner=stream.owner)
        near = await ChromaIndex(folder).similar(whose, query, limit=limit)
        found = [{"id": one.id, "text": one.text, "likeness": round(1 - one.distance, 4)} for one in near]
        return {"from": "chroma", "found": found}
    where = {"kind": lessons.KIND, "failed": True}
    agent = scope.agent if run is not None else None
    told = (await house.recall(stream.name, query, agent=agent, limit=limit, where=where)).found
    return {"from": "house", "found": [{"id": one.id, "text": one.text, "likeness": one.score} for one in told]}
