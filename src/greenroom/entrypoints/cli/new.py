"""``greenroom new``: a world of one's own, to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from greenroom.kit.cli.session import Session, Shown, command, given_file

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the world: a word in small letters.")]
Where = Annotated[Path, typer.Option("--path", metavar="DIR", help="Folder to make it in; here by default.")]


def add_to(app: typer.Typer) -> None:
    command(app, "new")(new)


def new(session: Session, name: Name, *, path: Where = Path()) -> Shown:
    """Make a world of your own.

    A small one that runs: state, commands, events, rules, views, prompts, tables, content, tests and a page that says
    what is where. It has the pattern of the lighthouse; change it until it is yours.
    """
    from greenroom.entrypoints.scaffold import build

    with given_file(path):
        made = build(name, path)
    data = {"world": name, "folder": str(made.folder), "files": [str(file) for file in made.files]}
    lines = [
        f"{made.folder}: the world {name}, {len(made.files)} files",
        f"  cd {made.folder}",
        f"  python -m {name}      play it",
        "  python -m pytest      try it",
    ]
    return Shown(data, "\n".join(lines))
