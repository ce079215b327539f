"""The rock. Its colours are variables of the style sheet, so that they change with light and dark."""

_SEA = (
    '<path class="sea" d="M0 268c40-10 80-10 120 0s80 10 120 0 80-10 120 0 80 10 120 0 80-10 120 0 80 10 120 0v92H0z"/>'
    '<path class="sea near" d="M0 300c40-9 80-9 120 0s80 9 120 0 80-9 120 0 80 9 120 0 80-9 120 0 80 9 120 0v60H0z"/>'
)
_STARS = "".join(
    f'<circle class="star" cx="{x}" cy="{y}" r="{r}"/>'
    for x, y, r in (
        (48, 52, 1.6), (96, 118, 1.2), (150, 38, 1.8), (214, 92, 1.1), (262, 30, 1.4), (470, 40, 1.6),
        (520, 104, 1.2), (560, 52, 1.9), (604, 132, 1.2), (430, 150, 1.1), (60, 190, 1.1), (180, 168, 1.3),
    )
)  # fmt: skip
_TOWER = (
    '<path class="rock-shape" d="M196 300c20-46 60-50 92-58 30-8 76-6 104 6 34 14 50 26 64 52 6 14 4 30 4 30H190'
    's0-18 6-30z"/>'
    '<path class="tower" d="M302 108h36l16 146h-68z"/><path class="band" d="M297 154h46l4 34h-54z"/>'
    '<path class="band" d="M289 222h62l3 32h-68z"/><rect class="gallery" x="290" y="98" width="60" height="10" rx="2"/>'
    '<rect class="lantern" x="302" y="66" width="36" height="32" rx="3"/><circle class="flame" cx="320" cy="83" r="9"/>'
    '<path class="roof" d="M296 68c4-20 16-28 24-32 8 4 20 12 24 32z"/><path class="roof" d="M319 24h2v14h-2z"/>'
    '<rect class="window" x="314" y="128" width="12" height="16" rx="6"/>'
    '<rect class="window" x="313" y="198" width="14" height="18" rx="7"/>'
    '<path class="cottage" d="M372 230h58v34h-58z"/><path class="roof" d="M364 232l36-26 38 26z"/>'
    '<rect class="window warm" x="384" y="240" width="12" height="12" rx="2"/>'
    '<rect class="door" x="408" y="242" width="12" height="22" rx="2"/>'
)
_BEAMS = '<g class="beams"><path class="beam" d="M320 83L-40 20v120z"/><path class="beam" d="M320 83L680 34v112z"/></g>'
_MOON = '<circle class="moon" cx="540" cy="76" r="26"/>'

#: The rock, the tower, the cottage and the sea; ``lit`` or ``out`` around it says which light falls on them.
LIGHTHOUSE = (
    '<svg viewBox="0 14 640 320" preserveAspectRatio="xMidYMid slice"><rect class="heaven" width="640" height="360"/>'
    f"{_STARS}{_MOON}{_BEAMS}{_SEA.split('/>', maxsplit=1)[0]}/>{_TOWER}{_SEA.split('/>')[1]}/></svg>"
)
LIGHTHOUSE_CARD = LIGHTHOUSE.replace("<svg ", '<svg class="drawn-lighthouse lit" ')
