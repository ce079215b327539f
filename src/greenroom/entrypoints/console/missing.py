"""What is not there: a page for people that leads back, and a problem for programs."""

from __future__ import annotations

from fastapi import FastAPI
from nicegui import Client, ui
from starlette.requests import Request
from starlette.responses import Response

from greenroom.entrypoints.console.frame import framed
from greenroom.kit.console import addresses, parts
from greenroom.kit.http.problems import problem, request_id


def add_to(pages: FastAPI) -> None:
    """Answer for every address that nobody knows."""

    @pages.exception_handler(404)
    async def missing(request: Request, error: Exception) -> Response:
        # What anybody may load is files: a page is kept for its browser, and strangers could ask for any number.
        if "text/html" not in request.headers.get("accept", "") or request.url.path.startswith(addresses.OPEN):
            told = f"there is nothing at {request.url.path}; /docs lists what there is"
            return problem(404, "Unknown", told, request=request_id(request))
        page = ui.page("", title="Not found · Greenroom")
        with Client(page, request=request) as client, framed(), parts.box("sorry"):
            parts.text("There is no such page", "page-title", kind="h1")
            parts.text("The address may be old or mistyped. Everything begins at home.", "lead")
            parts.link("Go home", addresses.HOME, "button main")
        return client.build_response(request, 404)
