"""Win rates as a picture, PNG or SVG; needs the extra ``plots``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from greenroom.kernel.errors import UsageError
from greenroom.kit import plots

#: Headings of the parts that have wins, and where each is in the statistics.
PARTS = (("by table size (Safety)", "by_size"), ("by role", "by_role"), ("by agent", "by_agent"))
WIDTH, STEP = 460, 26
BLUE, GREY = "#1f6f8b", "#8a8f98"


def draw(found: dict[str, Any], file: Path) -> None:
    """Draw the statistics of a house into a file.

    Raises:
        UsageError: the file is neither PNG nor SVG, there is nothing to draw, or the library is not installed.
    """
    alt = plots.altair_for(file)
    if not found["games"]:
        raise UsageError("no game of this house has ended yet; there is nothing to plot")
    parts = [_part(alt, title, points) for title, points in _points(found) if points]
    chart = alt.vconcat(*parts, spacing=22).properties(title=_title(alt, found)).configure_view(strokeWidth=0)
    plots.save(chart, file)


def draw_ratings(ratings: dict[str, dict[str, Any]], file: Path) -> None:
    """Draw the ratings of a league with their intervals.

    Raises:
        UsageError: the file is neither PNG nor SVG, or the library is not installed.
    """
    alt = plots.altair_for(file)
    base = alt.Chart(alt.Data(values=[{"label": name, **one} for name, one in ratings.items()]))
    label = alt.Y("label:N", sort="-x", title=None, axis=alt.Axis(labelLimit=260))
    whisker = base.mark_rule(color=BLUE, strokeWidth=2).encode(x=alt.X("low:Q", title="rating"), x2="high:Q", y=label)
    dot = base.mark_point(filled=True, size=70, color=BLUE, opacity=1).encode(x="rating:Q", y=label)
    chart = (whisker + dot).properties(
        width=WIDTH, height=alt.Step(STEP), title="Bradley–Terry ratings, 95 % intervals"
    )
    plots.save(chart, file)


def _points(found: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    parts = []
    for title, name in PARTS:
        shares = found[name].items()
        parts.append((title, [_point(label, one["safety"] if name == "by_size" else one) for label, one in shares]))
    parts.append(("by agent and role", [_point(label, one) for label, one in found["by_agent_and_role"].items()]))
    return [(title, [point for point in points if point["share"] is not None]) for title, points in parts]


def _point(label: str, share: dict[str, Any]) -> dict[str, Any]:
    named = f"{label} players" if label.isdigit() else label
    return {"label": named, **{name: share[name] for name in ("share", "low", "high")}, "of": f"of {share['of']}"}


def _part(alt: Any, title: str, points: list[dict[str, Any]]) -> Any:
    """Dots with their 95 % intervals, one line each, and a rule at one half."""
    base = alt.Chart(alt.Data(values=points))
    label = alt.Y(
        "label:N", sort=None, title=None, axis=alt.Axis(labelLimit=260, labelPadding=9, ticks=False, domain=False)
    )
    scale = alt.Scale(domain=[0, 1])
    axis = alt.Axis(format="%", grid=True, values=[0, 0.25, 0.5, 0.75, 1], title=None)
    half = alt.Chart(alt.Data(values=[{"x": 0.5}])).mark_rule(color=GREY, strokeDash=[4, 3]).encode(x="x:Q")
    whisker = base.mark_rule(color=BLUE, strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q", y=label
    )
    dot = base.mark_point(filled=True, size=70, color=BLUE, opacity=1).encode(x=alt.X("share:Q", scale=scale), y=label)
    count = base.mark_text(align="left", dx=10, color=GREY, fontSize=10).encode(
        x=alt.value(WIDTH), y=label, text="of:N"
    )
    return (half + whisker + dot + count).properties(width=WIDTH, height=alt.Step(STEP), title=f"games won, {title}")


def _title(alt: Any, found: dict[str, Any]) -> Any:
    speeds = [f"{agent} {speed:.0f}/s" for agent, speed in found["decisions_per_second"].items() if speed is not None]
    below = [
        f"invalid actions {found['invalid_action_rate'] or 0:.2%}; decisions: {', '.join(speeds) or 'not timed'}",
        f"{found['tokens_per_game']:.0f} tokens and ${found['dollars_per_game']:.4f} a game; bars are 95 % intervals",
    ]
    return alt.TitleParams(f"Secret AGI: {found['games']} games", subtitle=below, anchor="start", offset=14)
