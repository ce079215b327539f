"""Packages for tests: a folder with the modules and the metadata that an installer would have written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from greenroom.plugins import GROUP


def install(folder: Path, package: str, points: Mapping[str, str], modules: Mapping[str, str] | None = None) -> Path:
    """Put a package of version 1.0 into a folder; on the path of a process, the folder is where it is installed.

    Args:
        points: entry points, from name to ``module:name``.
        modules: source by path; those that are there already stay.
    """
    facts = folder / f"{package}-1.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"[{GROUP}]", *(f"{name} = {reference}" for name, reference in points.items())]
    (facts / "entry_points.txt").write_text("\n".join(lines) + "\n")
    for path, source in (modules or {}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(dedent(source))
    return folder
