"""The commands of the program, run in this process: a new one would spend most of its time on imports."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from greenroom.entrypoints.cli import app
from tests.houses import HOUSES


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, and what it said."""

    exit_code: int
    stdout: str
    stderr: str


@cache  # the program makes its commands once; so does a process that runs hundreds of them
def _program() -> Any:
    return get_command(app)


def call(args: Sequence[str]) -> int:
    """Run one command as it is, with the streams and the environment of this process; gives its exit code."""
    code: int = _program().main(list(args), "greenroom", standalone_mode=False)
    return code


def invoke(home: Path, args: Sequence[str], *, typed: str | None = None) -> Ended:
    """Run one command in the house of this folder, with streams of its own."""
    environment = {"GREENROOM_HOME": str(home), **HOUSES.environment(home)}
    with CliRunner().isolation(input=typed, env=environment) as (out, err, _):
        code = call(args)
        sys.stdout.flush()
        sys.stderr.flush()
        return Ended(code, *(stream.getvalue().decode().replace("\r\n", "\n") for stream in (out, err)))
