"""The content in the package, read once."""

from __future__ import annotations

from functools import cache

from greenroom.worlds.phantom.outside import read_content as read_phantom
from greenroom.worlds.phantom.rules.content import Content


@cache
def content() -> Content:
    return read_phantom()
