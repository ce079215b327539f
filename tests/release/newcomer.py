"""Somebody who has nothing yet: an environment of their own, an empty home, no cache; and two lines of the README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import threading
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import greenroom

ROOT = Path(__file__).parents[2]
#: Seconds for an installation with everything it needs, and for a house to open.
PATIENCE = 900
_TWO_LINES = re.compile(r"^## Two commands\n+```\n(?P<first>[^\n]+)\n(?P<second>[^\n]+)\n```$", re.MULTILINE)
#: What would lead back to whoever runs this, or to what they have at home.
_OURS = ("GREENROOM_", "PYTEST_", "PYTHON", "UV_", "VIRTUAL_", "XDG_")


def two_lines() -> tuple[str, str]:
    """What the README says to type first."""
    found = _TWO_LINES.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None, "the README begins with two lines to type"
    return found["first"], found["second"].partition("#")[0].strip()


class Newcomer:
    """Types what the README says.

    Until it is published, ``pip`` finds Greenroom in a folder. What others make comes from the package index as this
    machine is set up for it, or, where no network is to be used, from the environment that runs the tests.
    """

    def __init__(self, folder: Path, package: Path, *, index: bool) -> None:
        self._folder = folder
        self._index = index
        (folder / "home").mkdir(parents=True)
        venv.create(folder / "env", symlinks=True, with_pip=index)
        if not index:
            self._borrow()
        (folder / "shop").mkdir()
        (folder / "shop" / package.name).symlink_to(package)
        (folder / "constraints.txt").write_text(f"greenroom=={greenroom.__version__}\n")

    def _borrow(self) -> None:
        """Put everything of this environment beside it but Greenroom itself, which ``pip`` must not find there."""
        others = self._folder / "others"
        others.mkdir()
        for one in Path(sysconfig.get_path("purelib")).iterdir():
            if not one.name.startswith(("greenroom", "__pycache__")) and one.suffix != ".pth":
                (others / one.name).symlink_to(one)
        (site,) = self._folder.glob("env/lib/python*/site-packages")
        (site / "others.pth").write_text(f"{others}\n")
        script = self._folder / "env/bin/pip"
        script.write_text(f'#!/bin/sh\nexec "{self._folder}/env/bin/python" -m pip "$@"\n')
        script.chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        told = {
            "HOME": str(self._folder / "home"),
            "PATH": f"{self._folder}/env/bin:{os.environ['PATH']}",
            "PIP_CONSTRAINT": str(self._folder / "constraints.txt"),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_FIND_LINKS": f"{self._folder / 'shop'} {os.environ.get('PIP_FIND_LINKS', '')}".strip(),
            "PIP_NO_CACHE_DIR": "1",
            "GREENROOM_PORT": "0",
        }
        return kept | told | (_set_up() if self._index else _SPARING)

    def types(self, line: str) -> str:
        """Type one line; it has to succeed."""
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=self._folder / "home",
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-4000:]}"
        return done.stdout

    @contextmanager
    def keeps_open(self, line: str) -> Iterator[str]:
        """Type a line that goes on until it is stopped; gives the address that it prints."""
        house = subprocess.Popen(
            ["bash", "-c", f"exec {line}"],
            cwd=self._folder / "home",
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert house.stdout is not None
        hung = threading.Timer(PATIENCE, house.kill)
        hung.start()
        try:
            said = next((said for said in house.stdout if "http" in said), "")
            assert said, "the house did not open"
            yield said.split()[-1]
        finally:
            hung.cancel()
            house.terminate()
            house.communicate(timeout=PATIENCE)


#: Nothing is fetched, the build backend is the borrowed one, and only what is imported is compiled.
_SPARING = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_COMPILE": "1"}


def _set_up() -> dict[str, str]:
    """Where packages are had from is the machine's business: what its user has set for pip still holds."""
    home = Path(os.environ.get("HOME", "/"))
    files = (home / ".config/pip/pip.conf", home / ".pip/pip.conf")
    return next(({"PIP_CONFIG_FILE": str(one)} for one in files if one.is_file()), {})


def built(folder: Path, kind: str) -> Path:
    """The wheel or the sdist, built from these sources."""
    args = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(args, cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE)
    (made,) = folder.glob("greenroom-*")
    return made


__all__ = ["ROOT", "Newcomer", "built", "two_lines"]
