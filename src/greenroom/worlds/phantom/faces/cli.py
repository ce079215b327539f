"""``greenroom phantom``: simulate players, play at the terminal, check content."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from greenroom.kernel.errors import Malformed
from greenroom.kit.cli.session import Commands, Printed, Session

if TYPE_CHECKING:
    from greenroom.worlds.phantom.rules import Content

Players = Annotated[int, typer.Option("--players", min=1, max=10_000, help="How many players.")]
Days = Annotated[int, typer.Option("--days", min=1, max=365, help="How many days pass.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The same seed is the same stories.")]
Database = Annotated[
    Path | None,
    typer.Option("--database", metavar="FILE", help="A new file to keep the stories in; in memory by default."),
]
ReportTo = Annotated[
    Path | None, typer.Option("--report", metavar="DIR", help="Folder for the plots and the numbers; none by default.")
]
Folder = Annotated[
    Path | None, typer.Option("--content", metavar="DIR", help="A folder of content instead of the shipped one.")
]
Under = Annotated[Path, typer.Argument(metavar="CONTENT", help="The folder to check.", show_default=False)]
Zone = Annotated[str, typer.Option("--timezone", help="Where the player lives.")]
New = Annotated[bool, typer.Option("--new", help="Begin a new story and leave the old one as it is.")]


# simulating


async def simulate(
    session: Session,
    *,
    players: Players = 100,
    days: Days = 14,
    seed: Seed = 3,
    database: Database = None,
    report: ReportTo = None,
    content: Folder = None,
) -> Printed:
    """Play many players' stories on a virtual clock.

    Seven temperaments take turns: trusting, hostile, silent, double agent, key-user, foreign, bursting. Every event is
    held against the invariants of the world, every message is followed to its answer or to the reason why there is
    none; what is broken ends the command with an error.
    """
    from greenroom.kit.cli.progress import Bar
    from greenroom.worlds.phantom.faces.app import report as reports
    from greenroom.worlds.phantom.faces.app.simulation import SimulationPlan
    from greenroom.worlds.phantom.faces.app.simulation import simulate as played

    if database is not None and database.exists():
        raise Malformed(f"{database} is there already; a simulation begins with a new file")
    with Bar("phantom simulate") as bar:
        plan = SimulationPlan(players=players, days=days, seed=seed)
        result = await played(plan, database or ":memory:", progress=bar, content=_read(session, content))
    found = reports.summary(result)
    files = _reported(found, report)
    wrong = sum(found[part]["count"] for part in ("troubles", "failed", "problems"))
    text = "\n".join((reports.told(found), *(f"  drawn: {file}" for file in files)))
    return Printed({**found, "files": [str(file) for file in files]}, text, code=3 if wrong else 0)


def _read(session: Session, folder: Path | None) -> Content:
    """The content of a folder, or the one in use."""
    from greenroom.worlds.phantom.outside import read_content
    from greenroom.worlds.phantom.settings import PhantomSettings

    return read_content(folder or session.part(PhantomSettings, "phantom").content)


def _reported(found: dict[str, Any], folder: Path | None) -> tuple[Path, ...]:
    if folder is None:
        return ()
    from greenroom.kit.cli.session import to_json
    from greenroom.worlds.phantom.faces.app.report import plots

    files = plots(found, folder)
    numbers = folder / "simulation.json"
    numbers.write_text(to_json(found))
    return (*files, numbers)


# playing


async def play(session: Session, *, timezone: Zone = "UTC", new: New = False) -> Printed:
    """Play the story in this terminal.

    Letters are shown here and go nowhere else. The clock is yours: 'wait 6' lets six hours pass. Starting again goes
    on with the same story, at the hour where it was left.
    """
    from greenroom.kit.cli.keyboard import Keyboard
    from greenroom.worlds.phantom.faces.app.terminal import Sitting, opened

    session.settings.home.mkdir(parents=True, exist_ok=True)
    async with opened(session.settings.home / "phantom-terminal.db", timezone, new=new) as (house, stream):
        session.say(f"PHANTOM PROTOCOL   (stream {stream})", style="bold")
        sitting, keyboard = Sitting(house, stream, _read(session, None), session.say), Keyboard()
        await sitting.begin()
        while (line := await _typed(session, keyboard)) is not None and await sitting.obey(line):
            pass
        data = {"stream": stream, "version": (await house.stream(stream)).version}
    return Printed(data)


async def _typed(session: Session, keyboard: Any) -> str | None:
    if keyboard.is_terminal and not session.as_json:
        print("> ", end="", flush=True)
    line: str | None = await keyboard.line()
    if line is not None and not keyboard.is_terminal:
        session.say(f"> {line.strip()}")
    return line


# checking content


async def validate(session: Session, content: Under) -> Printed:
    """Check a folder of content, and what it changes.

    It is compared with the one in use. Every fault is told with its file and line. Prompts are filled with the content
    and held against their budget.
    """
    from greenroom.worlds.phantom.outside.reviewing import changes, over_budget

    used, given = _read(session, None), _read(session, content)
    wrong = over_budget(given)
    if wrong:
        raise Malformed("\n".join(wrong))
    found = changes(used, given)
    data = {"content": str(content), "agents": sorted(given.agents), "digest": given.digest, "changes": list(found)}
    lines = [f"{content}: {len(given.agents)} agents, {len(given.triggers)} triggers; all is well"]
    lines += [f"  {line}" for line in found] or ["  nothing differs from the content in use"]
    return Printed(data, "\n".join(lines))


commands = Commands(
    name="phantom",
    help="Phantom Protocol, a story told by mail and text message.",
    bodies={"simulate": simulate, "play": play, "validate": validate},
    play=lambda session, new: play(session, new=new),
)
