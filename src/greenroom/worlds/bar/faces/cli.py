"""``greenroom bar``: an evening at Le Pale Blue Dot, its guests, its codes, what it costs and how well it watches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from greenroom.kit.cli import text
from greenroom.kit.cli.session import Commands, Printed, Session, given_file

Code = Annotated[str | None, typer.Option("--code", help="Invite code, if the bar is by invitation.")]
Count = Annotated[int, typer.Option("--count", min=0, max=1000, help="How many new codes.")]
Disable = Annotated[str | None, typer.Option("--disable", metavar="CODE", help="Disable a code.")]
Enable = Annotated[str | None, typer.Option("--enable", metavar="CODE", help="Enable a disabled code again.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of the evening; the same seed is the same evening.")]
Guests = Annotated[int, typer.Option("--guests", min=1, max=5000, help="How many guests come.")]
Script = Annotated[int, typer.Option("--show", min=0, max=100, help="Print all that so many of the guests heard.")]
CasesFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A CSV file with the columns text and label (crisis, ok).")
]
WhichCheck = Annotated[Literal["local", "model", "both"], typer.Option("--check", help="Which check is tried.")]
WhichYear = Annotated[int | None, typer.Option("--year", min=2000, max=9999, help="Which year; this one by default.")]
Fast = Annotated[str | None, typer.Option("--fast", metavar="MODEL", help="provider:model whose list price is taken.")]
Quality = Annotated[str | None, typer.Option("--quality", metavar="MODEL", help="The same for replies.")]

UNDERSTUDY = "The understudy plays: the cast's lines are scripted, chosen by what you say and not written for you."


async def chat(session: Session, *, code: Code = None) -> Printed:
    """Sit down at the bar.

    The terminal is always the same guest, so that Bart remembers you.
    """
    from greenroom.kit.cli.keyboard import Keyboard
    from greenroom.worlds.bar.faces.app.terminal import HELP, Chat, local_guest

    async with session.house(makes=True, works=True) as house:
        model = house.plays("quality")
        session.say("LE PALE BLUE DOT", style="bold")
        session.say(UNDERSTUDY if model == "understudy" else f"{model} speaks for the cast.", style="dim")
        session.say(HELP, style="dim")
        seat = Chat(house, Keyboard(), session.say)
        await seat.knock(local_guest(house), code)
        await seat.play()
        data = {"session_id": seat.session, "session_status": seat.status, "model": model, "messages": seat.lines}
    return Printed(data)


async def invite(session: Session, *, count: Count = 0, disable: Disable = None, enable: Enable = None) -> Printed:
    """Make invite codes, disable one, or list them.

    While there are none, the bar is open to everybody. A code belongs to the first guest who uses it.
    """
    from greenroom.worlds.bar.faces.app import visits

    async with session.house(makes=True) as house:
        made = await visits.invite(house, count)
        for code, disabled in ((disable, True), (enable, False)):
            if code is not None:
                await visits.set_disabled(house, code, disabled=disabled)
        listed = await visits.codes(house)
    rows = [(str(one["code"]), _state(one), str(one["sessions"])) for one in listed]
    told: Any = text.table(("code", "state", "sessions"), rows) if rows else "no codes: the bar is open to everybody"
    return Printed({"made": made, "codes": listed}, told)


def _state(code: Any) -> str:
    return "disabled" if code["disabled"] else "in use" if code["guest"] else "unused"


async def guests(session: Session) -> Printed:
    """List everybody who ever came, and how they are."""
    from greenroom.worlds.bar.faces.app import visits

    async with session.house() as house:
        found = await visits.guests(house)
    head = ("guest", "sessions", "status", "messages", "flag")
    rows = [
        (
            one["stream"],
            str(one["sessions"]),
            one["session_status"] or "",
            str(one["message_count"]),
            one["crisis_flag_date"] or "",
        )
        for one in found
    ]
    return Printed({"guests": found}, text.table(head, rows) if rows else "nobody yet")


async def evening(session: Session, *, seed: Seed = 0, guests: Guests = 12, show: Script = 0) -> Printed:
    """Simulate an evening of many guests on a virtual clock.

    Nothing is kept: the house is in memory, the understudy plays unless models are configured.
    """
    import greenroom
    from greenroom.worlds.bar.faces.app.cost import cost as add_up
    from greenroom.worlds.bar.faces.app.evening import OPENING, Evening

    async with greenroom.open(":memory:", clock=OPENING) as house:
        report = await Evening(house, guests=guests, seed=seed, keep=show).play()
        spent = await add_up(house)
        data = report.told(model=house.plays("quality"), ledger=spent["ledger"], list=spent["list"])
    shown = "\n".join([*report.scenes, ""] if report.scenes else [])
    return Printed(data, shown + "\n".join(text.outline(data)))


async def evaluate(session: Session, file: CasesFile, *, check: WhichCheck = "both") -> Printed:
    """Measure the crisis check on a file of labelled messages."""
    import greenroom
    from greenroom.worlds.bar.faces.app.evaluation import evaluate as measure
    from greenroom.worlds.bar.faces.app.evaluation import read_cases
    from greenroom.worlds.bar.outside import watched_by
    from greenroom.worlds.bar.settings import BarSettings

    with given_file(file), file.open(encoding="utf-8-sig", newline="") as lines:
        cases = read_cases(lines, str(file))
    async with greenroom.open(":memory:", work=False) as house:
        found = await measure(house, cases, check) | {"watched_by": watched_by(house.settings("bar", BarSettings))}
    return Printed(found, "\n".join(_measured(found)))


def _measured(found: dict[str, Any]) -> list[str]:
    by = {None: "", "understudy": ", the model's half played by the understudy, which is no model"}
    told = by.get(found["model"], f", the model's half by {found['model']}")
    return [
        f"check {found['check']}{told}: {found['crisis']} crises, {found['ok']} others",
        found["watched_by"],
        _both_rates(found),
        f"by words alone: {_both_rates(found['by_words'])}",
        *(f"missed: {one}" for one in found["misses"]),
        *(f"false alarm: {one}" for one in found["false_positives"]),
    ]


def _both_rates(found: dict[str, Any]) -> str:
    return f"recall {_percent(found['recall'])}, false positives {_percent(found['false_positive_rate'])}"


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{share:.1%}"


async def cost(session: Session, *, fast: Fast = None, quality: Quality = None) -> Printed:
    """Show what 1,000 messages cost.

    From the ledger, and by list prices with and without a cache.
    """
    from greenroom.worlds.bar.faces.app.cost import cost as add_up
    from greenroom.worlds.bar.outside.bills import MODELS

    given = {"fast": fast, "quality": quality}
    models = {role: given.get(role) or model for role, model in MODELS.items()}
    async with session.house() as house:
        data = await add_up(house, models)
    return Printed(data, "\n".join(text.outline(data)))


async def report(session: Session, *, year: WhichYear = None) -> Printed:
    """Report a year's referrals, by month.

    How often guests were told of places to turn to. Numbers only, which stay when a guest is forgotten;
    docs/worlds/bar-protocol.md says what is counted.
    """
    from greenroom.worlds.bar.faces.app.referrals import report as add_up

    async with session.house() as house:
        data = await add_up(house, year)
    kinds = tuple(data["meanings"])
    rows = [(one["month"], *(str(one[kind]) for kind in kinds)) for one in data["months"]]
    rows.append((str(data["year"]), *(str(data[kind]) for kind in kinds)))
    return Printed(data, text.table(("month", *kinds), rows))


commands = Commands(
    name="bar",
    help="Le Pale Blue Dot, a bar that remembers you.",
    bodies={
        "chat": chat,
        "invite": invite,
        "guests": guests,
        "evening": evening,
        "evaluate": evaluate,
        "cost": cost,
        "report": report,
    },
    play=lambda session, new: chat(session),
)
