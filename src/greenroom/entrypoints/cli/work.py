"""The worker as a process of its own, and the benchmark."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from greenroom.entrypoints.cli.session import Session, Shown, command, given_file

Concurrency = Annotated[
    int | None,
    typer.Option("--concurrency", min=1, max=4096, help="Turns at once; GREENROOM_CONCURRENCY by default."),
]
Seconds = Annotated[float, typer.Option("--seconds", min=0.05, help="Length of each measurement.")]
Repeats = Annotated[int, typer.Option("--repeats", min=1, help="How often what goes into ratios is measured.")]
Sizes = Annotated[list[int], typer.Option("--size", min=1, help="Streams at once; may be given several times.")]
Turns = Annotated[int, typer.Option("--turns", min=100, help="Length of the histories that are weighed.")]
Peers = Annotated[bool, typer.Option("--peers/--no-peers", help="Measure other runtimes too, where installed.")]
Where = Annotated[Path | None, typer.Option("--folder", help="Where files are written meanwhile; here by default.")]


def add_to(app: typer.Typer) -> None:
    command(app, "worker")(worker)
    command(app, "bench")(bench)


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
        data = {"status": "ready", "database": house.backend.name, "pid": os.getpid(), "concurrency": turns}
        session.answer(data, f"ready: {house.backend.name}, up to {turns} turns at once")
        await worker_of(house, concurrency=turns).run(stop)
    session.say("stopped")


def bench(
    session: Session,
    *,
    seconds: Seconds = 2.5,
    repeats: Repeats = 3,
    sizes: Sizes = [1, 16, 64, 256],  # noqa: B006  typer reads it and never changes it
    turns: Turns = 10_000,
    peers: Peers = True,
    folder: Where = None,
) -> Shown:
    """Measure Greenroom on this machine.

    Beside raw SQLite and, where installed, other runtimes. The exit code is 1 when a limit is broken.
    """
    from greenroom.bench.run import run
    from greenroom.entrypoints.cli.progress import Bar

    place = folder or Path.cwd()
    with given_file(place), Bar("bench") as bar:
        report = run(sizes, seconds, peers=peers, progress=bar, folder=place, repeats=repeats, turns=turns)
    return Shown(report.as_json(), report.table(), 0 if report.ok else 1)
