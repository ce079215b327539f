"""Checks what would be published: builds sdist and wheel, looks into them, installs them with pip alone and plays.

``make release-check`` runs it. Nothing is published; the two files are left in ``dist``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from email import message_from_string
from email.message import Message
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
#: What a plain install must never bring: frameworks, and what belongs to a graphics card.
HEAVY = re.compile(r"torch|tensorflow|transformers|sentence|nvidia|cuda|triton|llama|jax", re.IGNORECASE)
#: What the wheel must have besides its modules.
NEEDED = ("greenroom/py.typed", "greenroom/worlds/lighthouse/content/lighthouse.yaml")
#: Nothing larger is published by mistake.
MOST_BYTES = 20_000_000
#: Seconds for one program: the longest one installs two times and plays.
PATIENCE = 1800


class Wrong(Exception):
    """What is wrong with the release, in one sentence."""


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    try:
        wheel, sdist = built(project["version"])
        look_into(wheel, sdist, project)
        for extra in project["optional-dependencies"]:
            resolve(wheel, extra)
        try_out()
    except Wrong as wrong:
        print(f"release: {wrong}", file=sys.stderr)
        return 1
    print(f"release: {wheel.name} and {sdist.name} are as they should be")
    return 0


# building


def built(version: str) -> tuple[Path, Path]:
    """Both files, made anew."""
    for old in DIST.glob("greenroom-*"):
        old.unlink()
    run([sys.executable, "-m", "hatchling", "build", "-d", str(DIST)], ROOT)
    wheel, sdist = DIST / f"greenroom-{version}-py3-none-any.whl", DIST / f"greenroom-{version}.tar.gz"
    told = ", ".join(f"{one.name} ({one.stat().st_size / 1e6:.1f} MB)" for one in (wheel, sdist))
    print(f"release: built {told}")
    return wheel, sdist


def run(args: Sequence[str], folder: Path, **environment: str) -> str:
    """What a program says.

    Raises:
        Wrong: it fails.
    """
    done = subprocess.run(
        args,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    if done.returncode:
        raise Wrong(f"{' '.join(map(str, args))} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


# looking into them


def look_into(wheel: Path, sdist: Path, project: dict[str, Any]) -> None:
    """Hold both files against the sources and the project's description.

    Raises:
        Wrong: something is missing or too much.
    """
    sources = {str(Path(name).relative_to("src")) for name in tracked("src")}
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
        described = message_from_string(opened.read(information(names)).decode())
        large = [one.filename for one in opened.infolist() if one.file_size > MOST_BYTES]
    ours = {name for name in names if ".dist-info/" not in name}
    demand(not ours ^ sources, f"the wheel differs from the sources: {sorted(ours ^ sources)[:5]}")
    demand(not large, f"{large} are too large")
    demand({*NEEDED} <= names, f"the wheel lacks one of {NEEDED}")
    demand(any(name.endswith("/licenses/LICENSE") for name in names), "the wheel has no licence")
    look_at(described, project)
    with tarfile.open(sdist) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    for name in ("LICENSE", "Makefile", "README.md", "hatch_build.py", "requirements.lock", *tracked("src", "tests")):
        demand(name in inside, f"the sdist lacks {name}")
    print(f"release: the wheel has {len(names)} files, the sdist {len(inside)}")


def tracked(*folders: str) -> list[str]:
    return run(["git", "ls-files", *folders], ROOT).splitlines()


def information(names: set[str]) -> str:
    return next(name for name in names if name.endswith(".dist-info/METADATA"))


def look_at(described: Message, project: dict[str, Any]) -> None:
    text = str(described.get_payload())
    demand(described["Version"] == project["version"], "the version of the wheel is another")
    demand(described["License-Expression"] == "Apache-2.0", "the licence is not named")
    demand(described["Author"] == "The Greenroom authors", "the authors are not named")
    demand(described["Description-Content-Type"] == "text/markdown", "the description is not Markdown")
    demand("![" not in text, "the description has pictures")
    demand(not re.search(r"\]\((?!https?:|#)", text), "the description has links that lead nowhere")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    demand(f"## [{project['version']}]" in changes, "the changelog has no section for this version")


def demand(holds: object, otherwise: str) -> None:
    """Go on if it holds.

    Raises:
        Wrong: it does not.
    """
    if not holds:
        raise Wrong(otherwise)


# what pip would bring


def resolve(wheel: Path, extra: str) -> None:
    """Ask pip what an extra brings; nothing is installed.

    Raises:
        Wrong: frameworks among it, or something to compile.
    """
    args = ["install", "--dry-run", "--quiet", "--ignore-installed", "--only-binary", ":all:", "--report", "-"]
    told = json.loads(
        run([sys.executable, "-m", "pip", "--disable-pip-version-check", *args, f"{wheel}[{extra}]"], ROOT)
    )
    names = sorted(one["metadata"]["name"] for one in told["install"])
    demand(not [name for name in names if HEAVY.search(name)], f"[{extra}] brings {list(filter(HEAVY.search, names))}")
    print(f"release: [{extra}] brings {len(names)} packages, wheels only, no framework")


# trying them


def try_out() -> None:
    """Type the first two lines of the README, once with each file, as somebody who has nothing yet; see the page.

    Raises:
        Wrong: it does not come that far.
    """
    args = [sys.executable, "-m", "pytest", "-q", "-rs", "tests/release/test_first_minutes.py"]
    with tempfile.NamedTemporaryFile("r", prefix="greenroom-release-") as told:
        run(args, ROOT, GREENROOM_DIST=str(DIST), GREENROOM_REPORT=told.name, CI="1")
        for line in told:
            print(f"release: {line.strip()}")


if __name__ == "__main__":
    sys.exit(main())
