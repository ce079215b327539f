"""Models: who plays which role of which world, what is missing for it, and a button that tries them."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.bootstrap.casting import FIRST_STEPS, OWN_SERVER, Casting, Tried, cast, tried
from greenroom.entrypoints.console.frame import Console, Query
from greenroom.kit.console import parts
from greenroom.kit.console.shelf import StoryShelf

#: What the table says of each role.
COLUMNS = ("World", "Role", "What it does", "Played by", "$ per million tokens, in / out", "Missing")


async def build(console: Console, query: Query) -> None:
    parts.title(
        "Models",
        "Worlds ask for somebody to speak by the name of a role. GREENROOM_MODELS says which model plays which role; "
        "where it says nothing, the understudy plays from a script.",
    )
    roles = cast(among=console.house.installed.used)
    with parts.section("Roles"):
        _roles(console, roles)
    if all(one.entry is None for one in roles):
        with parts.section("Let a model speak", "Then open the house anew, and this page has a button to try it."):
            _typed("For a model of a provider", FIRST_STEPS)
            parts.text("Or one on a server of your own, without a key:", "note")
            _typed("For one of your own", (OWN_SERVER,))
    else:
        with parts.section("Do they work?", "Asks each model one small question, which may cost a fraction of a cent."):
            shelf = StoryShelf[tuple[Tried, ...]]("card tried", _draw_tried)
            _button(shelf)


def _typed(label: str, lines: Sequence[str]) -> None:
    parts.tag("pre", "card typed", "\n".join(lines), tabindex=0, role="region", aria_label=label)


def _button(shelf: StoryShelf[tuple[Tried, ...]]) -> None:
    async def act() -> None:
        press.props("disabled aria-busy=true")
        press.text = "Asking …"
        try:
            shelf.show(await tried())
        finally:
            press.text = "Try them again"
            press.props(remove="disabled aria-busy")

    press = parts.button("Try them", act, look="main")


def _roles(console: Console, roles: Sequence[Casting]) -> None:
    with (
        parts.box("card"),
        parts.box("table-scroll", tabindex=0, role="region", aria_label="Roles and who plays them"),
        parts.tag("table", "table stacks"),
    ):
        with parts.tag("thead"), parts.tag("tr"):
            for words in COLUMNS:
                parts.tag("th", "", words, scope="col")
        with parts.tag("tbody"):
            for one in roles:
                with parts.tag("tr"):
                    cells = (_world(console, one), one.role, one.does, one.model, one.price_told)
                    for name, words in zip(COLUMNS, cells, strict=False):
                        parts.tag("td", "", words, data_column=name)
                    parts.tag("td", "bad" if one.trouble else "nil", one.trouble or "nothing", data_column=COLUMNS[-1])


def _world(console: Console, one: Casting) -> str:
    worlds = console.house.installed.worlds.get(one.world, ())
    titles = [console.worlds[world.name].title for world in worlds if console.worlds[world.name].card]
    return ", ".join(titles) or one.world or "–"


def _draw_tried(found: tuple[Tried, ...]) -> None:
    with parts.tag("ul", "plain-list"):
        for one in found:
            with parts.tag("li", "tried-line"):
                parts.chip("works" if one.ok else "does not work", "good" if one.ok else "bad")
                parts.tag("b", "", f" {one.role}: {one.model} ")
                parts.tag("span", "", f"{one.sentence} ({one.seconds:.1f} s)")
