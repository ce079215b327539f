"""The content in the package, read once."""

from __future__ import annotations

from functools import cache

from greenroom.bootstrap import read_phantom
from greenroom.worlds.phantom.content import Content


@cache
def content() -> Content:
    return read_phantom()
