"""``greenroom worlds``: what is installed; and the commands that worlds bring."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

import typer

from greenroom.kit.cli import text
from greenroom.kit.cli.session import Commands, Session, Shown, command
from greenroom.plugins import Found, found, resolved, told


def add_to(app: typer.Typer) -> None:
    command(app, "worlds")(worlds)


def add_groups(app: typer.Typer) -> None:
    """Add what worlds bring. A group that cannot be imported, or whose name is taken, is left out: see ``worlds``."""
    taken = {one.name for one in app.registered_commands} | {one.name for one in app.registered_groups}
    for one in found():
        brought = _commands(one)
        if brought is not None and brought.name not in taken:
            brought.add_to(app)
            taken.add(brought.name)


def _commands(one: Found) -> Commands | None:
    """The commands of a plug-in, if it brings any that can be had."""
    wanted = one.plugin is not None and one.plugin.cli is not None
    return None if not wanted or _fault(partial(commands_of, one)) else commands_of(one)


def commands_of(one: Found) -> Commands:
    """The commands of a plug-in.

    Raises:
        Exception: whatever importing them raises.
    """
    brought = resolved(one.plugin.cli) if one.plugin else None
    if not isinstance(brought, Commands):
        raise TypeError(f"cli refers to a {type(brought).__name__}; it should refer to a Commands")
    return brought


def worlds(session: Session) -> Shown:
    """List the worlds that are installed.

    With the package each comes from, the faces it brings, and whether it loads; one that does not is left out of every
    house, and its streams wait.
    """
    from greenroom.bootstrap import gathered

    company = gathered()
    rows = [_facts(one, [world.name for world in company.installed.worlds[one.name]]) for one in company.installed.used]
    rows += [_facts(one, []) for one in company.installed.left_out]
    shown = [(row["name"], f"{row['package']} {row['version']}", *_in_words(row)) for row in rows]
    table = text.table(("plug-in", "package", "worlds", "faces", "loads"), shown)
    return Shown({"worlds": rows}, table if rows else "no world is installed")


def _in_words(row: dict[str, Any]) -> tuple[str, str, str]:
    return ", ".join(row["worlds"]), ", ".join(row["faces"]), "; ".join(row["faults"]) or "yes"


def _facts(one: Found, names: list[str]) -> dict[str, Any]:
    faces = [] if one.plugin is None else [name for name in _LOADERS if getattr(one.plugin, name) is not None]
    faults = [one.error] if one.error else list(_faults(one, faces))
    return {
        "name": one.name,
        "package": one.package,
        "version": one.version,
        "worlds": names,
        "faces": faces,
        "loads": not faults,
        "faults": faults,
    }


def _faults(one: Found, faces: list[str]) -> Iterator[str]:
    for name in faces:
        if reason := _fault(partial(_LOADERS[name], one)):
            yield f"{name}: {reason}"


def _fault(load: Callable[[], object]) -> str:
    """Why something of a plug-in cannot be had; nothing if it can."""
    try:
        load()
    except ModuleNotFoundError as error:
        # Packages of an extra may be absent: that is no fault of the plug-in.
        return "" if (error.name or "").partition(".")[0] in _EXTRAS else told(error)
    except Exception as error:  # noqa: BLE001  whatever a stranger's package raises is told
        return told(error)
    return ""


def _route(one: Found) -> object:
    from greenroom.entrypoints.http.worlds import router_of

    return router_of(one)


def _page(one: Found) -> object:
    from greenroom.entrypoints.console.worlds import page_of

    return page_of(one)


#: What each face is loaded by.
_LOADERS: dict[str, Callable[[Found], object]] = {"http": _route, "console": _page, "cli": commands_of}
#: Packages of the extra that serves pages.
_EXTRAS = ("fastapi", "nicegui", "starlette")


def named(name: str | None) -> Found | None:
    """The plug-in of this name, or whose commands have it; the first of all when none is named."""
    usable = [one for one in found() if one.plugin is not None]
    if name is None:
        return min(usable, key=lambda one: one.plugin.rank if one.plugin else 0, default=None)
    return next((one for one in usable if name in (one.name, getattr(_commands(one), "name", None))), None)


def terminal_of(one: Found) -> Callable[[Session, bool], Awaitable[Shown]] | None:
    """How the world of a plug-in is played in a terminal, where it has a way of its own."""
    brought = _commands(one)
    return None if brought is None else brought.play
