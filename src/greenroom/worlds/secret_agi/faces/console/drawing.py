"""The drawing on the card: a table seen from above, seven places, one of them not like the others."""

from __future__ import annotations

from math import cos, pi, sin

_SEATS = tuple((160 + 104 * cos(2 * pi * i / 7 - pi / 2), 82 + 56 * sin(2 * pi * i / 7 - pi / 2)) for i in range(7))
_ODD = 4
_PAPERS = ((128, 70, -14), (152, 84, 6), (182, 68, 18))

TABLE_CARD = (
    '<svg class="drawn-table" viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice">'
    '<rect class="room" width="320" height="160"/><ellipse class="lamp" cx="160" cy="82" rx="150" ry="86"/>'
    '<ellipse class="rim" cx="160" cy="84" rx="86" ry="44"/><ellipse class="top" cx="160" cy="81" rx="82" ry="40"/>'
    + "".join(
        f'<circle class="{"odd" if i == _ODD else "guest"}" cx="{x:.1f}" cy="{y:.1f}" r="11"/>'
        for i, (x, y) in enumerate(_SEATS)
    )
    + "".join(
        f'<rect class="sheet" x="{x}" y="{y}" width="17" height="22" rx="1.500" transform="rotate({turn} {x} {y})"/>'
        for x, y, turn in _PAPERS
    )
    + "</svg>"
)
