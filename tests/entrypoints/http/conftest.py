"""A house behind the application, and people who call it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.conftest import NewFile
from tests.entrypoints.http.stage import Stage, stage
from tests.houses import shipped_tables

Raise = Callable[..., Awaitable[Stage]]


@pytest.fixture
async def opened(new_file: NewFile) -> AsyncIterator[Raise]:
    """Opens houses on files of their own, with other settings or models if wanted."""
    async with AsyncExitStack() as stack:

        async def make(**given: Any) -> Stage:
            file = new_file(shipped_tables())
            return await stack.enter_async_context(stage(file, **given))

        yield make


@pytest.fixture
async def house(opened: Raise) -> Stage:
    return await opened()
