"""Repositories that tests make: small ones in which every finding is known."""

from __future__ import annotations

import subprocess
from pathlib import Path

HARBOUR = {
    "README.md": "# Harbour\n\nSee [the tides](docs/tides.md) and [the map](docs/map.md).\n\n`[not a](link.md)`\n",
    "docs/tides.md": "Up and down. [Home](../README.md) and [away](https://example.org/x.md).\n",
    "harbour/__init__.py": '"""A harbour."""\n',
    "harbour/quay.py": (
        '"""The quay."""\n\nfrom harbour.tide import level\n\n\n'
        "def moor(ship):\n    return level() > 2 and ship\n\n\n"
        'def cast_off(ship):\n    """Let a ship go."""\n    return ship\n'
    ),
    "harbour/tide.py": (
        '"""The tide."""\n\nfrom harbour import quay\n\n\ndef level():\n    """How high the water is."""\n'
        "    return 3 if quay else 0  # FIXME: measure it\n"
    ),
    "harbour/ghost.py": '"""Nobody comes here."""\n\n\ndef haunt():\n    """Boo."""\n    return "boo"\n',
    "harbour/lamp.py": (
        '"""The lamp."""\n\n\ndef light():\n    """Burn."""\n    text = "# TODO: not a note"\n    return text\n'
    ),
    "harbour/long.py": '"""Too long."""\n\n\ndef reel():\n    """Go on."""\n' + "    x = 1\n" * 70 + "    return x\n",
    "main.py": "from harbour.long import reel\n\nif __name__ == '__main__':\n    reel()\n",
    "tests/test_quay.py": (
        "from harbour.quay import moor\nfrom tests.kit import is_moored\n\n\ndef test_a_ship_is_moored():\n"
        "    assert moor('x') == 'x'\n\n\ndef test_nothing_at_all():\n    moor('x')\n\n\n"
        "def test_by_a_helper():\n    is_moored('x')\n"
    ),
    "tests/kit.py": "from harbour.lamp import light\n\n\ndef is_moored(ship):\n    light()\n    assert ship\n",
}


def made(place: Path, files: dict[str, str], *, at: str = "2024-03-01T12:00:00+00:00") -> Path:
    """A repository with these files in one commit of this moment."""
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(place, "init", "-q", ".")
    commit(place, at=at)
    return place


def commit(place: Path, *, at: str) -> None:
    git(place, "add", "-A")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    moment = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    git(place, *who, "commit", "-q", "-m", "more", environment=moment)


def git(place: Path, *args: str, environment: dict[str, str] | None = None) -> str:
    told = {"PATH": "/usr/bin:/bin", "HOME": str(place), **(environment or {})}
    return subprocess.run(("git", *args), cwd=place, env=told, check=True, capture_output=True, text=True).stdout


def harbour(place: Path) -> Path:
    """Ten files with one of everything that can be found in Python."""
    return made(place, HARBOUR)
