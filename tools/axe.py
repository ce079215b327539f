"""Fetches axe-core, which looks for what people with other senses or hands would stumble over, for the tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = "4.14.0"
PLACE = ROOT / ".venv" / "axe"
SCRIPT = PLACE / "node_modules" / "axe-core" / "axe.min.js"
WANTED = (
    "axe: none here, so pages are not looked through by it; install npm (Debian's package npm) and run make browser"
)
#: Seconds that the package manager may take.
PATIENCE = 300


def find() -> Path | None:
    """The script of that version, if it is there."""
    about = SCRIPT.with_name("package.json")
    there = SCRIPT.is_file() and f'"version": "{VERSION}"' in about.read_text(encoding="utf-8")
    return SCRIPT if there else None


def fetch() -> None:
    """Ask npm for it; whatever goes wrong, the caller looks whether it is there."""
    args = ("npm", "install", "--prefix", str(PLACE), "--no-save", "--silent", "--no-audit", f"axe-core@{VERSION}")
    PLACE.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(args, check=False, timeout=PATIENCE, stdout=sys.stderr)
    except subprocess.TimeoutExpired:
        return


def main() -> int:
    if find() is None and shutil.which("npm") is not None:
        print(f"axe: fetching axe-core {VERSION}")
        fetch()
    print(WANTED if find() is None else f"axe: {VERSION}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
