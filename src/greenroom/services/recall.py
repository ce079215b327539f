"""Looking into a stream's memory from outside, as an operator or one of its agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from greenroom.kernel.asks import Json, Recall, Recalled
from greenroom.kernel.errors import OutOfRange
from greenroom.kernel.words import Scope
from greenroom.ports import Backend


async def recall(
    backend: Backend,
    stream: str,
    query: str,
    *,
    agent: str | None = None,
    version: int | None = None,
    limit: int = 10,
    where: Mapping[str, Json] | None = None,
) -> Sequence[Recalled]:
    """What a stream's owner said and heard that answers a question best, as the stream stood at a version.

    Without an agent: what every agent of this owner may recall; for operators only.

    Raises:
        Unknown: there is no such stream.
        OutOfRange: the stream does not hold that version.
    """
    row = await backend.streams.get(stream)
    version = row.version if version is None else version
    if not 0 <= version <= row.version:
        raise OutOfRange(f"stream {stream} holds versions 0 to {row.version}; {version} is not among them")
    scope = Scope(world=row.world, owner=row.owner, agent=agent)
    ask = Recall(query=query, scope=scope, limit=limit, where=where or {})
    return await backend.bank.search(ask, stream=stream, version=version, at=max(row.last_at, row.recorded_at))
