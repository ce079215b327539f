"""``greenroom a_new_world``: commands of its own. It is played by ``greenroom play a_new_world``."""

from __future__ import annotations

from typing import Any

from greenroom.kit.cli import text
from greenroom.kit.cli.session import Commands, Printed, Session

from ..rules import NAME
from ..rules.tables import EVENINGS


async def evenings(session: Session) -> Printed:
    """List the evenings of this house and how each stands."""
    async with session.house() as house:
        names = [row.name async for row in house.every_stream(NAME)]
        found = [{"stream": name, **row} for name in names for row in await house.rows(name, EVENINGS)]
    table = text.table(("evening", "riddle", "guesses", "solved"), [_in_words(row) for row in found])
    return Printed({"evenings": found}, table if found else f"no evening yet; 'greenroom play {NAME}' begins one")


def _in_words(row: dict[str, Any]) -> tuple[str, ...]:
    return row["stream"], row["riddle"], str(row["guesses"]), "yes" if row["solved"] else "no"


commands = Commands(name=NAME, help="A New World: a host, a guest and a riddle.", bodies={"evenings": evenings})
