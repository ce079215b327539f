"""Stands before the console: the operator goes through, others are sent to show a ticket."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

from greenroom.kernel.errors import Forbidden, GreenroomError, NotAdmitted
from greenroom.kit.console import addresses
from greenroom.kit.http.access import Door
from greenroom.kit.http.problems import problem_of


class Gate:
    """Lets the operator through to the console."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope["path"].startswith(addresses.OPEN):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        try:
            caller = await self._door.caller(connection)
            if caller.kind != "operator":
                raise (
                    Forbidden("the console is the operator's") if caller.kind == "player" else NotAdmitted("no ticket")
                )
        except GreenroomError as error:
            await self._refuse(connection, error, receive, send)
        else:
            await self.app(scope, receive, send)

    @staticmethod
    async def _refuse(connection: HTTPConnection, error: GreenroomError, receive: Receive, send: Send) -> None:
        scope = connection.scope
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "the console is the operator's"})
        elif scope["method"] == "GET" and "text/html" in connection.headers.get("accept", ""):
            await RedirectResponse("/enter", 303)(scope, receive, send)
        else:
            await problem_of(error, scope.get("state", {}))(scope, receive, send)


def guard(app: FastAPI, door: Door) -> None:
    """Put the gate before everything that is mounted on the application."""
    for route in app.routes:
        if isinstance(route, Mount) and not isinstance(route.app, Gate):
            route.app = Gate(route.app, door)
