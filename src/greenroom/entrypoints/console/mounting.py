"""Puts the pages on an application: routes, assets, the ears of the house."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from nicegui import app as pages
from nicegui import core, ui

from greenroom.entrypoints.console import frame, home, memory, operations, play, stream, streams, why
from greenroom.entrypoints.console.worlds import pages_of
from greenroom.kit.console import addresses
from greenroom.kit.console.live import Live
from greenroom.kit.console.stage import WorldPage
from greenroom.services.house import House

ASSETS = Path(__file__).parent / "static"
#: Seconds for which the server waits for a browser whose connection was lost.
RECONNECT_SECONDS = 10.0


def mount_console(app: FastAPI, house: House, more: Sequence[WorldPage]) -> None:
    """See :func:`greenroom.entrypoints.console.mount`."""
    live = Live(house)
    console = frame.Console(house=house, live=live, worlds=pages_of(house, more))
    _add_assets()
    _add_export(house)
    for path, title, build in (
        (addresses.HOME, "Home", home.build),
        (addresses.STREAMS, "Streams", streams.build),
        (addresses.STREAM, "Stream", stream.build),
        (addresses.WHY, "Why", why.build),
        (addresses.MEMORY, "Memory", memory.build),
        (addresses.OPERATIONS, "Operations", operations.build),
    ):
        frame.add_page(console, path, title, build)
    for page in console.worlds.values():
        frame.add_page(console, addresses.play(page.world), page.title, play.builder(page))
    pages.on_startup(live.start)
    pages.on_shutdown(live.close)
    core.sio.eio.cors_allowed_origins = None  # NiceGUI would let any site in; None lets in this server's own pages
    ui.run_with(
        app,
        title="Greenroom",
        favicon=ASSETS / "mark.svg",
        dark=None,
        tailwind=False,
        reconnect_timeout=RECONNECT_SECONDS,
        binding_refresh_interval=None,
        show_welcome_message=False,
    )


def _add_assets() -> None:
    """Style and script. Their address changes with their content, so that browsers may keep them."""
    pages.add_static_files(addresses.STATIC, ASSETS)
    style, script = (_versioned(name) for name in ("console.css", "console.js"))
    head = f'<link rel="stylesheet" href="{style}"><script src="{script}"></script>'
    ui.add_head_html(head, shared=True)


def _versioned(name: str) -> str:
    return f"{addresses.STATIC}/{name}?{sha256((ASSETS / name).read_bytes()).hexdigest()[:12]}"


def _add_export(house: House) -> None:
    @pages.get(addresses.EXPORT, include_in_schema=False)
    async def export(stream: str) -> StreamingResponse:
        await house.stream(stream)
        ascii_name = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in stream)
        named = {"Content-Disposition": f'attachment; filename="{ascii_name}.jsonl"'}
        return StreamingResponse(house.export(stream), media_type="application/jsonl", headers=named)
