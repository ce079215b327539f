"""The worker as a process of its own."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from greenroom.kit.cli.session import Session, command

Concurrency = Annotated[
    int | None,
    typer.Option("--concurrency", min=1, max=4096, help="Turns at once; GREENROOM_CONCURRENCY by default."),
]


def add_to(app: typer.Typer) -> None:
    command(app, "worker")(worker)


async def worker(session: Session, *, concurrency: Concurrency = None) -> None:
    """Drive what is due until asked to stop.

    On SIGTERM or SIGINT it finishes or hands back what is in progress. As soon as it works it prints one line that
    begins with "ready"; with --json, one object.
    """
    import asyncio
    import signal

    from greenroom.bootstrap import worker_of

    stop = asyncio.Event()
    for caught in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(caught, stop.set)
    turns = concurrency or session.settings.concurrency
    async with session.house(makes=True) as house:
        data = {"status": "ready", "database": house.name, "pid": os.getpid(), "concurrency": turns}
        session.answer(data, f"ready: {house.name}, up to {turns} turns at once")
        await worker_of(house, concurrency=turns).run(stop)
    session.say("stopped")
