"""The console: the pages on which people walk into the house. NiceGUI, and nothing from outside.

``mount(app, house)`` puts it on a FastAPI application. The pages work on the ``House`` and on use cases of
``greenroom.services``, never on adapters; what an operator may see here is decided by whoever lets the request in.

The pages of worlds come with their plug-ins; ``greenroom.kit.console`` tells how they are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi import FastAPI

    from greenroom.kit.console.stage import WorldPage
    from greenroom.services.house import House


def mount(app: FastAPI, house: House, *, pages: Sequence[WorldPage] = ()) -> None:
    """Put the console on an application, at ``/``; call it last, since it answers whatever nobody else does.

    It asks nobody who he is: put a gate before it (``http/gate.py``). It lives with the application's lifespan. A
    process has one console, since NiceGUI keeps its pages in one place.

    Args:
        pages: those of worlds of your own; they go before the shipped ones.
    """
    from greenroom.entrypoints.console.loading import load_nicegui

    load_nicegui()
    from greenroom.entrypoints.console.mounting import mount_console  # slow to import

    mount_console(app, house, pages)


__all__ = ["mount"]
