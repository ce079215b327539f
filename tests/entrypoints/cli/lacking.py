"""Runs every command of the program in a process that has none of the packages of one extra.

``python -m tests.entrypoints.cli.lacking EXTRA FOLDER`` prints one JSON object: each run of a command with its exit
code, what it wrote, and the traceback if it ended in one.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from greenroom.kit.cli.extras import EXTRAS

NOBODY = "postgresql://127.0.0.1:9/none"
#: Arguments without which a command would not come far, or would not come back.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "new": ("somewhere",),
    "start": ("lighthouse",),
    "send": ("evening", "climb"),
    "show": ("evening",),
    "replay": ("evening",),
    "branch": ("evening",),
    "verify": ("evening",),
    "recall": ("evening", "storm"),
    "why": ("evening", "1"),
    "export": ("evening",),
    "import": ("nowhere.jsonl",),
    "bench recall": ("nowhere.json",),
    "bench http": ("--connections", "1", "--seconds", "1"),
    "db restore": ("nowhere.db",),
    "db copy": ("house.db", NOBODY),
    "db forget": ("nobody", "--yes"),
    "db export-person": ("nobody",),
    "agi play": ("--games", "1"),
    "agi watch": ("nowhere",),
    "agi replay": ("nowhere",),
    "agi branch": ("nowhere",),
    "agi stats": ("--plot", "plot.svg"),
    "agi league": ("random,weak", "--games", "1", "--plot", "league.svg"),
    "arena evolve": ("--generations", "1"),
    "arena approve": ("nowhere", "1"),
    "arena similar": ("a promise that was broken",),
    "arena stats": ("--plot", "arena.svg"),
    "arena export": ("--output", "episodes.parquet"),
    "bar evaluate": ("nowhere.csv",),
    "bar evening": ("--help",),
    "phantom validate": ("nowhere",),
    "phantom simulate": ("--help",),
    "judge": ("lighthouse", "--marks", "nowhere.txt", "--marks", "nowhere.txt"),
    "realms link": ("somewhere",),
    "realms explore": ("somewhere",),
    "realms resume": ("somewhere",),
    "realms inherit": ("somewhere", "nowhere"),
    "realms remove": ("nowhere",),
    "realms quests": ("somewhere",),
    "realms board": ("somewhere",),
    "realms brainstorm": ("somewhere", "What first?", "--approve"),
    "realms seat": ("somewhere", "mason", "--seconds", "1"),
    "realms export": ("somewhere",),
    "realms watch": ("somewhere", "--seconds", "0.2"),
}
#: They serve until they are told to stop: tried where they cannot begin.
ENDLESS = {"up", "worker"}
#: They measure for long: tried only where they lack something.
LONG = {"bench": (), "bench http": ("server",), "bench postgres": ("postgres",), "bench start": ()}


class Without(MetaPathFinder):
    """Finds whatever another finder finds, but nothing of these packages, as if they were not installed."""

    def __init__(self, finder: Any, packages: Sequence[str]) -> None:
        self._finder = finder
        self._packages = frozenset(packages)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] in self._packages:
            return None
        found: ModuleSpec | None = self._finder.find_spec(name, path, target)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)


def block(extra: str) -> None:
    packages = EXTRAS[extra]
    for name in [*sys.modules]:
        if name.partition(".")[0] in packages:
            del sys.modules[name]
    sys.meta_path[:] = [Without(finder, packages) for finder in sys.meta_path]


def commands(found: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    inner = getattr(found, "commands", {})
    for name, command in inner.items():
        yield from commands(command, (*path, name))
    if path and (not inner or found.invoke_without_command):
        yield " ".join(path)


def run(program: Any, args: Sequence[str]) -> dict[str, Any]:
    from typer.testing import CliRunner  # noqa: PLC0415  after packages were taken away

    logging.getLogger("greenroom").handlers.clear()  # it would write to the streams of the run before
    trace = ""
    code: object = None
    with CliRunner().isolation(input="") as (out, err, _):
        try:
            code = program.main(list(args), "greenroom", standalone_mode=False)
        except BaseException:  # noqa: BLE001  whatever it is, it is told
            trace = traceback.format_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        told = {"out": out.getvalue().decode(), "err": err.getvalue().decode()}
    return {"args": list(args), "code": code, "trace": trace, **told}


def walk(program: Any, extra: str) -> Iterator[dict[str, Any]]:
    for name in commands(program):
        if name in LONG and extra not in LONG[name]:
            continue
        args = (*name.split(), *ARGUMENTS.get(name, ()))
        if name not in ENDLESS:
            yield run(program, args)
        if name in ENDLESS or extra == "postgres":
            os.environ["GREENROOM_DATABASE_URL"] = NOBODY
            yield run(program, args)
            del os.environ["GREENROOM_DATABASE_URL"]


def main(extra: str, folder: str) -> None:
    os.chdir(folder)
    os.environ["GREENROOM_HOME"] = folder
    block(extra)
    from typer.main import get_command  # noqa: PLC0415

    from greenroom.entrypoints.cli import app  # noqa: PLC0415

    program = get_command(app)
    made = run(program, ("start", "lighthouse", "--name", "evening"))
    print(json.dumps({"made": made, "ran": list(walk(program, extra))}))


if __name__ == "__main__":
    main(sys.argv[1], str(Path(sys.argv[2])))
