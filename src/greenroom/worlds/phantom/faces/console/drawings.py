"""The drawing on the card. Its colours are variables of the style sheet."""

#: A letter with a key in it, and a wall of drawers behind.
PHANTOM_CARD = (
    '<svg class="drawn-phantom" viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice">'
    '<rect class="vault" width="320" height="160"/>'
    + "".join(
        f'<rect class="drawer" x="{8 + 52 * i}" y="{8 + 30 * j}" width="46" height="24" rx="2"/>'
        f'<circle class="knob" cx="{31 + 52 * i}" cy="{20 + 30 * j}" r="2.200"/>'
        for i in range(6)
        for j in range(5)
    )
    + '<rect class="drawer open" x="216" y="68" width="46" height="24" rx="2"/>'
    '<g transform="rotate(-5 150 88)"><rect class="envelope" x="84" y="44" width="132" height="88" rx="4"/>'
    '<path class="flap" d="M84 48l66 46 66-46"/><g class="key"><circle cx="122" cy="108" r="10"/>'
    '<path d="M132 108h52v9h-7v-5h-8v5h-7v-5h-30z"/></g></g></svg>'
)
