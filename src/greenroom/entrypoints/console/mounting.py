"""Puts the pages on an application: routes, assets, the ears of the house."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from nicegui import app as pages
from nicegui import core, ui

from greenroom.entrypoints.console import (
    compare,
    frame,
    home,
    memory,
    missing,
    models,
    operations,
    play,
    stream,
    streams,
    why,
)
from greenroom.entrypoints.console.worlds import pages_of
from greenroom.kit.console import addresses
from greenroom.kit.console.live import LivePage
from greenroom.kit.console.stage import WorldPage
from greenroom.services.house import House

ASSETS = Path(__file__).parent / "static"
#: Seconds for which the server waits for a browser whose connection was lost.
RECONNECT_SECONDS = 10.0


def mount_console(app: FastAPI, house: House, more: Sequence[WorldPage]) -> None:
    """See :func:`greenroom.entrypoints.console.mount`."""
    live = LivePage(house)
    console = frame.Console(house=house, live=live, worlds=pages_of(house, more))
    _add_assets(console.worlds.values())
    _add_export(house)
    for path, title, build in (
        (addresses.HOME, "Home", home.build),
        (addresses.STREAMS, "Streams", streams.build),
        (addresses.STREAM, "Stream", stream.build),
        (addresses.COMPARE, "Side by side", compare.build),
        (addresses.WHY, "Why", why.build),
        (addresses.MEMORY, "Memory", memory.build),
        (addresses.MODELS, "Models", models.build),
        (addresses.OPERATIONS, "Operations", operations.build),
    ):
        frame.add_page(console, path, title, build)
    for page in console.worlds.values():
        frame.add_page(console, addresses.play(page.world), page.title, play.builder(page))
    missing.add_to(pages)
    pages.on_startup(live.start)
    pages.on_shutdown(live.close)
    core.sio.eio.cors_allowed_origins = None  # NiceGUI would let any site in; None lets in this server's own pages
    ui.run_with(
        app,
        title="Greenroom",
        favicon=ASSETS / "mark.svg",
        dark=None,
        language="en-US",
        tailwind=False,
        reconnect_timeout=RECONNECT_SECONDS,
        binding_refresh_interval=None,
        show_welcome_message=False,
    )


def _add_assets(worlds: Iterable[WorldPage]) -> None:
    """Styles and scripts, ours and those of worlds. An address changes with its content: browsers may keep it."""
    head = list(_assets(addresses.STATIC, ASSETS))
    for page in worlds:
        if page.static is not None:
            head += _assets(f"{addresses.BROUGHT}/{page.world}", page.static)
    ui.add_head_html("".join(head), shared=True)


def _assets(where: str, folder: Path) -> Iterator[str]:
    pages.add_static_files(where, folder)
    for file in sorted(folder.iterdir()):
        address = f"{where}/{file.name}?{sha256(file.read_bytes()).hexdigest()[:12]}" if file.is_file() else ""
        if file.suffix == ".css":
            yield f'<link rel="stylesheet" href="{address}">'
        elif file.suffix == ".js":
            yield f'<script src="{address}"></script>'


def _add_export(house: House) -> None:
    @pages.get(addresses.EXPORT, include_in_schema=False)
    async def export(stream: str) -> StreamingResponse:
        await house.stream(stream)
        ascii_name = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in stream)
        named = {"Content-Disposition": f'attachment; filename="{ascii_name}.jsonl"'}
        return StreamingResponse(house.export(stream), media_type="application/jsonl", headers=named)
