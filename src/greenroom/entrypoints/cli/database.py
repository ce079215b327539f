"""``greenroom db``: looking after the house's database."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from greenroom.entrypoints.cli import moving
from greenroom.entrypoints.cli.moving import Out
from greenroom.kernel.errors import CorruptHistory, UsageError
from greenroom.kit.cli.session import Printed, Session, command, given_file
from greenroom.text.counting import amounts, plural

Folder = Annotated[
    Path | None,
    typer.Option("--to", metavar="DIR", help="Folder to put it in; backups/ in the data directory by default."),
]
Backup = Annotated[Path, typer.Argument(metavar="FILE", help="A backup made by 'greenroom db backup'.")]
Source = Annotated[str, typer.Argument(metavar="SRC", help="A database file, or postgresql://…")]
Target = Annotated[str, typer.Argument(metavar="DST", help="Where there is no house yet: a file, or postgresql://…")]
Dry = Annotated[bool, typer.Option("--dry-run", help="Only say what would go.", show_default=False)]
Rebuild = Annotated[
    str | None,
    typer.Option("--rebuild", metavar="NAME", help="Throw a follower's copy away and make it anew from the journal."),
]
Drop = Annotated[
    str | None, typer.Option("--drop", metavar="NAME", help="Forget a follower whose package is gone; its copy stays.")
]
Person = Annotated[str, typer.Argument(metavar="PERSON", help="The owner, as the streams name them.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for the name again.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    group = typer.Typer(help="Look after the database of the house.", no_args_is_help=True, rich_markup_mode=None)
    for name, body in (
        ("check", check),
        ("backup", backup),
        ("restore", restore),
        ("migrate", migrate),
        ("copy", copy),
        ("follow", follow),
        ("prune", prune),
        ("forget", forget),
        ("export-person", export_person),
    ):
        command(group, name)(body)
    app.add_typer(group, name="db")


async def check(session: Session) -> Printed:
    """Check every stream and the file itself.

    Sums, folds, and tables against the journal.
    """
    from greenroom.kit.cli.progress import Bar

    async with session.house() as house:
        with Bar("check") as bar:
            verdict = await house.check(progress=bar)
    data = {
        "streams": verdict.streams,
        "versions": verdict.versions,
        "problems": list(verdict.problems),
        "missing": list(verdict.missing),
    }
    absent = [f"package missing, only history sums were checked: {sentence}" for sentence in verdict.missing]
    if verdict.problems:
        damaged = [f"damaged: {sentence}" for sentence in verdict.problems] if absent else verdict.problems
        return Printed(data, "\n".join((*damaged, *absent)), CorruptHistory.exit_code)
    well = f"{plural(verdict.streams, 'stream')}, {plural(verdict.versions, 'version')}: all as they were written"
    return Printed(data, "\n".join((well, *absent)))


# files


def backup(session: Session, *, folder: Folder = None) -> Printed:
    """Make a checked copy of the database.

    The house may go on working meanwhile. Prints the path of the copy.
    """
    from greenroom.adapters.sqlite.backup import back_up

    database, target = session.existing(), folder or session.settings.backups
    with given_file(target):
        made = back_up(database, target)
        data = {"file": str(made), "bytes": made.stat().st_size}
    return Printed(data, f"{made} ({data['bytes']} bytes, checked)")


def restore(session: Session, file: Backup) -> Printed:
    """Put a backup in the place of the database.

    The database as it was is kept among the backups. Refused while the house is open somewhere.
    """
    from greenroom.adapters.sqlite.backup import restore as put_back

    database = session.settings.database
    if session.settings.database_url is not None:
        session.existing()
    with given_file(file):
        file.open("rb").close()
        aside = put_back(file, database)
    kept = "there was none before" if aside is None else f"the one before is {aside}"
    data = {"restored": str(file), "database": str(database), "aside": None if aside is None else str(aside)}
    return Printed(data, f"{database} is now what {file} holds; {kept}")


async def migrate(session: Session) -> Printed:
    """Bring the database to this Greenroom's form.

    It is backed up before anything changes. Every command does so when it opens an older house; this one does
    nothing else.
    """
    from greenroom.adapters.sql.migrations import HEAD

    before = await _version(session.settings.place)
    async with session.house(makes=True) as house:
        database = house.name
    data = {"database": database, "before": before, "now": HEAD}
    done = "nothing to do" if before == HEAD else "made" if before is None else f"brought here from {before}"
    return Printed(data, f"{database}: schema {HEAD}, {done}")


async def _version(place: Path | str) -> str | None:
    if isinstance(place, Path):
        from greenroom.adapters.sqlite.file import schema_version

        return schema_version(place)
    from greenroom.adapters.postgres.opening import found_version

    return await found_version(place)


async def copy(session: Session, source: Source, target: Target) -> Printed:
    """Copy a whole house to another place.

    From a file to a PostgreSQL database, or back. Every row is compared by sums before the copy counts; the house that
    is copied stays as it is. Stop its servers and workers first.
    """
    from greenroom.adapters.sql.addresses import shown
    from greenroom.bootstrap import copy_house
    from greenroom.kit.cli.progress import Bar

    with Bar("copy") as bar:
        copied = await copy_house(source, target, progress=bar)
    here, there = (shown(place) if "://" in place else place for place in (source, target))
    data = {"from": here, "to": there, "rows": dict(copied.rows), "left_to_rebuild": list(copied.left)}
    total = sum(copied.rows.values())
    return Printed(data, f"{there} now holds what {here} holds: {plural(total, 'row')}, compared by sums")


# copies


async def follow(session: Session, *, rebuild: Rebuild = None, drop: Drop = None) -> Printed:
    """List the followers, and how far each is.

    A follower keeps a copy of what was settled outside the house: files, an index. With --rebuild its copy is made
    anew from the journal, here or by the worker that holds it.
    """
    from greenroom.entrypoints.cli.following import listed, rebuilt

    if rebuild is not None and drop is not None:
        raise UsageError("either --rebuild or --drop: one thing at a time")
    async with session.house() as house:
        if rebuild is not None:
            await rebuilt(house, rebuild)
        if drop is not None:
            await house.following.drop(drop)
        return listed(await house.following.list(), house.following.followers)


# what goes


async def prune(session: Session, *, dry: Dry = False) -> Printed:
    """Remove what the worlds' retention rules no longer keep."""

    async with session.house() as house:
        pruned = await house.prune(dry=dry)
    data = {
        "dry_run": dry,
        "removed": list(pruned.removed),
        "shortened": list(pruned.shortened),
        "counts": dict(pruned.counts),
    }
    return Printed(data, f"{'would go' if dry else 'gone'}: {amounts(pruned.counts)}")


