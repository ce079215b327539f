"""Other runtimes on PostgreSQL, and the floor: plain multi-row INSERTs of the rows that a real run left."""

from __future__ import annotations

import contextlib
import importlib.metadata
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

import asyncpg

from benchmarks.loop import Client, Sample, closed_loop
from benchmarks.peers import appender, installed, payload, saver_of
from benchmarks.raw import TURNS_A_TRANSACTION
from benchmarks.world import answer

#: Measures one rival in an empty database at a concurrency: (address, streams, warm, seconds).
Rival: TypeAlias = Callable[[str, int, float, float], Awaitable[Sample]]

ADK = "google-adk DatabaseSessionService"
LANGGRAPH = "langgraph AsyncPostgresSaver"
LANGGRAPH_TURN = "langgraph graph of one node on AsyncPostgresSaver"
#: What is counted: a bare append, or a turn of the runtime itself.
APPENDS = {ADK: "append_event", LANGGRAPH: "aput", LANGGRAPH_TURN: "ainvoke"}
_PACKAGES = ("google-adk", "langgraph-checkpoint-postgres", "psycopg", "asyncpg")


def load() -> dict[str, Rival]:
    """The rivals that are installed, imported now so that no measurement pays for it."""
    found: dict[str, Rival] = {}
    if installed("google.adk"):
        import google.adk.sessions.database_session_service  # noqa: F401

        found[ADK] = _adk
    if installed("langgraph.checkpoint.postgres") and installed("psycopg"):
        import langgraph.checkpoint.postgres.aio

        found[LANGGRAPH] = _langgraph
        if installed("langgraph.graph"):
            import langgraph.graph  # noqa: F401

            found[LANGGRAPH_TURN] = _langgraph_turn
    return found


def versions() -> dict[str, str]:
    found = {}
    for name in _PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


async def _adk(url: str, streams: int, warm: float, seconds: float) -> Sample:
    """One append is one ``append_event``; as many connections as it opens by itself."""
    from google.adk.sessions.database_session_service import DatabaseSessionService

    service = DatabaseSessionService(url.replace("postgresql://", "postgresql+asyncpg://"))
    try:
        sessions = [await service.create_session(app_name="bench", user_id=f"u{i}") for i in range(streams)]
        return await closed_loop([appender(service, session) for session in sessions], warm=warm, seconds=seconds)
    finally:
        await service.db_engine.dispose()


async def _langgraph(url: str, streams: int, warm: float, seconds: float) -> Sample:
    """One append is one ``aput``.

    That is the lightest reading: a step of a graph also does ``aput_writes``, with a commit of its own.
    """
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    async with AsyncPostgresSaver.from_conn_string(url) as saver:
        await saver.setup()
        return await closed_loop([saver_of(saver, f"t{i}") for i in range(streams)], warm=warm, seconds=seconds)


async def _langgraph_turn(url: str, streams: int, warm: float, seconds: float) -> Sample:
    """A turn is one ``ainvoke`` of a graph with one node and nothing else said: that node's input, work and result."""
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    async with AsyncPostgresSaver.from_conn_string(url) as saver:
        await saver.setup()
        graph = graph_of(saver)
        return await closed_loop([invoker(graph, f"t{i}") for i in range(streams)], warm=warm, seconds=seconds)


def graph_of(saver: Any) -> Any:
    """One node that hears and answers; each says about as much as a turn of the talking world."""
    from langgraph.graph import END, START, StateGraph

    async def hear(state: dict[str, str]) -> dict[str, str]:
        return {"answer": payload(len(state["said"]))}

    graph: Any = StateGraph(TypedDict("Talk", {"said": str, "answer": str}))  # type: ignore[operator]
    graph.add_node("hear", hear)
    graph.add_edge(START, "hear")
    graph.add_edge("hear", END)
    return graph.compile(checkpointer=saver)


def invoker(graph: Any, thread: str) -> Client:
    config = {"configurable": {"thread_id": thread}}

    async def client(i: int) -> object:
        return await graph.ainvoke({"said": answer(i)}, config)

    return client


# the floor

