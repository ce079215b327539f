"""Shares of right replies as a picture, PNG or SVG; needs the extra ``plots``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from greenroom.kit import plots
from greenroom.kit.judging.scoring import Report


def draw(world: str, reports: Sequence[Report], file: Path) -> None:
    """Draw the shares of right replies by kind, one bar for each set of probes.

    Raises:
        UsageError: the file is neither PNG nor SVG, or the library is not installed.
    """
    alt = plots.altair_for(file)
    bars = _bars(alt, [point for report in reports for point in _points(report)])
    told = [
        f"{report.name}: {report.repeats} repeats, {report.leaks} leaks, {report.out_of_character} out of character"
        for report in reports
    ]
    chart = bars.properties(title=alt.TitleParams(f"{world}, judged", subtitle=told, anchor="start"))
    plots.save(chart, file)


def _points(report: Report) -> list[dict[str, Any]]:
    return [
        {"kind": kind, "probes": report.name, "share": right / of, "count": f"{right}/{of}"}
        for kind, (right, of) in report.kinds.items()
        if of
    ]


def _bars(alt: Any, points: list[dict[str, Any]]) -> Any:
    base = alt.Chart(alt.Data(values=points)).encode(
        x=alt.X("share:Q", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"), title=None),
        y=alt.Y("kind:N", sort=None, title=None),
        yOffset=alt.YOffset("probes:N", sort=None),
        color=alt.Color("probes:N", sort=None, title=None),
    )
    return base.mark_bar() + base.mark_text(align="left", dx=4).encode(text="count:N", color=alt.value("#666"))
