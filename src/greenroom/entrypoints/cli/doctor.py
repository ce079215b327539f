"""``greenroom doctor``: is everything here that a house needs, and does it fit together?"""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from greenroom.kernel.errors import GreenroomError
from greenroom.kit.cli.extras import EXTRAS, absent, advice
from greenroom.kit.cli.session import Printed, Session, command

if TYPE_CHECKING:
    from greenroom.settings import Settings

#: Bytes below which a disk is nearly full: a backup of a grown house would not fit.
LITTLE_ROOM = 1_000_000_000
_SIGNS = {"good": "ok", "note": "--", "bad": "!!"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    state: Literal["good", "note", "bad"]
    sentence: str


def add_to(app: typer.Typer) -> None:
    command(app, "doctor")(doctor)


async def doctor(session: Session) -> Printed:
    """Look whether everything is in order.

    Versions, what is installed, settings, disk, database, worlds, models and the port. Nothing is changed and no model
    is asked ('greenroom models test' does that). The exit code is 1 when something is wrong.
    """
    found = [finding async for finding in _findings(session)]
    bad = any(finding.state == "bad" for finding in found)
    lines = [f"{_SIGNS[one.state]}  {one.what}: {one.sentence}" for one in found]
    end = "something is wrong: see the lines with !!" if bad else "everything is in order"
    return Printed({"ok": not bad, "findings": [asdict(one) for one in found]}, "\n".join([*lines, end]), int(bad))


async def _findings(session: Session) -> AsyncIterator[Finding]:
    for one in (*_versions(), *_extras()):
        yield one
    try:
        settings = session.settings
    except GreenroomError as error:
        yield Finding("settings", "bad", str(error))
        return
    yield Finding("settings", "good", "all of them can be read")
    for one in _disk(settings.home):
        yield one
    yield await _database(settings)
    for one in (*_worlds(), *_models(settings), _port(settings)):
        yield one


def _versions() -> Iterator[Finding]:
    import sqlite3
    from importlib.metadata import version

    yield Finding("greenroom", "good", f"{version('greenroom')} on Python {platform.python_version()}, {sys.platform}")
    yield Finding("sqlite", "good", sqlite3.sqlite_version)


def _extras() -> Iterator[Finding]:
    for extra in EXTRAS:
        missing = absent(extra)
        told = f"not installed: pip install 'greenroom[{extra}]'" if missing else "installed"
        yield Finding(f"extra {extra}", "note" if missing else "good", told)


def _disk(home: Path) -> Iterator[Finding]:
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    try:
        free = shutil.disk_usage(there).free
    except OSError as error:
        yield Finding("disk", "bad", f"{there}: {error.strerror}")
        return
    state: Literal["good", "bad"] = "good" if free >= LITTLE_ROOM else "bad"
    yield Finding("disk", state, f"{free / 1e9:.1f} GB are free for {home}")


async def _database(settings: Settings) -> Finding:
    from greenroom.adapters.sql.migrations import HEAD

    place = settings.place
    try:
        if isinstance(place, Path):
            from greenroom.adapters.sqlite.file import schema_version

            name, found = str(place), schema_version(place)
        else:
            from greenroom.adapters.postgres.opening import found_version
            from greenroom.adapters.sql.addresses import shown

            name, found = shown(place), await found_version(place)
    except GreenroomError as error:
        return Finding("database", "bad", str(error))
    except ImportError as missing:
        return Finding("database", "bad", advice(missing) or str(missing))
    if found is None:
        return Finding("database", "note", f"there is no house in {name} yet; 'greenroom up' makes one")
    old = "" if found == HEAD else f", which is brought to {HEAD} when it is next opened"
    return Finding("database", "good", f"{name}, schema {found}{old}; 'greenroom db check' looks into it")


def _worlds() -> Iterator[Finding]:
    from greenroom.bootstrap import gathered

    try:
        installed = gathered().installed
    except GreenroomError as error:
        yield Finding("worlds", "bad", str(error))
        return
    yield Finding("worlds", "good", ", ".join(one.name for one in installed.used) or "none")
    for one in installed.left_out:
        yield Finding("worlds", "bad", f"{one.name} of {one.package} {one.version} is left out: {one.error}")
    for name, sentences in installed.lacks.items():
        for sentence in sentences:
            yield Finding(f"world {name}", "note", sentence)


def _models(settings: Settings) -> Iterator[Finding]:
    from greenroom.bootstrap.casting import cast

    try:
        roles = cast(settings)
    except GreenroomError as error:
        yield Finding("models", "bad", str(error))
        return
    if not settings.models:
        yield Finding("models", "note", "none is set: the understudy plays every role; 'greenroom models' tells how")
    for entry in settings.models:
        played = [one for one in roles if one.entry == entry]
        trouble = next((one.trouble for one in played if one.trouble), None)
        told = ", ".join(f"{one.world} {one.role}".strip() for one in played) or "nobody: every role has an entry"
        yield Finding(f"model {entry}", "bad" if trouble else "good", trouble or f"plays {told}")


def _port(settings: Settings) -> Finding:
    import socket

    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((settings.host, settings.port))
        except OSError as error:
            told = f"{settings.host} port {settings.port}: {error.strerror}; a house may be open there already"
            return Finding("port", "note", told)
    return Finding("port", "good", f"{settings.host} port {settings.port} is free")
