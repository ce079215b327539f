"""Phantom Protocol over HTTP: signing up, the inbox, mail and SMS that come in, and the room behind the key.

Players are strangers until they sign up; the answer to that is a ticket to their own story. The pages here are for
them: plain HTML of their own look, apart from the operator's console.
"""

from __future__ import annotations

from fastapi import APIRouter

from greenroom.worlds.phantom.faces.http import entering, inbound, players, room

WORLD = "phantom"

routes = APIRouter(tags=[WORLD])
for _module in (players, entering, inbound, room):
    routes.include_router(_module.routes)

__all__ = ["WORLD", "routes"]
