"""The API described by the server itself: OpenAPI, and a page of it that loads nothing from anywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from greenroom.kit.http.access import the_actors_place, the_guest, the_operator, the_operators_place, the_place
from greenroom.kit.http.problems import ALWAYS, SCHEMA
from greenroom.kit.http.records import encode

routes = APIRouter(tags=["the server"])

_METHODS = ("get", "post", "put", "patch", "delete")
_STYLE = """
:root { color-scheme: light dark; background: Canvas; color: CanvasText; }
a { color: LinkText; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; } h3 { font: 600 1rem/1.4 ui-monospace, monospace; margin: 1.75rem 0 .25rem; }
p, ul { margin: .25rem 0; } code { font-family: ui-monospace, monospace; font-size: .9em; }
"""


def described(app: FastAPI) -> dict[str, Any]:
    """OpenAPI of the whole application, made once."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        schemas = made.setdefault("components", {}).setdefault("schemas", {})
        schemas["Problem"] = SCHEMA
        schemas.pop("HTTPValidationError", None)
        schemas.pop("ValidationError", None)
        made["components"]["securitySchemes"] = {
            "ticket": {"type": "http", "scheme": "bearer", "description": "A ticket: the operator's, or a player's."}
        }
        made["security"] = [{"ticket": []}, {}]
        for route in app.routes:
            if isinstance(route, APIRoute):
                for method in (route.methods or set()) & {name.upper() for name in _METHODS}:
                    made["paths"][route.path_format][method.lower()]["x-callers"] = callers(route)
        app.openapi_schema = made
    return app.openapi_schema


def callers(route: APIRoute) -> str:
    """Who may call a route, as its parameters say."""
    asks = set(_asked(route.dependant))
    if asks & {the_operator, the_operators_place}:
        return "the operator"
    return "whoever has a ticket" if asks & {the_guest, the_place, the_actors_place} else "anybody"


def _asked(dependant: Dependant) -> Iterator[Any]:
    """What a route asks for, and what that asks for."""
    for inner in dependant.dependencies:
        yield inner.call
        yield from _asked(inner)


_OPENAPI: dict[int | str, dict[str, Any]] = {
    200: {"description": "OpenAPI.", "content": {"application/json": {"schema": {"type": "object"}}}}
}
_PAGE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A page.", "content": {"text/html": {"schema": {"type": "string"}}}}
}


@routes.get("/openapi.json", responses=ALWAYS | _OPENAPI)
async def openapi(request: Request) -> Response:
    """This description."""
    return Response((await _written(request.app)).api, media_type="application/json")


@routes.get("/docs", responses=ALWAYS | _PAGE, response_class=Response)
async def docs(request: Request) -> Response:
    """This description as a page."""
    return Response((await _written(request.app)).page, media_type="text/html")


@dataclass(frozen=True, slots=True)
class _Written:
    api: bytes
    page: str


async def _written(app: FastAPI) -> _Written:
    """Both, written once and beside the loop: the first who asks keeps nobody waiting."""
    found: _Written | None = getattr(app.state, "written", None)
    if found is None:
        found = app.state.written = await asyncio.to_thread(_write, app)
    return found


def _write(app: FastAPI) -> _Written:
    api = described(app)
    return _Written(encode(api), "\n".join(_page(api)))


def _page(api: dict[str, Any]) -> Iterator[str]:
    yield f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(api["info"]["title"])}</title>'
    yield f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style>'
    yield f"<main><h1>{escape(api['info']['title'])}</h1><p>{escape(api['info'].get('description', ''))}</p>"
    yield '<p>For programs: <a href="/openapi.json">openapi.json</a></p>'
    for tag in dict.fromkeys(tag for _, _, route in _all(api) for tag in route.get("tags", ())):
        yield f"<h2>{escape(tag)}</h2>"
        for path, method, route in _all(api):
            if tag in route.get("tags", ()):
                yield from _route(path, method, route)
    yield "</main></html>"


def _all(api: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in api["paths"].items():
        yield from ((path, method, methods[method]) for method in _METHODS if method in methods)


def _route(path: str, method: str, route: dict[str, Any]) -> Iterator[str]:
    yield f"<h3>{method.upper()} {escape(path)}</h3><p>{escape(route.get('description', ''))}</p><ul>"
    yield f"<li>for {escape(route['x-callers'])}</li>"
    for parameter in route.get("parameters", ()):
        needed = "" if parameter.get("required") else ", if you like"
        told = escape(parameter.get("description", ""))
        yield f"<li><code>{escape(parameter['name'])}</code> ({parameter['in']}{needed}) {told}</li>"
    for status, told in sorted(route["responses"].items()):
        yield f"<li>{status}: {escape(told.get('description', ''))}</li>"
    yield "</ul>"
