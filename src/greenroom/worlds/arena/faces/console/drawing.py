"""Scores by generation and the archive as drawings; their colours are those of the style sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from greenroom.worlds.arena.rules.archive import STEPS

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 260, 40, 14, 14, 30
CELL = 34

ARENA_CARD = (
    '<svg class="drawn-arena" viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice">'
    '<rect class="ground" width="320" height="160"/>'
    '<path class="tier" d="M20 140a140 110 0 0 1 280 0z"/><path class="tier inner" d="M60 140a100 78 0 0 1 200 0z"/>'
    '<path class="sand" d="M100 140a60 46 0 0 1 120 0z"/>'
    '<path class="climb" d="M40 124L96 112 140 92 188 70 238 58 288 28"/>'
    '<circle class="dot" cx="96" cy="112" r="4"/><circle class="dot" cx="188" cy="70" r="4"/>'
    '<circle class="dot best" cx="288" cy="28" r="6"/></svg>'
)


def scores(history: Sequence[Mapping[str, Any]], generations: int) -> str:
    """Two lines with their 95 % intervals: in training, and on opponents that nobody trained on."""
    marks = "".join(
        f'<line class="grid{" zero" if mark == 0 else ""}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{_y(mark):.1f}" '
        f'y2="{_y(mark):.1f}"/><text x="{LEFT - 6}" y="{_y(mark) + 4:.1f}" text-anchor="end">{mark:+d}</text>'
        for mark in range(-3, 6)
    )
    step = max(1, generations // 10)
    ticks = "".join(
        f'<text x="{_x(number, generations):.1f}" y="{HEIGHT - 8}" text-anchor="middle">{number}</text>'
        for number in range(step, generations + 1, step)
    )
    lines = "".join(_line(history, generations, name) for name in ("training", "held_out"))
    label = "Mean score by generation, in training and held out"
    frame = f'class="scores" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}"'
    return f"<svg {frame}>{marks}{ticks}{lines}</svg>"


def _x(number: int, generations: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (number - 0.5) / max(1, generations)


def _y(score: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (5 - max(-3.0, min(5.0, score))) / 8


def _line(history: Sequence[Mapping[str, Any]], generations: int, name: str) -> str:
    points, bars = [], []
    for one in history:
        x, mean, reach = _x(one["number"], generations), one[name], 1.96 * one[f"{name}_error"]
        points.append(f"{x:.1f} {_y(mean):.1f}")
        bars.append(f"M{x:.1f} {_y(mean - reach):.1f}V{_y(mean + reach):.1f}")
    if not points:
        return ""
    dots = "".join(
        f'<circle class="dot {name}{" taken" if one["accepted"] is not None else ""}" cx="{point.split()[0]}" '
        f'cy="{point.split()[1]}" r="3"/>'
        for one, point in zip(history, points, strict=True)
    )
    return f'<path class="bar {name}" d="{"".join(bars)}"/><path class="line {name}" d="M{"L".join(points)}"/>{dots}'


def heat_map(archive: Mapping[str, Mapping[str, Any]]) -> str:
    """The archive: opening across and patience down, one square of them for each step of bluff."""
    side = CELL * STEPS
    width = (side + 24) * STEPS
    squares = []
    for bluff in range(STEPS):
        left = bluff * (side + 24)
        squares.append(f'<text x="{left}" y="12">bluff {bluff + 1} of {STEPS}</text>')
        for opening in range(STEPS):
            for patience in range(STEPS):
                held = archive.get(f"{opening}{patience}{bluff}")
                squares.append(_square(left + opening * CELL, 20 + patience * CELL, held))
    label = "The best mean score of every way of behaving: opening across, patience down"
    return (
        f'<svg class="heat" viewBox="0 0 {width} {side + 24}" role="img" aria-label="{label}">{"".join(squares)}</svg>'
    )


def _square(x: int, y: int, held: Mapping[str, Any] | None) -> str:
    if held is None:
        return f'<rect class="cell empty" x="{x}" y="{y}" width="{CELL - 2}" height="{CELL - 2}"/>'
    warmth = max(0.08, min(1.0, (held["mean"] + 2) / 6))
    told = escape(f"profile {held['profile']}: {held['mean']:+.2f}")
    return (
        f'<rect class="cell" x="{x}" y="{y}" width="{CELL - 2}" height="{CELL - 2}" fill-opacity="{warmth:.2f}">'
        f"<title>{told}</title></rect>"
        f'<text x="{x + CELL / 2 - 1}" y="{y + CELL / 2 + 4}" text-anchor="middle">{held["mean"]:+.1f}</text>'
    )
