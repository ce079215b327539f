"""The program ``greenroom``: thin commands over a house and its services.

Nothing slow is imported here: ``greenroom --help`` answers before a database library is loaded.
"""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

from greenroom.entrypoints.cli import (
    bench,
    database,
    doctor,
    knowing,
    models,
    moving,
    new,
    play,
    streams,
    up,
    work,
    worlds,
)
from greenroom.kit.cli.session import Root

#: How long a thread that comes back from the disk waits for a busy loop: Python's own 5 ms are a batch of turns.
HANDOVER_SECONDS = 0.0002
#: How many objects are made before Python looks for cycles among them. Its own 700 cost a server a tenth of its time.
YOUNG_OBJECTS = 20_000


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"greenroom {version('greenroom')}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version.", show_default=False),
]


def program(version: Version = False) -> None:
    """Casts of AI characters keep their state, memory and story here."""


def own_commands() -> typer.Typer:
    """The program without what worlds bring."""
    made = typer.Typer(
        name="greenroom",
        cls=Root,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    made.callback()(program)
    for group in (up, play, worlds, models, new, streams, knowing, moving, work, doctor, bench, database):
        group.add_to(made)
    return made


app = own_commands()
worlds.add_groups(app)


def main() -> None:
    """Run the program; the exit code is that of the error, if there was one."""
    sys.setswitchinterval(HANDOVER_SECONDS)
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
    app()


__all__ = ["app", "main"]
