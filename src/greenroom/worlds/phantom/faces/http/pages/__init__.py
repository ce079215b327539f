"""The pages that players see, as files; put together once."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import Response

#: For ``responses=`` of a route that answers with a page.
PAGE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A page.", "content": {"text/html": {"schema": {"type": "string"}}}}
}


@cache
def page(name: str) -> str:
    """A page with the house's style and script put in."""
    text = _file(f"{name}.html")
    return text.replace("/*house*/", _file("house.css")).replace("/*script*/", _file("house.js"))


def shown(name: str, status: int = 200, **parts: str) -> Response:
    """A page as an answer; a part takes the place of the comment of its name and is HTML already."""
    text = page(name)
    for part, html in parts.items():
        text = text.replace(f"<!--{part}-->", html)
    return Response(text, status, media_type="text/html")


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
