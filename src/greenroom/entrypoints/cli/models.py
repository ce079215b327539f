"""``greenroom models``: who plays which role, and whether that works."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from greenroom.kit.cli import text
from greenroom.kit.cli.session import Printed, Session, command, default

if TYPE_CHECKING:
    from greenroom.bootstrap.casting import Casting, Tried


def add_to(app: typer.Typer) -> None:
    group = typer.Typer(rich_markup_mode=None)
    default(group)(models)
    command(group, "test")(test)
    app.add_typer(group, name="models")


def models(session: Session) -> Printed:
    """List the roles of every world and who plays them.

    With the price of a million tokens in and out, and what is missing. GREENROOM_MODELS says who plays what; where it
    says nothing, the understudy does.
    """
    from dataclasses import asdict

    from greenroom.bootstrap.casting import FIRST_STEPS, OWN_SERVER, cast

    found = cast(session.settings)
    rows = [(one.world or "–", one.role, one.does, one.model, one.price_told, _stands(one)) for one in found]
    table = text.table(("world", "role", "it", "played by", "$ per million in / out", ""), rows)
    steps = ("", "To let a model speak, and then open the house anew:", *(f"  {line}" for line in FIRST_STEPS))
    steps = (*steps, "Or one on a server of your own, without a key:", f"  {OWN_SERVER}")
    told = table if session.settings.models else text.followed(table, steps)
    return Printed({"roles": [{**asdict(one), "price_told": one.price_told} for one in found]}, told)


def _stands(one: Casting) -> str:
    return one.trouble or ("" if one.entry is None or one.entry == one.role else f"by the entry {one.entry}")


async def test(session: Session) -> Printed:
    """Ask every model that is set one small question.

    Says for each whether it works, or in a sentence what is wrong. The calls are real and may cost a fraction of a
    cent; they are not in the ledger. The exit code is 1 when one does not work.
    """
    from dataclasses import asdict

    from greenroom.bootstrap.casting import tried

    done = await tried(session.settings)
    if not done:
        return Printed({"tried": []}, "no model is set: the understudy plays every role; 'greenroom models' tells how")
    return Printed(
        {"tried": [asdict(one) for one in done]}, "\n".join(map(_line, done)), int(not all(t.ok for t in done))
    )


def _line(one: Tried) -> str:
    return f"{one.role} ({one.model}, {one.seconds:.1f} s): {one.sentence}"
