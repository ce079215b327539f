"""Does what a page says, in the order in which it stands: writes its files, types its commands, applies its changes.

The first line of a block names its file; ``sh`` is typed, lines with ``>`` to the program that was started last;
``diff`` changes a file; ``text`` is printed by the commands before it. Blocks without a language are only read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

#: Seconds for one command.
PATIENCE = 300
#: The command that goes on until it is stopped.
UP = "greenroom up"
_PIECE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$|^#+ (?P<heading>[^\n]+)$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"# (\S+\.\w+)\n")
_GROUP = re.compile(r"(?:^[-+ ].*\n)+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page, and the heading it stands under."""

    heading: str
    language: str
    text: str

    @property
    def file(self) -> str | None:
        named = _FILE.match(self.text)
        return named.group(1) if named else None

    @property
    def body(self) -> str:
        """Without the line that names the file."""
        return _FILE.sub("", self.text, count=1)


def blocks(page: Path) -> list[Block]:
    """The blocks of a page that something is done with."""
    found, heading = [], ""
    for piece in _PIECE.finditer(page.read_text(encoding="utf-8")):
        heading = piece["heading"] or heading
        if piece["language"]:
            found.append(Block(heading, piece["language"], piece["text"]))
    return found


def is_exercise(block: Block) -> bool:
    return block.heading.startswith("Exercise")


@dataclass(slots=True)
class Walk:
    """One person's way through a page: an environment in which packages are installed, a house, a folder."""

    place: Path
    #: Where the commands of the page have led.
    here: Path = field(init=False)
    printed: str = ""
    #: Of the house that a page has opened; it stays open until the walk is over.
    address: str = ""
    _open: ExitStack = field(default_factory=ExitStack)
    _begun: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.here = self.place
        environment = self.place / "venv"
        if environment.exists():
            return
        venv.create(environment, with_pip=False, symlinks=True)
        (site,) = environment.glob("lib/python*/site-packages")
        # It has what this process has, and what is installed into it stays in it.
        theirs = [path for path in sys.path if Path(path).name == "site-packages"]
        lines = [f"import site; site.addsitedir({path!r})" for path in theirs]
        (site / "theirs.pth").write_text("\n".join(lines) + "\n")
        self._program("greenroom", "-m greenroom.entrypoints.cli")
        self._program("pip", "-m pip --disable-pip-version-check --no-input", "--no-index --no-build-isolation -q")

    def _program(self, name: str, module: str, more: str = "") -> None:
        script = self.place / "venv/bin" / name
        script.write_text(f'#!/bin/sh\nexec "{self.place}/venv/bin/python" {module} "$@" {more}\n')
        script.chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        path = f"{self.place}/venv/bin:{os.environ['PATH']}"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GREENROOM_", "PYTEST_"))}
        return {
            **kept,
            "PATH": path,
            "VIRTUAL_ENV": f"{self.place}/venv",
            "GREENROOM_HOME": f"{self.place}/house",
            "GREENROOM_PORT": "0",
            "GREENROOM_RECALL": "words",
        }

    def copied(self, folder: Path) -> Walk:
        """The same person in a copy of the files, in the same house."""
        shutil.copytree(self.here, folder)
        other = Walk(self.place)
        other.here = folder
        other._begun |= self._begun
        return other

    def close(self) -> None:
        self._open.close()

    # what a block is for

    def do(self, block: Block) -> None:
        """Do what one block says.

        Raises:
            AssertionError: a command failed, or did not print what the page says.
        """
        match block.language:
            case "sh":
                status = self.type(block.text)
                assert status == 0, f"{block.text}\n{self.printed}"
            case "text":
                self.look_for(block.text)
            case "diff":
                self.change(block)
            case _:
                self.write(block)

    def write(self, block: Block) -> None:
        assert block.file is not None, f"under {block.heading!r} stands a block that names no file:\n{block.text}"
        file = self.here / block.file
        before = f"{file.read_text(encoding='utf-8')}\n\n" if block.file in self._begun else ""
        file.write_text(before + block.body, encoding="utf-8")
        self._begun.add(block.file)

    def change(self, block: Block) -> None:
        assert block.file is not None
        file = self.here / block.file
        text = file.read_text(encoding="utf-8")
        for group in _GROUP.findall(block.body):
            lines = group.splitlines(keepends=True)
            old, new = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
            assert text.count(old) == 1, f"this should stand once in {block.file}:\n{old}"
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")

    def type(self, commands: str) -> int:
        """Type commands and what follows them after ``>``; gives the exit status of the first that fails."""
        if commands.strip() == UP:
            self.printed = self.address = self._open.enter_context(self._up())
            return 0
        self.printed = ""
        for command, typed in _commands(commands):
            script = f"{command}\nstatus=$?; pwd > {self.place}/here; exit $status"
            ended = subprocess.run(
                ("bash", "-c", script),
                cwd=self.here,
                env=self.environment,
                input=typed,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=PATIENCE,
                check=False,
            )
            self.printed += ended.stdout
            self.here = Path((self.place / "here").read_text().strip())
            if ended.returncode:
                return ended.returncode
        return 0

    def look_for(self, text: str) -> None:
        for line in filter(None, map(str.strip, text.splitlines())):
            assert line in self.printed, f"{line!r} was not printed:\n{self.printed}"

    @contextmanager
    def _up(self) -> Iterator[str]:
        """The house, open; gives the address that is printed."""
        started = subprocess.Popen(UP.split(), cwd=self.here, env=self.environment, stdout=subprocess.PIPE, text=True)
        assert started.stdout is not None
        hung = threading.Timer(PATIENCE, started.kill)
        hung.start()
        try:
            said = next((line for line in started.stdout if "http" in line), "")
            assert said, f"the house did not open: {said}"
            yield said.split()[-1]
        finally:
            hung.cancel()
            started.terminate()
            started.communicate(timeout=PATIENCE)


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """Commands, each with what is typed to it."""
    command, typed = "", ""
    for line in text.splitlines():
        if line.startswith("> "):
            typed += f"{line[2:]}\n"
            continue
        if command:
            yield command, typed
        command, typed = line, ""
    yield command, typed
