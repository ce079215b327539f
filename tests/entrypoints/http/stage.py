"""An application in this process, called without a network: by the operator, by players, by strangers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from greenroom.bootstrap import open_house
from greenroom.entrypoints.http import create
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import World
from greenroom.services.house import House
from greenroom.settings import Settings, read_settings
from greenroom.worlds.lighthouse.rules.commands import Say

VISITOR = "visitor"


@dataclass(slots=True)
class Stage:
    """One house, its application, and callers that are closed with it."""

    house: House
    app: FastAPI
    settings: Settings
    stack: AsyncExitStack
    path: Path
    streams: int = field(default=0)

    def caller(
        self,
        ticket: str | None = None,
        *,
        host: str = "localhost",
        address: str = "127.0.0.1",
        raises: bool = True,
        **headers: str,
    ) -> httpx.AsyncClient:
        """Somebody who calls: from an address, by a name of the server, with a ticket or without."""
        if ticket is not None:
            headers["Authorization"] = f"Bearer {ticket}"
        named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        transport = httpx.ASGITransport(self.app, client=(address, 4711), raise_app_exceptions=raises)
        made = httpx.AsyncClient(transport=transport, base_url=f"http://{host}", headers=named, timeout=30)
        self.stack.push_async_callback(made.aclose)
        return made

    async def visit(self, owner: str, *, said: str = "Good evening.") -> tuple[str, str]:
        """A visit of this owner in which something was said; its stream and a ticket to it."""
        self.streams += 1
        begun = await self.house.start("lighthouse", {}, owner=owner, name=f"{owner}-{self.streams}", seat=VISITOR)
        await self.house.send(begun.stream, Say(text=Words(said)), seat=VISITOR, key="first")
        issued = await self.house.access.issue_player(owner=owner, seat=VISITOR, stream=begun.stream)
        return begun.stream, issued.text

    async def operators_ticket(self) -> str:
        return (await self.house.access.issue_operator()).text


@asynccontextmanager
async def stage(
    path: Path, *, worlds: tuple[World[Any, Any, Any], ...] = (), models: Any = None, **given: Any
) -> AsyncIterator[Stage]:
    easy = dict.fromkeys(("rate_address", "rate_ticket", "rate_strangers", "rate_turns"), 1_000_000)
    settings = read_settings(**easy, budgets={"streams_address": 1_000_000})
    settings = settings.model_copy(update=given)
    async with (
        open_house(path, worlds=worlds, models=models) as house,
        AsyncExitStack() as stack,
    ):
        house.budgets.most = settings.budgets.of_a_day()
        app = create(house, settings)
        await stack.enter_async_context(app.router.lifespan_context(app))
        yield Stage(house, app, settings, stack, path)
