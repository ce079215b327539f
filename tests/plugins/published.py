"""An environment of its own in an empty folder, into which wheels are installed as anybody would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
#: Seconds that any one thing may take here.
PATIENCE = 120


class Environment:
    """Python with what is installed into it; packages of others come from the environment that runs the tests."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._python = folder / "env" / "bin" / "python"
        self._ran(sys.executable, "-m", "venv", "--without-pip", str(folder / "env"))
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        site = folder / "env" / "lib" / version / "site-packages"
        # A folder on the path, and no more: what is installed there in place of a wheel is not seen.
        (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")

    def _ran(self, *command: str, cwd: Path | None = None, more: Mapping[str, str] | None = None) -> str:
        done = subprocess.run(
            command,
            cwd=cwd or self._folder,
            env=_environment(more or {}),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def wheel(self, project: Path) -> Path:
        """Build the wheel of a project."""
        target = self._folder / "wheels" / project.name
        self._ran(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target), cwd=project)
        (made,) = target.glob("*.whl")
        return made

    def install(self, wheel: Path) -> None:
        self._uv("install", "--no-deps", "--offline", str(wheel))

    def uninstall(self, package: str) -> None:
        self._uv("uninstall", package)

    def _uv(self, what: str, *more: str) -> None:
        self._ran(sys.executable, "-m", "uv", "pip", what, "--quiet", "--python", str(self._python), *more)

    def python(self, code: str) -> str:
        return self._ran(str(self._python), "-c", code).strip()

    def greenroom(self, *args: str, **more: str) -> Any:
        """What a command of the program answers; it has to succeed."""
        return json.loads(self._ran(str(self._python.with_name("greenroom")), *args, "--json", more=more))

    def greenroom_each(self, *commands: tuple[str, ...], **more: str) -> list[Any]:
        """The same for several commands, one after the other in one process: it takes longer to start than they do."""
        told = self._ran(str(self._python), "-c", _EACH, json.dumps(commands), more=more)
        return [json.loads(line) for line in told.splitlines()]

    @contextmanager
    def up(self, **more: str) -> Iterator[str]:
        """``greenroom up`` on a free port, for the length of a block; gives its address."""
        command = (str(self._python.with_name("greenroom")), "up", "--json", "--port", "0")
        running = subprocess.Popen(
            command, cwd=self._folder, env=_environment(more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        hung = threading.Timer(PATIENCE, running.kill)
        hung.start()
        assert running.stdout is not None
        try:
            said = running.stdout.readline()
            assert '"address"' in said, running.communicate()
            yield json.loads(said)["address"]
        finally:
            running.terminate()
            running.communicate()
            hung.cancel()


_EACH = """
import json, sys
from typer.main import get_command
from greenroom.entrypoints.cli import app
program = get_command(app)
for args in json.loads(sys.argv[1]):
    if code := program.main([*args, "--json"], "greenroom", standalone_mode=False):
        sys.exit(f"{args} ended with {code}")
"""


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """Nothing of the environment of the tests that would lead back to it."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL", "GREENROOM"))
    }
    return {**kept, "GREENROOM_RECALL": "words", "GREENROOM_LOG_LEVEL": "warning", **more}
