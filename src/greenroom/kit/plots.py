"""Pictures in files, PNG or SVG; needs the extra ``plots``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from greenroom.kernel.errors import UsageError

SUFFIXES = (".png", ".svg")


def altair_for(file: Path) -> Any:
    """The library that draws, for a file that it can write.

    Raises:
        UsageError: the file is neither PNG nor SVG, or the library is not installed.
    """
    if file.suffix.lower() not in SUFFIXES:
        raise UsageError(f"a plot is a {' or '.join(SUFFIXES)} file, not {file.name}")
    try:
        import altair
    except ImportError:
        raise UsageError("plots need altair and vl-convert-python; install greenroom[plots]") from None
    return altair


def save(chart: Any, file: Path) -> None:
    chart.save(str(file), **({"scale_factor": 2} if file.suffix.lower() == ".png" else {}))
