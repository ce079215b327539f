"""ADK's own session services and ours, one beside the other; and houses to put agents into."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

import greenroom
from tests.conftest import NewDatabase

#: Services of the package itself: whatever a test says of all services has to hold for these too.
THEIRS = ("adk memory", "adk sqlite", "adk database")
OURS = ("sqlite", "postgres", "memory")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What these packages warn of among themselves is theirs; what concerns us is still an error."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            for module in ("google", "authlib", "pettingzoo", "gymnasium", "aiosqlite"):
                item.add_marker(pytest.mark.filterwarnings(f"ignore:::{module}"))


async def a_service(kind: str, tmp_path: Path, request: pytest.FixtureRequest, stack: AsyncExitStack) -> Any:
    """A session service of one kind, with nothing in it."""
    from google.adk.sessions.database_session_service import DatabaseSessionService  # noqa: PLC0415  it may be absent
    from google.adk.sessions.in_memory_session_service import InMemorySessionService  # noqa: PLC0415
    from google.adk.sessions.sqlite_session_service import SqliteSessionService  # noqa: PLC0415

    from greenroom.integrations.adk import HouseSessionService  # noqa: PLC0415

    match kind:
        case "adk memory":
            return InMemorySessionService()
        case "adk sqlite":
            return SqliteSessionService(str(tmp_path / "adk.db"))
        case "adk database":
            return await stack.enter_async_context(DatabaseSessionService("sqlite+aiosqlite:///:memory:"))
        case _:
            return HouseSessionService(await stack.enter_async_context(a_house(kind, tmp_path, request)))


def a_house(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    """A house of one kind, without worlds."""
    where: str | Path = tmp_path / "house.db"
    if kind == "postgres":
        new_database: NewDatabase = request.getfixturevalue("new_database")
        where = new_database(())
    elif kind == "memory":
        where = ":memory:"
    return greenroom.open(where, plugins=(), work=False)


@pytest.fixture(params=(*OURS, *THEIRS))
async def service(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    """Every session service there is."""
    async with AsyncExitStack() as stack:
        yield await a_service(request.param, tmp_path, request, stack)


@pytest.fixture(params=OURS)
async def ours(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    """Ours, on each back-end."""
    async with AsyncExitStack() as stack:
        yield await a_service(request.param, tmp_path, request, stack)


@pytest.fixture(params=OURS)
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    """A house on each back-end."""
    async with a_house(request.param, tmp_path, request) as opened:
        yield opened