Row: TypeAlias = tuple[Any, ...]
#: The rows of a transaction by table.
Batch: TypeAlias = Mapping[str, Sequence[Row]]
_MOVE = (
    "UPDATE streams s SET version = v.version, recorded = v.n, recorded_at = v.at, last_at = v.at "
    "FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) v (sid, n, version, at) WHERE s.sid = v.sid"
)
_TABLES = """
SELECT c.relname, array_agg(a.attname ORDER BY a.attnum), array_agg(format_type(a.atttypid, NULL) ORDER BY a.attnum)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
    AND NOT (c.relname IN ('snapshots', 'memories', 'ledger') AND a.attname IN ('id', 'mid') AND a.attnum = 1)
GROUP BY 1 HAVING 'sid' = ANY(array_agg(a.attname)) AND c.relname NOT IN ('streams', 'tickets') ORDER BY 1
"""


async def floor(url: str, fresh: Callable[[], Awaitable[str]], seconds: float) -> tuple[Sample, dict[str, float]]:
    """Play the rows of a finished run into empty houses, 64 turns a transaction; only the transactions are timed.

    Also how many rows of each table a turn wrote.
    """
    connection = await asyncpg.connect(url)
    try:
        tables = {name: (columns, types) for name, columns, types in await connection.fetch(_TABLES)}
        streams = [tuple(row) for row in await connection.fetch("SELECT * FROM streams")]
        turns, batches = await _batches(connection, {name: columns for name, (columns, _) in tables.items()})
    finally:
        await connection.close()
    inserts = {name: _insert(name, columns, types) for name, (columns, types) in tables.items()}
    sample = Sample()
    while sample.seconds < seconds and turns:
        sample.seconds += await _replay(await fresh(), streams, batches, inserts)
        sample.count += turns
    written = {name: sum(len(batch.get(name, ())) for batch in batches) / max(turns, 1) for name in tables}
    return sample, {name: rows for name, rows in written.items() if rows}


def _insert(name: str, columns: Sequence[str], types: Sequence[str]) -> str:
    named = ", ".join(f'"{column}"' for column in columns)
    given = ", ".join(f"${i}::{type_}[]" for i, type_ in enumerate(types, start=1))
    return f"INSERT INTO {name} ({named}) SELECT * FROM unnest({given})"


async def _batches(connection: Any, tables: Mapping[str, Sequence[str]]) -> tuple[int, list[dict[str, list[Row]]]]:
    """The rows of every turn but the first of each stream, in the order they were recorded."""
    attempts = await connection.fetch("SELECT sid, n, version, at FROM attempts WHERE n > 1 ORDER BY at, sid, n")
    turns: list[dict[str, list[Row]]] = [defaultdict(list) for _ in attempts]
    by_n = {(row[0], row[1]): turn for row, turn in zip(attempts, turns, strict=True)}
    by_version = {(row[0], row[2]): turn for row, turn in zip(attempts, turns, strict=True)}
    for row, turn in zip(attempts, turns, strict=True):
        turn["streams"].append(tuple(row))
    for name, columns in tables.items():
        place, known = ("n", by_n) if "n" in columns else ("version", by_version)
        sid, at = columns.index("sid"), columns.index(place)
        for row in await connection.fetch(f"SELECT {', '.join(columns)} FROM {name}"):
            owner = known.get((row[sid], row[at]))
            if owner is not None:
                owner[name].append(tuple(row))
    size = TURNS_A_TRANSACTION
    return len(turns), [_merged(turns[i : i + size]) for i in range(0, len(turns), size)]


def _merged(turns: Sequence[Mapping[str, Sequence[Row]]]) -> dict[str, list[Row]]:
    merged: dict[str, list[Row]] = defaultdict(list)
    for turn in turns:
        for name, lines in turn.items():
            merged[name].extend(lines)
    return merged


async def _replay(url: str, streams: Sequence[Row], batches: Sequence[Batch], inserts: Mapping[str, str]) -> float:
    connection = await asyncpg.connect(url)
    try:
        await connection.copy_records_to_table("streams", records=streams)
        begun = time.perf_counter()
        for batch in batches:
            async with connection.transaction():
                for name, lines in batch.items():
                    if name == "streams":
                        last = {line[0]: line for line in lines}
                        await connection.execute(_MOVE, *zip(*last.values(), strict=True))
                    else:
                        await connection.execute(inserts[name], *zip(*lines, strict=True))
        return time.perf_counter() - begun
    finally:
        await connection.close()
