"""The guests' page as files of this server alone, and the policy that lets a browser load nothing else."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import Response


def _answers(words: str, media: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"description": words, "content": {media: {"schema": {"type": "string"}}}}}


#: For ``responses=`` of routes that answer with a page or with a file of it.
PAGE = _answers("A page.", "text/html")
STYLE = _answers("A file of the page.", "text/css")
SCRIPT = _answers("A file of the page.", "text/javascript")
#: Nothing written into the page runs or paints: script and style are files, and everything is asked of this server.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


def shown(**parts: str) -> Response:
    """The page; a part takes the place of the comment of its name and is HTML already."""
    text = _file("page.html")
    for part, html in parts.items():
        text = text.replace(f"<!--{part}-->", html)
    return Response(text, media_type="text/html", headers={"Content-Security-Policy": _POLICY})


def style() -> Response:
    return Response(_file("page.css"), media_type="text/css")


def script() -> Response:
    return Response(_file("page.js"), media_type="text/javascript")


@cache
def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


__all__ = ["PAGE", "SCRIPT", "STYLE", "script", "shown", "style"]
