"""The console: the pages on which people walk into the house. NiceGUI, and nothing from outside.

``mount(app, house)`` puts it on a FastAPI application. The pages work on the ``House`` and on use cases of
``greenroom.services``, never on adapters; what an operator may see here is decided by whoever lets the request in.

How a world gets its page
=========================

A world is playable at once: without a page of its own it gets the plain one (``anything.py``), which offers whatever
is legal. A page of its own is ``faces/console.py`` of its package, named as ``console`` in its plug-in. ``greenroom
new`` makes one to copy:

1. ``PAGE = WorldPage(world=…, title=…, sentence=…, picture=…, seat=…, roles=…, find=…, play=…)``. Home makes the
   world's card of it. ``find(house)`` gives the stream that one click on "play" leads to (``go_on_or_begin`` does for
   most worlds); ``play(scene)`` builds the page of one stream, at ``/play/<world>?stream=<name>``. Where people have to
   choose something first, ``lobby(lobby)`` builds the page at ``/play/<world>`` instead.
2. ``play`` lays out the page with the pieces of ``parts.py`` and then calls ``await scene.follow(tell=…, see=…)``:
   ``tell(event)`` is called once for every event that the seat may see, in order, past and future, whoever caused it
   and in whatever process; ``see(look, legal)`` is called after each batch with what the seat sees and what it may do.
   Draw from these two and from nothing else, and two browsers always show the same, before and after a lost
   connection. Both are plain functions and only make or change elements.
3. Commands go out with ``await scene.send(kind, fields, key)``. Inside a ``parts.form`` the key is given: pressing the
   button again after a broken connection sends the same key, so nothing is done twice. A refusal is said on the page.
   Do not draw the reply; it comes back through ``tell`` like everything else.
4. Link a reply to ``addresses.why(stream, version)`` and the page to ``addresses.stream(stream)``.
5. Colours, type and spacing are the variables and classes of ``static/console.css``; rules of the world go under
   ``.world-<name>`` in a style sheet of its own, in the folder that ``static`` names. Every field has a label, every
   control works by keyboard, and the page fits 390 pixels.
6. Look at it: wide and narrow, light and dark.

Nothing is registered by importing it: ``worlds.py`` asks the plug-ins for their pages, ``mount`` makes the routes.
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
    from greenroom.entrypoints.console.mounting import mount_console  # slow to import

    mount_console(app, house, pages)


__all__ = ["mount"]
