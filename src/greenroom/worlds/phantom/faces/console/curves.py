"""Trust and exposure over time, drawn as steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from typing import TypeAlias

#: A value from a moment on.
Points: TypeAlias = Sequence[tuple[datetime, int]]

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 250, 44, 12, 12, 32


def summed(changes: Sequence[tuple[datetime, int]], least: int, most: int) -> Points:
    """The value after each change, from 0 on, kept within its bounds."""
    value, found = 0, []
    for at, delta in changes:
        value = max(least, min(most, value + delta))
        found.append((at, value))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """Where moments and values lie on the drawing."""

    begin: datetime
    end: datetime
    least: int
    most: int

    def x(self, at: datetime) -> float:
        span = max((self.end - self.begin).total_seconds(), 1.0)
        return LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, max(0.0, (at - self.begin).total_seconds() / span))

    def y(self, value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (self.most - value) / (self.most - self.least)


def curves(plane: Plane, lines: Mapping[str, Points], *, label: str) -> str:
    """An SVG of stepped lines, one for each name; ``line-<name>`` is its class."""
    drawn = "".join(_line(plane, name, points) for name, points in lines.items())
    return (
        f'<svg class="curves" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
        f"{_grid(plane)}{_days(plane)}{drawn}</svg>"
    )


def _line(plane: Plane, name: str, points: Points) -> str:
    path, value = [f"M{plane.x(plane.begin):.1f} {plane.y(0):.1f}"], 0
    for at, value in points:
        path.append(f"H{plane.x(at):.1f}V{plane.y(value):.1f}")
    end = plane.x(plane.end)
    dot = f'<circle class="end line-{escape(name)}" cx="{end:.1f}" cy="{plane.y(value):.1f}" r="4"/>'
    return f'<path class="curve line-{escape(name)}" d="{"".join(path)}H{end:.1f}"/>{dot}'


def _grid(plane: Plane) -> str:
    marks = [plane.least + (plane.most - plane.least) * i // 4 for i in range(5)]
    return "".join(
        f'<line class="grid{" zero" if mark == 0 else ""}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{plane.y(mark):.1f}" '
        f'y2="{plane.y(mark):.1f}"/><text x="{LEFT - 6}" y="{plane.y(mark) + 4:.1f}" text-anchor="end">{mark}</text>'
        for mark in marks
    )


def _days(plane: Plane) -> str:
    """A tick for every day, or for every so many where there are many."""
    count = (plane.end - plane.begin).days + 1
    ticks = ((day, plane.begin + timedelta(days=day)) for day in range(0, count, max(1, -(-count // 8))))
    last = WIDTH - RIGHT - 44  # where the words still fit
    return "".join(
        f'<text x="{plane.x(at):.1f}" y="{HEIGHT - 8}">day {day + 1}</text>' for day, at in ticks if plane.x(at) <= last
    )
