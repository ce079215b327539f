"""Other runtimes keeping about as much per turn; imported only here, and only when they are measured."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import os
import sqlite3
from pathlib import Path
from typing import Any

from benchmarks.loop import Client, Measure, Sample, closed_loop
from benchmarks.world import KEEPER, answer

ADK = "google-adk"
ADK_WAL = "google-adk in WAL mode"
LANGGRAPH = "langgraph"

#: What one append is.
APPENDS = {ADK: "append_event", ADK_WAL: "append_event", LANGGRAPH: "aput"}
#: Events in which ADK's own runner keeps a turn: what the guest said, then what was answered.
EVENTS_A_TURN = 2
_PACKAGES = ("google-adk", "langgraph-checkpoint-sqlite", "aiosqlite")


def load() -> dict[str, Measure]:
    """The peers that are installed, imported now so that no measurement pays for it."""
    found: dict[str, Measure] = {}
    if installed("google.adk") and installed("aiosqlite"):
        import google.adk.sessions.sqlite_session_service  # noqa: F401

        found[ADK] = _adk
        found[ADK_WAL] = _adk_wal
    if installed("langgraph.checkpoint.sqlite") and installed("aiosqlite"):
        import langgraph.checkpoint.sqlite.aio  # noqa: F401

        found[LANGGRAPH] = _langgraph
    return found


def versions() -> dict[str, str]:
    """Which peers, of which version, are installed."""
    found = {}
    for name in _PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def payload(i: int) -> str:
    """What a turn of the talking world says in an event, its words and their answer: about 500 B."""
    return f"{answer(i)} {answer(i + 1)} {answer(i)[:100]}"


async def _adk_wal(path: Path, streams: int, warm: float, seconds: float) -> Sample:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")  # a property of the file; ADK itself never sets it
    connection.close()
    return await _adk(path, streams, warm, seconds)


async def _adk(path: Path, streams: int, warm: float, seconds: float) -> Sample:
    """One append is one ``append_event`` of ``SqliteSessionService``."""
    from google.adk.sessions.sqlite_session_service import SqliteSessionService

    service = SqliteSessionService(str(path))
    sessions = [await service.create_session(app_name="bench", user_id=f"u{os.getpid()}.{i}") for i in range(streams)]
    return await closed_loop([appender(service, session) for session in sessions], warm=warm, seconds=seconds)


def appender(service: Any, session: Any) -> Client:
    """Appends the events of one turn after the other, each with its share of what the turn says."""
    from google.adk.events.event import Event
    from google.genai.types import Content, Part

    async def client(i: int) -> object:
        turn, answers = divmod(i, EVENTS_A_TURN)
        text, role = (payload(turn)[200:], "model") if answers else (payload(turn)[:200], "user")
        said = Content(role=role, parts=[Part(text=text)])
        author = KEEPER if answers else "user"
        return await service.append_event(session, Event(author=author, invocation_id=f"i{turn}", content=said))

    return client


async def _langgraph(path: Path, streams: int, warm: float, seconds: float) -> Sample:
    """One append is one ``aput`` of ``AsyncSqliteSaver``.

    That is the lightest reading: a step of a graph also does ``aput_writes``, with a commit of its own.
    """
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        await saver.setup()
        threads = [f"t{os.getpid()}.{i}" for i in range(streams)]
        return await closed_loop([saver_of(saver, thread) for thread in threads], warm=warm, seconds=seconds)


def saver_of(saver: Any, thread: str) -> Client:
    from langgraph.checkpoint.base import empty_checkpoint

    config = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}

    async def client(i: int) -> object:
        nonlocal config
        checkpoint = {
            **empty_checkpoint(),
            "channel_values": {"said": payload(i)},
            "channel_versions": {"said": i + 1},
            "updated_channels": ["said"],
        }
        config = await saver.aput(config, checkpoint, {"source": "loop", "step": i, "parents": {}}, {"said": i + 1})
        return config

    return client
