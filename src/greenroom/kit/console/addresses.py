"""Where the pages are. A path names the page, the query names what it shows: stream names may hold any character."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

HOME = "/"
STREAM = "/stream"
STREAMS = "/browse"
COMPARE = "/compare"
WHY = "/why"
MEMORY = "/memory"
MODELS = "/models"
OPERATIONS = "/operations"
PLAY = "/play"
EXPORT = "/console/export"
STATIC = "/console/static"
#: What worlds bring, each in a folder of its name.
BROUGHT = "/console/worlds"
#: What anybody may load: style and script, nothing of any stream.
OPEN = ("/_nicegui/", f"{STATIC}/", f"{BROUGHT}/", "/favicon.ico")


def _address(path: str, query: Mapping[str, str | int | None]) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


def play(world: str, stream: str | None = None, *, seat: str | None = None) -> str:
    """The page of a world; of one stream of it, where one is named, as one seat sees it."""
    return _address(f"{PLAY}/{world}", {"stream": stream, "seat": seat})


def stream(name: str, *, at: int | None = None, seat: str | None = None) -> str:
    return _address(STREAM, {"stream": name, "at": at, "seat": seat})


def streams(*, world: str | None = None, owner: str | None = None, after: str | None = None) -> str:
    return _address(STREAMS, {"world": world, "owner": owner, "after": after})


def compare(left: str, right: str) -> str:
    return _address(COMPARE, {"left": left, "right": right})


def why(name: str, version: int) -> str:
    return _address(WHY, {"stream": name, "version": version})


def memory(name: str | None = None, *, agent: str | None = None, query: str | None = None) -> str:
    return _address(MEMORY, {"stream": name, "agent": agent, "query": query})


def export(name: str) -> str:
    return _address(EXPORT, {"stream": name})
