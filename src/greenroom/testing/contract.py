"""What the suites of the stored ports share: a back-end to test, and a way to open it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pytest

from greenroom.kernel.tables import Table
from greenroom.ports import Backend
from greenroom.testing.records import TABLES, Scribe


class Reopen(Protocol):
    """Opens the same house again, as after a restart; the one before is closed."""

    async def __call__(self, tables: Sequence[Table] = TABLES) -> Backend: ...


class Contract:
    """Subclass a suite and give it these two fixtures."""

    @pytest.fixture
    async def backend(self) -> Backend:
        """A fresh back-end with ``records.TABLES``; whoever overrides it also closes it."""
        raise NotImplementedError("override the fixture `backend`: a fresh back-end with greenroom.testing's TABLES")

    @pytest.fixture
    def reopen(self) -> Reopen:
        raise NotImplementedError("override the fixture `reopen`: gives a function that opens the same house again")

    @pytest.fixture
    def scribe(self, backend: Backend) -> Scribe:
        return Scribe(backend)
