"""The six of the bar, drawn by us: circles, a few lines and their colours, some of which a style sheet may change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

#: What a word in a drawing stands for. A page in the dark gives ``--portrait-dark`` and the grounds other values.
_PAINT: Final[Mapping[str, str]] = {
    "skin": 'fill="#e7c3a3"',
    "dark": 'fill="var(--portrait-dark, #33302c)"',
    "pale": 'fill="#f7f3ea"',
    "cloth": 'fill="var(--green, #2c5a4a)"',
    "brass": 'fill="#b98a34" stroke="#b98a34" stroke-width="3"',
    "dot": 'fill="#23211e"',
    "blush": 'fill="#d9705f" opacity="0.45"',
    "stroke": 'fill="none" stroke="#33302c" stroke-width="2.2" stroke-linecap="round"',
    "glass": 'fill="none" stroke="#33302c" stroke-width="2.2"',
}


def _portrait(back: str, *shapes: str) -> str:
    painted = re.sub(r'class="(\w+)"', lambda word: _PAINT[word[1]], "".join(shapes))
    ground = f'<circle cx="48" cy="48" r="46" fill="{back}"/>'
    return f'<svg viewBox="0 0 96 96" class="portrait-svg" aria-hidden="true">{ground}{painted}</svg>'


_EYES = '<circle class="dot" cx="39" cy="46" r="2.6"/><circle class="dot" cx="57" cy="46" r="2.6"/>'

PORTRAITS: Final[Mapping[str, str]] = {
    # A beard, rolled shoulders, a cloth over one of them.
    "bart": _portrait(
        "var(--brass-soft)",
        '<path class="skin" d="M28 40c0-14 9-22 20-22s20 8 20 22v8c0 14-8 24-20 24S28 62 28 48z"/>',
        '<path class="dark" d="M28 50c2 22 12 28 20 28s18-6 20-28c-4 8-10 9-20 9s-16-1-20-9z"/>',
        '<path class="dark" d="M27 38c0-16 12-24 22-23 12 1 20 9 20 23-6-8-12-10-21-10s-15 3-21 10z"/>',
        _EYES,
        '<path class="stroke" d="M42 63c4 2 8 2 12 0"/><path class="cloth" d="M8 92c6-14 18-18 28-18l4 20z"/>',
    ),
    # Straight hair, a straight mouth, a collar buttoned to the top.
    "blanca": _portrait(
        "var(--sea-soft)",
        '<path class="dark" d="M26 70V38c0-15 10-23 22-23s22 8 22 23v32l-8 4V42H34v32z"/>',
        '<path class="skin" d="M32 40c0-4 6-8 16-8s16 4 16 8v10c0 12-7 20-16 20s-16-8-16-20z"/>',
        '<path class="dark" d="M31 42c2-12 8-16 17-16s15 4 17 16c-8-4-13-5-17-5s-9 1-17 5z"/>',
        _EYES,
        '<path class="stroke" d="M42 60h12"/><path class="cloth" d="M18 94c3-14 14-20 30-20s27 6 30 20z"/>',
        '<path class="stroke" d="M48 76v16"/>',
    ),
    # White hair, a white beard, eyes that are nearly shut, a postman's cap.
    "hermes": _portrait(
        "var(--green-soft)",
        '<path class="pale" d="M26 46c0 34 12 40 22 40s22-6 22-40z"/>',
        '<path class="skin" d="M32 38h32v12c0 8-7 14-16 14s-16-6-16-14z"/>',
        '<path class="pale" d="M36 58c4-3 8-3 12 0 4-3 8-3 12 0-2 6-6 8-12 8s-10-2-12-8z"/>',
        '<path class="cloth" d="M28 36c0-12 8-18 20-18s20 6 20 18z"/><path class="dark" d="M24 36h48v5H24z"/>',
        '<path class="stroke" d="M36 48c2 2 4 2 6 0M54 48c2 2 4 2 6 0"/>',
    ),
    # Round, pink, a knitted hat, a very wide smile.
    "bernie": _portrait(
        "var(--red-soft)",
        '<circle class="skin" cx="48" cy="52" r="24"/>',
        '<path class="cloth" d="M25 46c0-18 10-26 23-26s23 8 23 26z"/><circle class="pale" cx="48" cy="18" r="6"/>',
        '<path class="pale" d="M23 42h50v7H23z"/>',
        '<circle class="dot" cx="39" cy="55" r="2.6"/><circle class="dot" cx="57" cy="55" r="2.6"/>',
        '<circle class="blush" cx="33" cy="61" r="4"/><circle class="blush" cx="63" cy="61" r="4"/>',
        '<path class="stroke" d="M38 62c5 8 15 8 20 0"/>',
    ),
    # Thin, spectacles, one eyebrow up.
    "jb": _portrait(
        "var(--sunk)",
        '<path class="skin" d="M33 36c0-10 6-16 15-16s15 6 15 16v14c0 14-7 22-15 22s-15-8-15-22z"/>',
        '<path class="dark" d="M32 38c-2-16 8-24 17-23 10 0 16 8 15 21-4-8-8-10-16-10-7 0-12 4-16 12z"/>',
        '<circle class="glass" cx="40" cy="46" r="7"/><circle class="glass" cx="57" cy="46" r="7"/>',
        '<path class="stroke" d="M47 46h3M33 44l-4-2M64 44l4-2M35 37h9M53 36c3-3 6-3 9-1"/>',
        '<circle class="dot" cx="40" cy="46" r="2"/><circle class="dot" cx="57" cy="46" r="2"/>',
        '<path class="stroke" d="M43 62c4-2 7-2 11 1"/><path class="dark" d="M24 94c4-12 12-18 24-18s20 6 24 18z"/>',
    ),
    # A brass machine with keys and a roll of paper.
    "bukowski": _portrait(
        "var(--paper)",
        '<path class="pale" d="M34 14h28v24H34z"/><path class="stroke" d="M39 20h18M39 26h12M39 32h15"/>',
        '<path class="brass" d="M22 36h52l6 40H16z"/><path class="dark" d="M28 42h40v10H28z"/>',
        "".join(f'<circle class="pale" cx="{x}" cy="{y}" r="3"/>' for y in (59, 67) for x in (30, 39, 48, 57, 66)),
        '<path class="brass" d="M78 50h6v-8h-4"/>',
    ),
}

#: The bar on its card: eleven steps, a lamp, and a speck above the till.
CARD: Final = (
    '<svg viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice" class="bar-card">'
    '<rect width="320" height="160" fill="#101a2b"/>'
    '<path d="M-20 118C60 60 200 20 340 12l0 30C220 52 90 84-20 150z" fill="#fff" opacity=".07"/>'
    + "".join(
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="#fff" opacity=".8"/>'
        for x, y, r in ((24, 24, 1), (70, 60, 0.8), (112, 18, 1.1), (158, 52, 0.7), (232, 30, 1), (288, 66, 0.9))
    )
    + '<circle cx="206" cy="62" r="3.2" fill="#8ec9ff"/><circle cx="206" cy="62" r="7" fill="#8ec9ff" opacity=".25"/>'
    '<path d="M0 160v-16h26v-8h26v-8h26v-8h26v-8" fill="none" stroke="#c9a45a" stroke-width="2" opacity=".7"/>'
    '<path d="M128 160v-30h192v30z" fill="#3a2413"/><path d="M120 126h200v7H120z" fill="#7a4d22"/>'
    '<path d="M164 126v-20h8v20zM182 126v-26h7v26zM198 126v-16h9v16z" fill="#c9a45a" opacity=".75"/>'
    '<path d="M262 126c0-14 6-22 14-22s14 8 14 22z" fill="#c9a45a"/><path d="M276 0v60" stroke="#c9a45a"/>'
    '<path d="M262 74c0-10 6-14 14-14s14 4 14 14z" fill="#f2d38a"/>'
    '<path d="M262 74l-26 52h80l-26-52z" fill="#f2d38a" opacity=".14"/></svg>'
)
