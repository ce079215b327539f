"""``greenroom worlds``: what is installed; and the commands that worlds bring."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import typer

from greenroom.kit.cli import text
from greenroom.kit.cli.session import Commands, Printed, Session, command
from greenroom.plugins import FAULTS, Found, Installed, face_of, found, told


def add_to(app: typer.Typer) -> None:
    command(app, "worlds")(worlds)


def add_groups(app: typer.Typer) -> Mapping[str, str]:
    """Add what worlds bring. One that cannot be added is left out; why, by the name of its plug-in."""
    names = [*(one.name for one in app.registered_commands), *(one.name for one in app.registered_groups)]
    taken, faults = dict.fromkeys(names, "the program"), {}
    for one in found():
        if one.plugin is None or one.plugin.cli is None:
            continue
        try:
            brought = face_of(one, "cli", Commands)
            if brought.bodies and taken.setdefault(brought.name, one.name) != one.name:
                raise ValueError(f"the command {brought.name} is that of {taken[brought.name]}")
            brought.add_to(app)
        except FAULTS as error:
            faults[one.name] = told(error)
    return faults


def _commands(one: Found) -> Commands | None:
    """The commands of a plug-in, if it brings any that can be had."""
    try:
        return None if one.plugin is None or one.plugin.cli is None else face_of(one, "cli", Commands)
    except FAULTS:  # 'greenroom worlds' tells it
        return None


def worlds(session: Session) -> Printed:
    """List the worlds that are installed.

    With the package each comes from, the faces it brings, and whether it loads; one that does not is left out of every
    house, and its streams wait.
    """
    from greenroom.bootstrap import gathered

    company = gathered()
    faults = {face: _faults(face, company.installed) for face in FACES}
    rows = [_facts(one, company.installed, faults) for one in company.installed.used]
    rows += [_facts(one, company.installed, {}) for one in company.installed.left_out]
    shown = [(row["name"], f"{row['package']} {row['version']}", *_in_words(row)) for row in rows]
    table = text.table(("plug-in", "package", "worlds", "faces", "loads"), shown)
    return Printed({"worlds": rows}, table if rows else "no world is installed")


def _in_words(row: dict[str, Any]) -> tuple[str, str, str]:
    return ", ".join(row["worlds"]), ", ".join(row["faces"]), "; ".join(row["faults"] or ["yes", *row["lacks"]])


def _facts(one: Found, installed: Installed, faults: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    faces = [] if one.plugin is None else [face for face in FACES if getattr(one.plugin, face) is not None]
    told = [f"{face}: {faults[face][one.name]}" for face in faces if one.name in faults[face]]
    if one.error:
        told = [one.error]
    return {
        "name": one.name,
        "package": one.package,
        "version": one.version,
        "worlds": [] if one.error else [world.name for world in installed.worlds[one.name]],
        "faces": faces,
        "loads": not told,
        "faults": told,
        "lacks": list(installed.lacks.get(one.name, ())),
    }


def _faults(face: str, installed: Installed) -> Mapping[str, str]:
    """Why faces of this kind are left out, by the name of their plug-in."""
    try:
        return FACES[face](installed)
    except ModuleNotFoundError as error:
        # Packages of an extra may be absent: that is no fault of a plug-in.
        if (error.name or "").partition(".")[0] not in _EXTRAS:
            raise
        return {}


def _of_routes(installed: Installed) -> Mapping[str, str]:
    from greenroom.entrypoints.http.app import own_routes
    from greenroom.entrypoints.http.worlds import tried

    return {one.name: fault for one, _, fault in tried(installed.used, own_routes()) if fault}


def _of_pages(installed: Installed) -> Mapping[str, str]:
    from greenroom.entrypoints.console.worlds import tried

    return {one.name: fault for one, _, fault in tried(installed) if fault}


def _of_commands(_: Installed) -> Mapping[str, str]:
    from greenroom.entrypoints.cli import own_commands

    return add_groups(own_commands())


#: The faces of a world, and how each is tried.
FACES: Mapping[str, Callable[[Installed], Mapping[str, str]]] = {
    "http": _of_routes,
    "console": _of_pages,
    "cli": _of_commands,
}
#: Packages of the extra that serves pages.
_EXTRAS = ("fastapi", "nicegui", "prometheus_client", "limits", "starlette", "structlog", "uvicorn")


def named(name: str | None) -> Found | None:
    """The plug-in of this name, or whose commands have it; the first of all when none is named."""
    usable = [one for one in found() if one.plugin is not None]
    if name is None:
        return min(usable, key=lambda one: one.plugin.rank if one.plugin else 0, default=None)
    return next((one for one in usable if name in (one.name, getattr(_commands(one), "name", None))), None)


def terminal_of(one: Found) -> Callable[[Session, bool], Awaitable[Printed]] | None:
    """How the world of a plug-in is played in a terminal, where it has a way of its own."""
    brought = _commands(one)
    return None if brought is None else brought.play
