"""``greenroom new``: a world of one's own, to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from greenroom.kit.cli.session import Printed, Session, command, given_file

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the world: a word in small letters.")]
Where = Annotated[Path, typer.Option("--path", metavar="DIR", help="Folder to make it in; here by default.")]


def add_to(app: typer.Typer) -> None:
    command(app, "new")(new)


def new(session: Session, name: Name, *, path: Where = Path()) -> Printed:
    """Make a world of your own.

    A package that can be installed and published: rules, content, routes, a page, commands, tests, and a README that
    says what is where. It is small and whole; change it until it is yours.
    """
    from greenroom.entrypoints.scaffold import build

    with given_file(path):
        made = build(name, path)
    data = {"world": name, "folder": str(made.folder), "files": [str(file) for file in made.files]}
    lines = [
        f"{made.folder}: the world {name}, {len(made.files)} files",
        f"  pip install -e '{made.folder}[test]'",
        f"  greenroom up, or greenroom play {name}",
        f"  pytest {made.folder}",
    ]
    return Printed(data, "\n".join(lines))
