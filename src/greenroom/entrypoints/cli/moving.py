"""Streams out of a house and into another: export, import."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer

from greenroom.entrypoints.cli.streams import Name, facts
from greenroom.kernel.errors import Malformed
from greenroom.kit.cli.session import Printed, Session, command, given_file
from greenroom.text.counting import plural

Out = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="File to write; standard output by default."),
]
Source = Annotated[Path, typer.Argument(metavar="FILE", help="An exported file; - for standard input.")]


def add_to(app: typer.Typer) -> None:
    command(app, "export")(export)
    command(app, "import")(import_)


async def export(session: Session, stream: Name, *, output: Out = None) -> Printed:
    """Write a whole stream, with its words, as lines of JSON."""

    check_output(session, output)
    async with session.house() as house:
        count = await write_lines(house.export(stream), output)
    return exported({"stream": stream}, count, output)


async def import_(session: Session, file: Source) -> Printed:
    """Take in an exported stream.

    It keeps its name; every sum is checked before anything is written.
    """

    with given_file(file):
        if str(file) != "-":
            file.open("rb").close()
        async with session.house(makes=True) as house:
            taken = await house.import_(_lines(file))
    return Printed(facts(taken), f"stream {taken.name} ({taken.world}), version {taken.version}, is here now")


def check_output(session: Session, output: Path | None) -> None:
    """With ``--json`` standard output has room for one object only.

    Raises:
        Malformed: there would be two.
    """
    if session.as_json and output is None:
        raise Malformed("with --json the lines need a file of their own: give one with -o")


def exported(what: dict[str, str], count: int, output: Path | None) -> Printed:
    data = {**what, "lines": count, "file": None if output is None else str(output)}
    return Printed(data, "" if output is None else f"{output}: {plural(count, 'line')}")


async def write_lines(lines: AsyncIterator[bytes], output: Path | None) -> int:
    """Write lines to a file, whole or not at all, or to standard output; returns how many."""
    if output is None:
        return await _copy(lines, sys.stdout.buffer.write)
    with given_file(output), _whole(output) as file:
        return await _copy(lines, file.write)


@contextmanager
def _whole(output: Path) -> Iterator[IO[bytes]]:
    """A file that takes its place only when everything is in it."""
    partial = output.with_name(f".{output.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)


async def _copy(lines: AsyncIterator[bytes], write: Callable[[bytes], object]) -> int:
    count = 0
    async for line in lines:
        write(line if line.endswith(b"\n") else line + b"\n")
        count += 1
    return count


def _lines(file: Path) -> Iterator[bytes]:
    if str(file) == "-":
        yield from sys.stdin.buffer
        return
    with file.open("rb") as lines:
        yield from lines
