"""Runs the application on an address until told to stop."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from fastapi import FastAPI

from greenroom.entrypoints.http.gate import guard
from greenroom.entrypoints.http.holding import HeldConnections, guarded, guarded_sockets
from greenroom.kernel.errors import BackendError
from greenroom.services.budgets import Budgets
from greenroom.services.house import House
from greenroom.settings import Settings

log = logging.getLogger("greenroom.http")

#: How long requests in progress may take to finish when the server is asked to stop.
GRACE_SECONDS = 5
#: Open files that are asked for.
_FILES = 16_384


@asynccontextmanager
async def listening(settings: Settings) -> AsyncIterator[socket.socket]:
    """A socket on the address of the settings, for the length of a block.

    Raises:
        BackendError: another program has it, or there is no such address here.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((settings.host, settings.port))
    except OSError as error:
        opened.close()
        raise BackendError(
            f"{settings.host} port {settings.port}: {error.strerror}; GREENROOM_PORT or --port names another"
        ) from error
    with opened:
        _make_room()
        opened.listen(2048)
        yield opened


def _make_room() -> None:
    """As many open files as this machine lets us have: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(hard, _FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def address_of(opened: socket.socket, settings: Settings) -> str:
    """What to type into a browser."""
    host, port = opened.getsockname()[:2]
    name = "localhost" if host in ("127.0.0.1", "::1") else socket.gethostname() if host in ("0.0.0.0", "::") else host
    return settings.public_url or f"http://{f'[{name}]' if ':' in name else name}:{port}"


class Server(uvicorn.Server):
    """Uvicorn that leaves signals to whoever runs it, and says when it listens."""

    def __init__(self, app: FastAPI, settings: Settings) -> None:
        budgets: Budgets = app.state.house.budgets
        self.held = HeldConnections(
            most=settings.budgets.connections_address,
            seconds=settings.budgets.head_seconds,
            proxies=settings.proxies,
            refused=lambda kind: budgets.note(kind, "address"),
        )
        super().__init__(
            uvicorn.Config(
                app,
                http=guarded(self.held),
                ws=guarded_sockets(self.held),
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(settings.proxies),
                forwarded_allow_ips=settings.proxies or None,
                timeout_graceful_shutdown=GRACE_SECONDS,
                ws_max_size=settings.body_limit * 4,
                # A small frame would become a large one, and hundreds of them before anybody is asked.
                ws_per_message_deflate=False,
            )
        )
        self.listens = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listens.set()


async def serve(
    app: FastAPI,
    settings: Settings,
    opened: socket.socket,
    stop: asyncio.Event,
    *,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until told to stop; then end live connections and let requests in progress finish."""
    if settings.public_url is not None and not settings.proxies:
        log.warning(
            "GREENROOM_PUBLIC_URL is set and GREENROOM_PROXIES is not: if a proxy stands before this server, all its "
            "callers share one address and one allowance; name the proxy's address"
        )
    server = Server(app, settings)
    serving = asyncio.create_task(server.serve(sockets=[opened]), name="server")
    try:
        await _either(server.listens, serving)
        if not serving.done():
            ready()
            _keep_what_is_loaded()
            app.state.warm.add_done_callback(lambda _: gc.freeze())
            await _either(stop, serving)
    finally:
        app.state.live.close()
        server.should_exit = True
        await serving


def _keep_what_is_loaded() -> None:
    """Whoever looks for garbage looks through everything there is, and people wait meanwhile: what was loaded to serve
    them stays as long as this process, so it is looked through once and never again."""
    gc.collect()
    gc.freeze()


async def _either(event: asyncio.Event, task: asyncio.Task[None]) -> None:
    waiting = asyncio.create_task(event.wait())
    try:
        await asyncio.wait({waiting, task}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


def with_console(app: FastAPI, house: House) -> None:
    """Put the console on the application, behind the gate."""
    from greenroom.entrypoints.console import mount

    mount(app, house)
    guard(app, app.state.door)
