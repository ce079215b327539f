"""``greenroom judge``: scripted and random visitors talk to a world's character, and the replies are scored."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from greenroom.kernel.errors import Unknown, UsageError
from greenroom.kit.cli import text
from greenroom.kit.cli.session import Printed, Session, command, from_json, given_file, to_json

if TYPE_CHECKING:
    from greenroom.kit.judging import Judge, JudgedReply, Probes, Report

World = Annotated[str, typer.Argument(metavar="WORLD", help="A world that brings probes.", show_default=False)]
Words = Annotated[bool, typer.Option("--words", help="Leave the encoder out: words only.", show_default=False)]
Random = Annotated[int, typer.Option("--random", min=0, max=1000, help="Random visitors beside the scripted ones.")]
Seed = Annotated[int, typer.Option("--seed", help="What the random visitors, and the sheet, are drawn by.")]
Plot = Annotated[Path | None, typer.Option("--plot", help="Draw the figures into a .png or .svg file.")]
Sheet = Annotated[Path | None, typer.Option("--sheet", help="Write 200 random replies into a file for readers.")]
Marks = Annotated[
    list[Path], typer.Option("--marks", help="A sheet that a reader has marked; give two.", show_default=False)
]

#: Every judged evening begins at the same moment, so that two runs are the same.
START = datetime(2031, 3, 1, 17, 0, tzinfo=UTC)
#: Probes that nobody reads: no reply to one stands on a sheet.
SEALED = "sealed"
#: Turns of a random visitor, and replies on a sheet.
RANDOM_TURNS, SHEET_REPLIES = 12, 200


def add_to(app: typer.Typer) -> None:
    command(app, "judge")(judge)


async def judge(
    session: Session,
    world: World,
    *,
    words: Words = False,
    random: Random = 0,
    seed: Seed = 1,
    plot: Plot = None,
    sheet: Sheet = None,
    marks: Marks = [],  # noqa: B006  typer reads it and never changes it
) -> Printed:
    """Judge a character: play its world's probes and score every reply.

    Facts told in the visit and on an earlier day, the character's own canon, repetition, leaks and character are
    checked by program. Nothing is kept: the house is gone afterwards. Models are those of the settings; without any,
    the understudy plays.
    """
    if marks:
        return _read(marks)
    from greenroom.kit.judging import scored
    from greenroom.kit.judging.scoring import sheet as drawn

    judged = _judge(world)
    sets = dict(judged.probes())
    model, replies = await _played(judged, sets, words=words, random=random, seed=seed)
    reports = [scored(name, each) for name, each in replies.items()]
    if sheet is not None:
        open_ones = [reply for name, each in replies.items() if name != SEALED for reply in each]
        lines = drawn(open_ones, count=SHEET_REPLIES, seed=seed)
        with given_file(sheet):
            sheet.write_text(to_json(lines) + "\n", encoding="utf-8")
    if plot is not None:
        from greenroom.kit.judging.plots import draw

        draw(world, reports, plot)
    data = {"world": world, "model": model, "encoder": not words, "reports": [report.data() for report in reports]}
    return Printed(data, _table(reports))


async def _played(
    judged: Judge, sets: dict[str, Probes], *, words: bool, random: int, seed: int
) -> tuple[str | None, dict[str, list[JudgedReply]]]:
    from greenroom.bootstrap import open_house
    from greenroom.kit.judging import play, shuffled

    if random:
        sets["random"] = shuffled(sets["development"], visitors=random, turns=RANDOM_TURNS, seed=seed)
    replies: dict[str, list[JudgedReply]] = {}
    model = None
    for name, probes in sets.items():
        async with open_house(":memory:", clock=START, recall="words" if words else None) as house:
            model = house.plays(judged.role)
            replies[name] = await play(house, judged, probes, start=START)
    return model, replies


def _judge(world: str) -> Judge:
    """The judge that a plug-in brings.

    Raises:
        Unknown: there is no such world, or it brings no probes.
    """
    from greenroom.kit.judging import Judge
    from greenroom.plugins import found, resolved

    one = next((one for one in found() if one.name == world and one.plugin is not None), None)
    if one is None or one.plugin is None:
        raise Unknown(f"there is no world {world}; see greenroom worlds")
    brought = resolved(one.plugin.judge)
    if not isinstance(brought, Judge):
        raise Unknown(f"the world {world} brings no probes; name a Judge as `judge` of its plug-in")
    return brought


def _table(reports: list[Report]) -> Any:
    names = list(dict.fromkeys(kind for report in reports for kind in report.kinds))
    rows = [(kind, *(_cell(report.kinds.get(kind)) for report in reports)) for kind in names]
    for label, name in (("repeats", "repeats"), ("leaks", "leaks"), ("out of character", "out_of_character")):
        rows.append((label, *(str(getattr(report, name)) for report in reports)))
    rows.append(("turns", *(str(report.turns) for report in reports)))
    rows.append(("a turn, ms (p50 / p95)", *(f"{report.p50:.0f} / {report.p95:.0f}" for report in reports)))
    return text.table(("", *(report.name for report in reports)), rows)


def _cell(counts: tuple[int, int] | None) -> str:
    if counts is None or not counts[1]:
        return "–"
    right, of = counts
    return f"{right} of {of} ({100 * right / of:.0f} %)"


def _read(marks: list[Path]) -> Printed:
    from greenroom.kit.judging.scoring import agreement

    if len(marks) != 2:
        raise UsageError("two readers mark a sheet each; give --marks twice")
    sheets = []
    for file in marks:
        with given_file(file):
            sheets.append(from_json(file.read_text(encoding="utf-8")))
    found = agreement(sheets, lambda line: bool(line["off"]))
    told = f"{found['off']} of {found['read']} off ({found['share']:.1%}); the readers agree on {found['agree']:.1%}"
    return Printed(found, told)
