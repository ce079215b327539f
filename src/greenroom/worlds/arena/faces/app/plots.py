"""Score by generation as a picture, PNG or SVG; needs the extra ``plots``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from greenroom.kernel.errors import UsageError
from greenroom.kit import plots
from greenroom.worlds.arena.rules.run import Run

TRAINING, HELD_OUT = "#b0562f", "#1f6f8b"


def points(state: Run) -> list[dict[str, Any]]:
    """Two points a generation: the champion's mean in training and on held-out opponents, with 95 % intervals."""
    found = []
    for one in state.generations:
        for line, mean, error in (
            ("training", one.training, one.training_error),
            ("held out", one.held_out, one.held_out_error),
        ):
            found.append(
                {
                    "generation": one.number,
                    "line": line,
                    "island": f"island {one.island + 1}",
                    "mean": mean,
                    "low": round(mean - 1.96 * error, 4),
                    "high": round(mean + 1.96 * error, 4),
                    "accepted": one.accepted is not None,
                }
            )
    return found


def _colour(alt: Any) -> Any:
    scale = alt.Scale(domain=["training", "held out"], range=[TRAINING, HELD_OUT])
    return alt.Color("line:N", scale=scale, title=None)


def draw(state: Run, file: Path) -> None:
    """Draw a run into a file.

    Raises:
        UsageError: the file is neither PNG nor SVG, there is nothing to draw, or the library is not installed.
    """
    alt = plots.altair_for(file)
    found = points(state)
    if not found:
        raise UsageError("this run has no generation yet; there is nothing to plot")
    chart = _chart(alt, found, f"{state.config.scenario}, seed {state.config.seed}" if state.config else "")
    plots.save(chart, file)


def _chart(alt: Any, found: list[dict[str, Any]], title: str) -> Any:
    """Two lines with their intervals; an island is a dash."""
    base = alt.Chart(alt.Data(values=found)).encode(
        x=alt.X("generation:Q", title="generation", axis=alt.Axis(tickMinStep=1)), color=_colour(alt)
    )
    band = base.mark_errorbar(opacity=0.35).encode(y=alt.Y("low:Q", title="mean score"), y2="high:Q")
    line = base.mark_line(point=True).encode(y="mean:Q", strokeDash=alt.StrokeDash("island:N", title=None))
    return (band + line).properties(width=640, height=320, title=title)