async def forget(session: Session, person: Person, *, yes: Yes = False) -> Printed:
    """Remove a person for good.

    Every stream they own goes whole, and their words go everywhere. The name must be typed again, or --yes given.
    Backups that still hold something of them are listed.
    """

    async with session.house() as house:
        if not yes:
            _ask_again(person, (await house.belongings(person)).counts)
        forgot = await house.forget(person)
    data = {
        "person": person,
        "streams": list(forgot.streams),
        "counts": dict(forgot.counts),
        "backups": list(forgot.backups),
        "copies": list(forgot.copies),
    }
    lines = [f"forgotten: {amounts(forgot.counts)}"]
    if forgot.backups:
        lines += ["these backups still hold something of them; remove or replace them:"]
        lines += [f"  {backup}" for backup in forgot.backups]
    if forgot.copies:
        lines += [f"these followers still have to remove their copies: {', '.join(forgot.copies)}"]
    return Printed(data, "\n".join(lines))


def _ask_again(person: str, belongings: Mapping[str, int]) -> None:
    """Go on only if the name is typed a second time.

    Raises:
        UsageError: it was not.
    """
    print(f"This removes for good what belongs to {person}: {amounts(belongings)}.", file=sys.stderr)
    print("Type the name again to go on: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip() != person:
        raise UsageError("the name was not typed again; nothing was removed")


async def export_person(session: Session, person: Person, *, output: Out = None) -> Printed:
    """Write what 'db forget' would remove.

    As lines of JSON, one thing each.
    """

    moving.check_output(session, output)
    async with session.house() as house:
        count = await moving.write_lines(house.export_person(person), output)
    return moving.exported({"person": person}, count, output)
