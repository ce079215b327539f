"""``greenroom up``: server, worker and console in one process."""

from __future__ import annotations

import os
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Annotated, Any

import typer

from greenroom.kernel.errors import Unknown
from greenroom.kit.cli.session import Printed, Session, command

if TYPE_CHECKING:
    from greenroom.services.house import House
    from greenroom.settings import Settings

#: Said at once: what comes next is a second or two of imports.
OPENING = "Opening the house …"

Host = Annotated[str | None, typer.Option("--host", help="Address to listen on; GREENROOM_HOST by default.")]
Port = Annotated[
    int | None, typer.Option("--port", min=0, max=65535, help="Port; GREENROOM_PORT by default, 0 takes a free one.")
]
Works = Annotated[bool, typer.Option("--worker/--no-worker", help="Drive what is due in this process too.")]
Console = Annotated[bool, typer.Option("--console/--no-console", help="Serve the pages for people too.")]
NewTicket = Annotated[
    bool, typer.Option("--new-ticket", help="Print another ticket for the operator.", show_default=False)
]


def add_to(app: typer.Typer) -> None:
    command(app, "up")(up)


def up(
    session: Session,
    *,
    host: Host = None,
    port: Port = None,
    works: Works = True,
    console: Console = True,
    new_ticket: NewTicket = False,
) -> Printed:
    """Open the house to browsers and programs.

    Prints the address, and at the first start the operator's ticket, which is not told again. On this machine no ticket
    is needed, unless a proxy stands before the house. SIGTERM or SIGINT stop it; turns in progress are finished or
    handed back.
    """
    settings = _settings(session, host, port)
    session.say(OPENING)
    sys.stdout.flush()
    _need_server()
    _run(_up(session, settings, works=works, console=console, new_ticket=new_ticket))
    return Printed({"status": "stopped"}, "stopped")


async def _up(session: Session, settings: Settings, *, works: bool, console: bool, new_ticket: bool) -> None:
    import asyncio
    import signal

    from greenroom.entrypoints.http import create, logs, serving

    stop = asyncio.Event()
    for caught in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(caught, stop.set)
    async with session.house(makes=True, works=works) as house, serving.listening(settings) as opened:
        logs.write_to(level=_level(settings))
        app = create(house, settings)
        if console:
            serving.with_console(app, house)
        ticket = await _ticket(house, another=new_ticket)
        address = serving.address_of(opened, settings)
        data = {
            "status": "ready",
            "address": address,
            "ticket": ticket,
            "database": house.name,
            "pid": os.getpid(),
        }
        await serving.serve(
            app, settings, opened, stop, ready=lambda: session.answer(data, _told(address, ticket, settings))
        )


def _settings(session: Session, host: str | None, port: int | None) -> Settings:
    from greenroom.settings import read_settings

    return read_settings(home=session.home, host=host, port=port)


def _run(program: Coroutine[Any, Any, None]) -> None:
    """On the faster loop where it is installed: there is none for some systems and some Pythons."""
    try:
        import uvloop
    except ModuleNotFoundError:
        import asyncio

        asyncio.run(program)
    else:
        uvloop.run(program)


def _need_server() -> None:
    """Say what is missing before anything is opened.

    Raises:
        Unknown: the server's packages are not installed.
    """
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ModuleNotFoundError:
        raise Unknown(
            "the server is not installed: pip install 'greenroom[server]'; 'greenroom play' needs none"
        ) from None


async def _ticket(house: House, *, another: bool) -> str | None:

    issued = await (house.access.issue_operator(label="asked for") if another else house.access.first_operator())
    return None if issued is None else issued.text


def _level(settings: Settings) -> str:
    """A person at a terminal wants to see the address, not a line for every request."""
    given: Any = settings.log_level
    return "warning" if sys.stderr.isatty() and "log_level" not in settings.model_fields_set else str(given)


def _told(address: str, ticket: str | None, settings: Settings) -> str:
    from greenroom.kit.http.access import is_loopback, nobody_between

    lines = [f"The house is open: {address}"]
    if ticket is not None:
        lines.append(f"Your ticket, told this once: {ticket}")
    if is_loopback(settings.host) and nobody_between(settings):
        lines.append("On this machine nobody asks for it." if ticket else "On this machine no ticket is needed.")
    elif ticket is None:
        lines.append("It wants the ticket that was printed at the first start; --new-ticket prints another.")
    return "\n".join([*lines, "Ctrl-C closes it."])
