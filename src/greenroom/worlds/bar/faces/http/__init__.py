"""The bar over HTTP: the contract under ``/bar``, and the page for guests, who need no ticket to come in."""

from __future__ import annotations

from fastapi import APIRouter

from greenroom.worlds.bar.faces.http import guests, sessions

WORLD = sessions.WORLD

routes = APIRouter(tags=[WORLD])
for _module in (sessions, guests):
    routes.include_router(_module.routes)

__all__ = ["WORLD", "routes"]
