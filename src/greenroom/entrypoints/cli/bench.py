"""``greenroom bench``: measure this machine, recall on a file of conversations, or a server under load."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

import greenroom
from greenroom.kernel.errors import Unknown
from greenroom.kit.cli.session import Printed, Session, command, default, given_file

Seconds = Annotated[float, typer.Option("--seconds", min=0.05, help="Length of each measurement.")]
Repeats = Annotated[int, typer.Option("--repeats", min=1, help="How often each figure is measured.")]
Sizes = Annotated[list[int], typer.Option("--size", min=1, help="Streams at once; may be given several times.")]
Turns = Annotated[int, typer.Option("--turns", min=100, help="Length of the histories that are weighed.")]
Peers = Annotated[bool, typer.Option("--peers/--no-peers", help="Measure other runtimes too, where installed.")]
Where = Annotated[Path | None, typer.Option("--folder", help="Where files are written meanwhile; here by default.")]
Conversations = Annotated[Path, typer.Argument(metavar="FILE", help="Conversations with questions, as JSON.")]
Connections = Annotated[int, typer.Option("--connections", min=1, max=1000, help="Players at once.")]
LoadSeconds = Annotated[float, typer.Option("--seconds", min=1, max=3600, help="How long they talk.")]
TextOnly = Annotated[bool, typer.Option("--text-only", help="Leave vectors out.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    group = typer.Typer(rich_markup_mode=None)
    default(group)(bench)
    command(group, "recall")(recall)
    command(group, "http")(http)
    command(group, "postgres")(postgres)
    command(group, "start")(start)
    app.add_typer(group, name="bench")


def _measure(name: str) -> Any:
    """What measures one thing: it lies beside the package in a clone, and is in no wheel.

    Raises:
        Unknown: this is no clone.
    """
    clone = Path(greenroom.__file__).parents[2]
    if not (clone / "benchmarks" / f"{name}.py").is_file():
        raise Unknown("the benchmarks come with a clone of Greenroom, not with its package; run this in one")
    if str(clone) not in sys.path:
        sys.path.append(str(clone))
    return import_module(f"benchmarks.{name}").run


def bench(
    session: Session,
    *,
    seconds: Seconds = 1.5,
    repeats: Repeats = 5,
    sizes: Sizes = [1, 16, 64, 256],  # noqa: B006  typer reads it and never changes it
    turns: Turns = 10_000,
    peers: Peers = True,
    folder: Where = None,
) -> Printed:
    """Measure Greenroom on this machine.

    Beside raw SQLite and, where installed, other runtimes. The exit code is 1 when a limit is broken.
    """
    run = _measure("run")
    from greenroom.kit.cli.progress import Bar

    place = folder or Path.cwd()
    with given_file(place), Bar("bench") as bar:
        report = run(sizes, seconds, peers=peers, progress=bar, folder=place, repeats=repeats, turns=turns)
    return Printed(report.as_json(), report.table(), 0 if report.ok else 1)


def postgres(session: Session, *, seconds: Seconds = 3.0, repeats: Repeats = 3, peers: Peers = True) -> Printed:
    """Measure Greenroom on PostgreSQL.

    On a server of its own, with fsync and synchronous_commit on, beside raw INSERTs and, where installed, other
    runtimes. The exit code is 1 when a limit is broken.
    """
    run = _measure("postgres")
    from greenroom.kit.cli.progress import Bar

    with Bar("bench postgres") as bar:
        report = run(seconds=seconds, repeats=repeats, peers=peers, progress=bar)
    return Printed(report.as_json(), report.table(), 0 if report.ok else 1)


def recall(session: Session, file: Conversations, *, text_only: TextOnly = False) -> Printed:
    """Measure recall on conversations.

    The share of the turns that hold an answer which is among the best 5, 10, 20 and 50 that recall gives, and by
    category among the best 10. Beside it, for people, what plain full text and words alone give.
    """
    from greenroom.adapters.embeddings import embedded_default, in_words

    run = _measure("recall")
    from greenroom.kit.cli.progress import Bar

    if session.as_json and not text_only and embedded_default() is None:
        print(f"greenroom: {in_words(None)}", file=sys.stderr)
    with given_file(file), Bar("bench recall") as bar:
        report = run(file, text_only, bar)
    return Printed(report.as_json(), report.as_text())


def http(
    session: Session, *, connections: Connections = 64, seconds: LoadSeconds = 10.0, folder: Where = None
) -> Printed:
    """Measure a server under load.

    Players come, talk and go, over loopback, each as fast as he is answered; beside it the framework with
    a handler that does nothing. The exit code is 1 when a limit is broken.
    """
    import fastapi  # noqa: F401  the server runs in another process, which could not say so as well

    run = _measure("http")
    place = folder or Path.cwd()
    with given_file(place):
        report = run(connections=connections, seconds=seconds, folder=place)
    return Printed(report.as_json(), report.as_text(), 0 if report.ok else 1)


def start(session: Session, *, repeats: Repeats = 3) -> Printed:
    """Measure how the server starts.

    Time until something is printed and until it serves, on a new house and on one that is there, and memory at rest.
    The exit code is 1 when a limit is broken.
    """
    run = _measure("start")
    report = run(repeats=repeats)
    return Printed(report.as_json(), report.table(), 0 if report.ok else 1)
